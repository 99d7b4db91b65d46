"""The client without a service: retries, kept answers and pages."""

from __future__ import annotations

import http.client
import io
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import vitrine  # noqa: E402
from vitrine import Answer, AnswerError, ConnectionFailed, RefusedError, ReportError, Vitrine  # noqa: E402

STORE = {"channelId": "a", "merchantId": "b"}


def answer(body, status=200, **headers):
    written = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, written, io.BytesIO(json.dumps(body).encode()))


def refusal(status, error="no", **headers):
    return answer({"status": "error", "error": error}, status, **headers)


class Scripted:
    """A client that gets these answers, with its requests and the waits between them."""

    def __init__(self, *answers, **settings):
        self.rest, self.sent, self.waits = list(answers), [], []
        self.vitrine = Vitrine(
            "http://vitrine.test/",
            "secret",
            send=self.send,
            wait=self.waits.append,
            chance=lambda: 0.5,
            **settings,
        )

    def send(self, request):
        self.sent.append(request)
        following = self.rest.pop(0)
        if isinstance(following, Exception):
            raise following
        return following


class CallerTest(unittest.TestCase):
    def test_repeats_after_what_the_service_says(self):
        one = Scripted(refusal(429, retry_after="8"), refusal(503), answer([]))
        self.assertEqual(one.vitrine.list_channels(), [])
        # Half of a quarter of 8 s; twice a second, and half of that more.
        self.assertEqual(one.waits, [9.0, 3.0])

    def test_gives_up_after_five_attempts(self):
        one = Scripted(*[OSError("refused")] * 5)
        with self.assertRaises(ConnectionFailed) as caught:
            one.vitrine.list_channels()
        self.assertEqual(caught.exception.attempts, 5)
        self.assertEqual(one.waits, [1.5, 3.0, 6.0, 12.0])

    def test_repeats_a_change_with_the_same_key(self):
        one = Scripted(OSError("broken"), answer({}), answer({}))
        one.vitrine.convert_tag({"tag": "a"})
        one.vitrine.convert_tag({"tag": "b"})
        first, second, third = [request.headers["idempotency-key"] for request in one.sent]
        self.assertEqual(first, second)
        self.assertNotEqual(first, third)

    def test_raises_refusals_with_their_rules(self):
        one = Scripted(refusal(400, "a must be b, c must be d", x_request_id="request-1"))
        with self.assertRaises(RefusedError) as caught:
            one.vitrine.list_tags()
        self.assertEqual(caught.exception.reasons, ["a must be b", "c must be d"])
        self.assertEqual(caught.exception.request_id, "request-1")
        for late in (refusal(429, retry_after="61"), refusal(409)):
            with self.assertRaises(RefusedError):
                Scripted(late).vitrine.list_tags()

    def test_raises_the_class_of_the_status(self):
        names = {
            302: "Redirected", 400: "InvalidRequest", 401: "Unauthenticated", 403: "Forbidden",
            404: "NotFound", 408: "SlowRequest", 409: "Conflict", 413: "TooLarge",
            415: "MediaType", 422: "ReusedKey", 429: "Limit", 500: "Service", 503: "Unavailable",
        }  # fmt: skip
        for status, name in names.items():
            one = Scripted(refusal(status), attempts_max=1)
            with self.assertRaises(getattr(vitrine, f"{name}Error")):
                one.vitrine.list_tags()
        with self.assertRaisesRegex(RefusedError, "302 a redirect to http://x, which is not"):
            Scripted(Answer(302, {"location": "http://x"}, io.BytesIO())).vitrine.list_tags()

    def test_raises_what_a_hook_raises_and_sends_nothing_again(self):
        for own in (OSError("mine"), ConnectionFailed("other", 1, "mine")):

            def hook(name, answer, own=own):
                raise own

            one = Scripted(answer({}), on_answer=hook)
            with self.assertRaises(type(own)) as caught:
                one.vitrine.list_tags()
            self.assertIs(caught.exception, own)
            self.assertEqual(len(one.sent), 1)

    def test_names_operation_and_request_of_answers_that_it_cannot_read(self):
        def page(content=b"<h1>Sign in</h1>"):
            headers = {"x-request-id": "r1", "content-type": "text/html", "etag": "one"}
            return Answer(200, headers, io.BytesIO(content))

        one = Scripted(page(), page(b""), page(), page(), kept_answers_max=1)
        for call, text in (
            (one.vitrine.list_tags, "list_tags: the answer is not JSON"),
            (one.vitrine.list_tags, "list_tags: the answer is empty"),
            (lambda: one.vitrine.csv("list_tags"), "list_tags: the answer is text/html, and not CSV"),
            (
                lambda: one.vitrine.delete_custom_group({"id": "7", **STORE}),
                "delete_custom_group: the answer is not empty",
            ),
        ):
            with self.assertRaises(AnswerError) as caught:
                call()
            self.assertEqual(str(caught.exception), f"{text} [request r1]")
        self.assertNotIn("if-none-match", one.sent[3].headers)

    def test_reads_no_files_and_repeats_nothing_that_cannot_be_sent(self):
        waits = []
        for url in ("file:///etc", "vitrine.test", "http://vitrine.test:port"):
            with self.assertRaises((ValueError, http.client.InvalidURL)):
                Vitrine(url, "secret", wait=waits.append).list_tags()
        self.assertEqual(waits, [])

    def test_asks_for_kept_answers_by_their_tag(self):
        one = Scripted(answer({"a": 1}, etag="one"), answer({}, 304), kept_answers_max=1)
        self.assertEqual(one.vitrine.list_tags(), {"a": 1})
        self.assertEqual(one.vitrine.list_tags(), {"a": 1})
        self.assertEqual(one.sent[1].headers["if-none-match"], "one")

    def test_places_fields_in_path_query_and_body(self):
        one = Scripted(answer({}), Answer(200, {}, io.BytesIO(b"")))
        one.vitrine.list_campaigns({"channelId": ["a b", "c"], "pageSize": 3})
        one.vitrine.change_custom_group({"id": "7/8", **STORE})
        self.assertEqual(
            [(request.address, request.body) for request in one.sent],
            [
                (
                    "http://vitrine.test/advertising/campaigns?channelId=a+b&channelId=c&pageSize=3",
                    None,
                ),
                ("http://vitrine.test/customGroups/7%2F8", json.dumps(STORE).encode()),
            ],
        )

    def test_follows_pages_and_cursors(self):
        pages = [answer({"totalCount": 9, "items": items}) for items in ([1, 2], [3], [])]
        one = Scripted(*pages)
        self.assertEqual(list(one.vitrine.rows("list_tags", {"pageIndex": 1, "pageSize": 2})), [1, 2, 3])
        self.assertEqual(one.sent[2].address, "http://vitrine.test/tags?pageSize=2&pageIndex=3")
        two = Scripted(answer({"meta": {"key": "k"}, "data": [1]}), answer({"meta": {}, "data": [2]}))
        self.assertEqual(list(two.vitrine.rows("list_orders", STORE)), [1, 2])
        self.assertEqual(json.loads(two.sent[1].body)["key"], "k")

    def test_raises_the_reason_of_a_failed_report(self):
        started = answer({"reportId": "r", "status": "started"})
        one = Scripted(started, answer({"reportId": "r", "status": "errored", "error": "rows"}))
        with self.assertRaisesRegex(ReportError, "r failed: rows"):
            one.vitrine.wait_for_report({"reportId": "r"})
        self.assertEqual(one.waits, [0.5])


if __name__ == "__main__":
    unittest.main()
