"""The client of Vitrine."""

from . import schemas
from .client import CsvAnswer, FinishedReport, Vitrine
from .errors import ConnectionFailed, RefusedError, ReportError, VitrineError
from .transport import Answer, Request, Send

__all__ = [
    "Answer",
    "ConnectionFailed",
    "CsvAnswer",
    "FinishedReport",
    "RefusedError",
    "ReportError",
    "Request",
    "Send",
    "Vitrine",
    "VitrineError",
    "schemas",
]
