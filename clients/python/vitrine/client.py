"""The client of one service with one key."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, Unpack
from urllib.parse import parse_qsl

from . import schemas
from .caller import CallOptions
from .errors import ReportError
from .operations import OPERATIONS, CsvName, Operations
from .transport import Request

FIRST_WAIT_SECONDS = 0.5
WAIT_SECONDS_MAX = 5.0


class CsvAnswer(NamedTuple):
    """An answer in CSV: its rows, and the fields beside them by their paths."""

    csv: str
    envelope: dict[str, str]


class FinishedReport(NamedTuple):
    """A report that is done."""

    report_id: str
    report_type: str
    download: Callable[[], IO[bytes]]
    """Opens the file by a new link, as a stream; close it, or use it in a `with`."""

    def save(self, path: str | Path) -> None:
        """Downloads the file to a path."""
        with self.download() as stream, open(path, "wb") as file:
            shutil.copyfileobj(stream, file)


class Vitrine(Operations):
    """A client of one service with one key."""

    def csv(
        self,
        name: CsvName,
        input: Mapping[str, Any] | None = None,
        **options: Unpack[CallOptions],
    ) -> CsvAnswer:
        """Calls an operation whose rows may come as CSV."""
        return self._ask(OPERATIONS[name], name, input, options, "text/csv", _csv)

    def wait_for_report(
        self,
        report: schemas.Report,
        on_status: Callable[[str], None] | None = None,
        **options: Unpack[CallOptions],
    ) -> FinishedReport:
        """Waits until a report is done, and returns it ready for download.

        Raises a `ReportError` if it cannot be made.
        """
        report_id = report["reportId"]
        wait = FIRST_WAIT_SECONDS
        while True:
            status = self.read_report_status({"reportId": report_id}, **options)
            if on_status:
                on_status(status["status"])
            if status["status"] == "errored":
                raise ReportError(report_id, status.get("error", "no reason is known"))
            if status["status"] == "done":
                return FinishedReport(
                    report_id, status["reportType"], lambda: self._download(report_id, options)
                )
            self._wait(min(wait, WAIT_SECONDS_MAX))
            wait *= 2

    def _download(self, report_id: str, options: CallOptions) -> IO[bytes]:
        # Links end after an hour, so each download asks for its own.
        address = self.read_report_status({"reportId": report_id}, **options).get("downloadUrl")
        if address is None:
            raise ReportError(report_id, "it has no file any more")
        timeout = options.get("timeout", self._timeout)
        request = Request("GET", address, {}, None, timeout)
        answer, _, _ = self._send("download", request, lambda one: None)
        return answer.body


def _csv(content: bytes, headers: Mapping[str, str]) -> CsvAnswer:
    kind = headers.get("content-type", "")
    if not kind.startswith("text/csv"):
        raise ValueError(f"the answer is {kind or 'of no type'}, and not CSV")
    return CsvAnswer(content.decode(), dict(parse_qsl(headers.get("vitrine-envelope", ""))))
