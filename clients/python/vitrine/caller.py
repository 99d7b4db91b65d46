"""Calls operations: requests, retries, idempotency keys, kept answers and pages."""

from __future__ import annotations

import http.client
import json
import random
import re
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, urlencode

from .errors import ConnectionFailed, RefusedError, VitrineError
from .transport import Answer, Request, Send, send

REPEATED_STATUSES = frozenset({408, 409, 429, 500, 502, 503, 504})


class Operation(NamedTuple):
    """How an operation is called."""

    method: str
    path: str
    takes_idempotency_key: bool
    is_tagged: bool


class Paging(NamedTuple):
    """How the rows of an operation are divided into pages."""

    rows: tuple[str, ...]
    total: tuple[str, ...] | None
    size_max: int
    options: tuple[str, ...]


class CallOptions(TypedDict, total=False):
    """The options of a call."""

    timeout: float
    """Seconds that the service may take for this answer."""
    idempotency_key: str
    """The key of this change; a random one by default. Operations that only read ignore it."""
    request_id: str
    """The id of the request, which its answer and the log of the service carry."""


class Kept(NamedTuple):
    """An answer that is kept to ask whether it has changed."""

    tag: str
    body: bytes
    headers: Mapping[str, str]


class Caller:
    """Calls operations by their names.

    `send`, `wait` and `chance` are replaced by tests, which never wait.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        attempts_max: int = 5,
        wait_seconds_max: float = 60,
        timeout: float = 60,
        kept_answers_max: int = 0,
        strict: bool = False,
        on_answer: Callable[[str, Answer], None] | None = None,
        send: Send = send,
        wait: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._attempts_max = attempts_max
        self._wait_seconds_max = wait_seconds_max
        self._timeout = timeout
        self._kept_max = kept_answers_max
        self._strict = strict
        self._on_answer = on_answer
        self._send_once = send
        self._wait = wait
        self._chance = chance
        self._kept: OrderedDict[tuple[str, ...], Kept] = OrderedDict()
        self._lock = threading.Lock()

    def _call(
        self,
        operation: Operation,
        name: str,
        input: Mapping[str, Any] | None,
        options: Mapping[str, Any],
    ) -> Any:
        body, _ = self._ask(operation, name, input, options)
        return json.loads(body) if body else None

    def _ask(
        self,
        operation: Operation,
        name: str,
        input: Mapping[str, Any] | None,
        options: Mapping[str, Any],
        accept: str = "application/json",
    ) -> tuple[bytes, Mapping[str, str]]:
        address, body = _placed(operation, dict(input or {}))
        headers = {"x-api-key": self._key, "accept": accept}
        if body is not None:
            headers["content-type"] = "application/json"
        if self._strict:
            headers["prefer"] = "handling=strict"
        if "request_id" in options:
            headers["x-request-id"] = options["request_id"]
        if operation.takes_idempotency_key:
            # Each attempt carries the same key, so that the change is made once.
            headers["idempotency-key"] = options.get("idempotency_key") or uuid.uuid4().hex
        is_kept = operation.is_tagged and self._kept_max > 0
        place = (accept, operation.method, address, (body or b"").decode())
        known = self._kept_at(place) if is_kept else None
        if known:
            headers["if-none-match"] = known.tag
        timeout = options.get("timeout", self._timeout)
        request = Request(operation.method, self._url + address, headers, body, timeout)
        answer, read = self._send(name, request, lambda one: one.body.read())
        if answer.status == 304 and known:
            return known.body, known.headers
        tag = answer.headers.get("etag")
        if is_kept and tag:
            self._keep(place, Kept(tag, read, answer.headers))
        return read, answer.headers

    def _kept_at(self, place: tuple[str, ...]) -> Kept | None:
        with self._lock:
            if place in self._kept:
                self._kept.move_to_end(place)
            return self._kept.get(place)

    def _keep(self, place: tuple[str, ...], answer: Kept) -> None:
        with self._lock:
            self._kept[place] = answer
            self._kept.move_to_end(place)
            if len(self._kept) > self._kept_max:
                self._kept.popitem(last=False)

    def _send(
        self, name: str, request: Request, read: Callable[[Answer], Any]
    ) -> tuple[Answer, Any]:
        """Sends a request until it succeeds, is refused for good, or was sent often enough."""
        attempt = 1
        while True:
            try:
                return self._attempt(name, attempt, request, read)
            except VitrineError as error:
                wait = self._wait_after(attempt, error)
                if wait is None or attempt >= self._attempts_max:
                    raise
            self._wait(wait)
            attempt += 1

    def _attempt(
        self, name: str, attempt: int, request: Request, read: Callable[[Answer], Any]
    ) -> tuple[Answer, Any]:
        try:
            answer = self._send_once(request)
            if self._on_answer:
                self._on_answer(name, answer)
            if answer.status < 300 or answer.status == 304:
                return answer, read(answer)
            with answer.body as body:
                failure = body.read()
        except (OSError, http.client.HTTPException) as cause:
            raise ConnectionFailed(name, attempt, f"no answer: {cause}") from cause
        seconds = _seconds_of(answer.headers.get("retry-after"))
        request_id = answer.headers.get("x-request-id")
        raise RefusedError(name, attempt, answer.status, failure, request_id, seconds)

    def _wait_after(self, attempt: int, error: VitrineError) -> float | None:
        """The seconds before the next attempt, or None if there must be none.

        As long as the service says, otherwise 1, 2, 4, 8 ... seconds, and in both cases a random
        part more, so that clients that were refused together do not return together.
        """
        back_off = 2.0 ** (attempt - 1) * (1 + self._chance())
        if not isinstance(error, RefusedError):
            return back_off
        if error.status not in REPEATED_STATUSES:
            return None
        seconds = error.retry_after_seconds
        if seconds is None:
            return None if error.status == 409 else back_off
        if seconds > self._wait_seconds_max:
            return None
        return seconds + self._chance() * max(1.0, seconds / 4)

    def _pages(
        self,
        name: str,
        operation: Operation,
        paging: Paging,
        input: Mapping[str, Any] | None,
        options: Mapping[str, Any],
    ) -> Iterator[Any]:
        given = _at(input or {}, paging.options) or {}
        asked = {"pageSize": paging.size_max, **given}
        read = asked.get("pageIndex", 0) * asked["pageSize"]
        while True:
            fields = {**(input or {}), paging.options[0]: asked} if paging.options else asked
            answer = self._call(operation, name, fields, options)
            yield answer
            count = len(_at(answer, paging.rows))
            read += count
            if paging.total is None:
                key = answer["meta"].get("key")
                if key is None:
                    return
                asked["key"] = key
            else:
                if count == 0 or read >= _at(answer, paging.total):
                    return
                asked["pageIndex"] = asked.get("pageIndex", 0) + 1

    def _rows(
        self,
        name: str,
        operation: Operation,
        paging: Paging,
        input: Mapping[str, Any] | None,
        options: Mapping[str, Any],
    ) -> Iterator[Any]:
        for page in self._pages(name, operation, paging, input, options):
            yield from _at(page, paging.rows)


def _placed(operation: Operation, fields: dict[str, Any]) -> tuple[str, bytes | None]:
    """Places the fields of an input in the path, the query and the body."""
    path = re.sub(
        r"\{(\w+)\}", lambda found: quote(str(fields.pop(found[1])), safe=""), operation.path
    )
    if operation.method in ("POST", "PATCH"):
        return path, json.dumps(fields).encode()
    query = [
        (name, _written(one))
        for name, value in fields.items()
        for one in (value if isinstance(value, list | tuple) else [value])
        if one is not None
    ]
    return (f"{path}?{urlencode(query)}" if query else path), None


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seconds_of(header: str | None) -> float | None:
    """The seconds of a header Retry-After, which is a number or a date."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value.get(name) if value is not None else None
    return value
