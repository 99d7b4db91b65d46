"""The client of Vitrine."""

from . import schemas
from .client import CsvAnswer, FinishedReport, Vitrine
from .errors import (
    AnswerError,
    ConflictError,
    ConnectionFailed,
    ForbiddenError,
    InvalidRequestError,
    LimitError,
    MediaTypeError,
    NotFoundError,
    RedirectedError,
    RefusedError,
    ReportError,
    ReusedKeyError,
    ServiceError,
    SlowRequestError,
    TooLargeError,
    UnauthenticatedError,
    UnavailableError,
    VitrineError,
)
from .transport import Answer, Request, Send

__all__ = [
    "Answer",
    "AnswerError",
    "ConflictError",
    "ConnectionFailed",
    "CsvAnswer",
    "FinishedReport",
    "ForbiddenError",
    "InvalidRequestError",
    "LimitError",
    "MediaTypeError",
    "NotFoundError",
    "RedirectedError",
    "RefusedError",
    "ReportError",
    "Request",
    "ReusedKeyError",
    "Send",
    "ServiceError",
    "SlowRequestError",
    "TooLargeError",
    "UnauthenticatedError",
    "UnavailableError",
    "Vitrine",
    "VitrineError",
    "schemas",
]
