"""The errors that a client raises."""

from __future__ import annotations

import json


class VitrineError(Exception):
    """Anything that went wrong between the client and the service."""

    def __init__(self, operation: str, attempts: int, text: str) -> None:
        tries = f" (after {attempts} attempts)" if attempts > 1 else ""
        super().__init__(f"{operation}: {text}{tries}")
        self.operation = operation
        self.attempts = attempts


class RefusedError(VitrineError):
    """The service refused a request, or failed.

    `reasons` holds every rule that the request breaks, each with the path of its field. Quote
    `request_id` when you ask the operator for help.
    """

    def __init__(
        self,
        operation: str,
        attempts: int,
        status: int,
        body: bytes,
        request_id: str | None,
        retry_after_seconds: float | None,
    ) -> None:
        said = _text_of(body)
        quoted = f" [request {request_id}]" if request_id else ""
        super().__init__(operation, attempts, f"{status} {said}{quoted}")
        self.status = status
        # No rule contains a comma.
        self.reasons = said.split(", ") if said else []
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds


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
