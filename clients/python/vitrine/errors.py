"""The errors that a client raises."""

from __future__ import annotations

import json
from collections.abc import Mapping


class VitrineError(Exception):
    """Anything that went wrong between the client and the service."""

    def __init__(self, operation: str, attempts: int, text: str) -> None:
        tries = f" (after {attempts} attempts)" if attempts > 1 else ""
        super().__init__(f"{operation}: {text}{tries}")
        self.operation = operation
        self.attempts = attempts


class RefusedError(VitrineError):
    """The service refused a request, or failed. Each status that it answers has a class below.

    `reasons` holds every rule that the request breaks, each with the path of its field. Quote
    `request_id` when you ask the operator for help.
    """

    def __init__(
        self,
        operation: str,
        attempts: int,
        status: int,
        body: bytes,
        headers: Mapping[str, str],
        retry_after_seconds: float | None,
    ) -> None:
        said = _text_of(body)
        shown = said or _redirect_of(status, headers) or "without a reason in JSON"
        super().__init__(operation, attempts, f"{status} {shown}{_quoted(headers)}")
        self.status = status
        # No rule contains a comma.
        self.reasons = said.split(", ") if said else []
        self.request_id = headers.get("x-request-id")
        self.retry_after_seconds = retry_after_seconds


class RedirectedError(RefusedError):
    """Something leads to another address. The client does not follow, and keeps its key."""


class InvalidRequestError(RefusedError):
    """400: the request breaks rules; `reasons` has them all."""


class UnauthenticatedError(RefusedError):
    """401: the key is missing, unknown, revoked or past its end."""


class ForbiddenError(RefusedError):
    """403: the key may not do this."""


class NotFoundError(RefusedError):
    """404: the operation or its object does not exist."""


class SlowRequestError(RefusedError):
    """408: the request arrived too slowly."""


class ConflictError(RefusedError):
    """409: something else is going on, such as the same change."""


class TooLargeError(RefusedError):
    """413: the request is too large."""


class MediaTypeError(RefusedError):
    """415: the body is of a type that the service does not read."""


class ReusedKeyError(RefusedError):
    """422: the idempotency key belongs to another request."""


class LimitError(RefusedError):
    """429: a limit of the key is reached; `retry_after_seconds` says until when."""


class ServiceError(RefusedError):
    """500: the service failed."""


class UnavailableError(RefusedError):
    """503: the service is busy, starts or stops."""


REFUSALS: dict[int, type[RefusedError]] = {
    **dict.fromkeys((301, 302, 303, 307, 308), RedirectedError),
    400: InvalidRequestError,
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    408: SlowRequestError,
    409: ConflictError,
    413: TooLargeError,
    415: MediaTypeError,
    422: ReusedKeyError,
    429: LimitError,
    500: ServiceError,
    503: UnavailableError,
}


class AnswerError(VitrineError):
    """An answer arrived that the client cannot read, such as the page of a proxy."""

    def __init__(
        self, operation: str, attempts: int, text: str, headers: Mapping[str, str]
    ) -> None:
        super().__init__(operation, attempts, f"{text}{_quoted(headers)}")
        self.request_id = headers.get("x-request-id")


class ConnectionFailed(VitrineError):
    """No answer came: the connection failed, or the service took too long."""


class ReportError(Exception):
    """A report could not be made."""

    def __init__(self, report_id: str, reason: str) -> None:
        super().__init__(f"the report {report_id} failed: {reason}")
        self.report_id = report_id


def _text_of(body: bytes) -> str:
    """The text of an error body; a proxy may have sent something else."""
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return ""
    return error if isinstance(error, str) else ""


def _redirect_of(status: int, headers: Mapping[str, str]) -> str:
    if REFUSALS.get(status) is not RedirectedError:
        return ""
    to = f" to {headers['location']}" if "location" in headers else ""
    return f"a redirect{to}, which is not followed: check the url of the client"


def _quoted(headers: Mapping[str, str]) -> str:
    return f" [request {headers['x-request-id']}]" if "x-request-id" in headers else ""
