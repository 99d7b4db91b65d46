"""Sends requests with nothing but the standard library."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPMessage
from typing import IO, Any


@dataclass(frozen=True)
class Request:
    """A request as it is sent."""

    method: str
    address: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Answer:
    """An answer whose body has not been read."""

    status: int
    headers: Mapping[str, str]
    body: IO[bytes]


Send = Callable[[Request], Answer]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Redirects are answers, so that the key never goes to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def send(request: Request) -> Answer:
    """Sends a request; answers of every status are answers."""
    # The library would read files and FTP too, and the service names the addresses of reports.
    if not request.address.lower().startswith(("http://", "https://")):
        raise ValueError(f"the address must begin with http:// or https://: {request.address}")
    asked = urllib.request.Request(
        request.address,
        data=request.body,
        headers=dict(request.headers),
        method=request.method,
    )
    try:
        answer = _opener.open(asked, timeout=request.timeout)
    except urllib.error.HTTPError as error:
        return Answer(error.code, _lower(error.headers), error)
    return Answer(answer.status, _lower(answer.headers), answer)


def _lower(headers: HTTPMessage) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
