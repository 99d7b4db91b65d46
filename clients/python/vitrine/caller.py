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

from .errors import REFUSALS, AnswerError, ConnectionFailed, RefusedError
from .transport import Answer, Request, Send, send

REPEATED_STATUSES = frozenset({408, 409, 429, 500, 502, 503, 504})


class Operation(NamedTuple):
    """How an operation is called."""

    method: str
    path: str
    takes_idempotency_key: bool
    is_tagged: bool
    is_empty: bool = False


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
        read = _nothing if operation.is_empty else _json
        return self._ask(operation, name, input, options, "application/json", read)

    def _ask(
        self,
        operation: Operation,
        name: str,
        input: Mapping[str, Any] | None,
        options: Mapping[str, Any],
        accept: str,
        read: Callable[[bytes, Mapping[str, str]], Any],
    ) -> Any:
        """Calls an operation. `read` raises a ValueError for an answer of another type."""
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
        answer, content, attempt = self._send(name, request, lambda one: one.body.read())
        if answer.status == 304 and known:
            return read(known.body, known.headers)
        try:
            value = read(content, answer.headers)
        except ValueError as cause:
            raise AnswerError(name, attempt, str(cause), answer.headers) from cause
        tag = answer.headers.get("etag")
        if is_kept and tag:
            self._keep(place, Kept(tag, content, answer.headers))
        return value

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
    ) -> tuple[Answer, Any, int]:
        """Sends a request until it succeeds, is refused for good, or was sent often enough."""
        attempt = 1
        while True:
            answer, content, error = self._attempt(name, attempt, request, read)
            if error is None:
                return answer, content, attempt
            wait = self._wait_after(attempt, error)
            if wait is None or attempt >= self._attempts_max:
                raise error
            self._wait(wait)
            attempt += 1

    def _attempt(
        self, name: str, attempt: int, request: Request, read: Callable[[Answer], Any]
    ) -> tuple[Answer, Any, RefusedError | ConnectionFailed | None]:
        """Sends a request once; returns its answer, or the error that it ends with."""
        try:
            answer = self._send_once(request)
        except http.client.InvalidURL:
            raise
        except (OSError, http.client.HTTPException) as cause:
            return _lost(name, attempt, cause)
        self._note(name, answer)
        status, headers = answer.status, answer.headers
        try:
            if status < 300 or (status == 304 and "if-none-match" in request.headers):
                return answer, read(answer), None
            with answer.body as body:
                failure = body.read()
        except (OSError, http.client.HTTPException) as cause:
            return _lost(name, attempt, cause)
        seconds = _seconds_of(headers.get("retry-after"))
        refusal = REFUSALS.get(status, RefusedError)
        return answer, None, refusal(name, attempt, status, failure, headers, seconds)

    def _note(self, name: str, answer: Answer) -> None:
        """Calls the hook for an answer. What the hook raises ends the call and the answer."""
        try:
            if self._on_answer:
                self._on_answer(name, answer)
        except BaseException:
            answer.body.close()
            raise

    def _wait_after(self, attempt: int, error: RefusedError | ConnectionFailed) -> float | None:
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


def _lost(name: str, attempt: int, cause: Exception) -> tuple[Any, None, ConnectionFailed]:
    error = ConnectionFailed(name, attempt, f"no answer: {cause}")
    error.__cause__ = cause
    return None, None, error


def _json(content: bytes, _: Mapping[str, str]) -> Any:
    try:
        return json.loads(content)
    except ValueError as cause:
        raise ValueError(f"the answer is {'not JSON' if content else 'empty'}") from cause


def _nothing(content: bytes, _: Mapping[str, str]) -> None:
    if content:
        raise ValueError("the answer is not empty")


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
