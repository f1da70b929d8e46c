"""A request promises: the key that makes it happen once is made before the first try and is the same in all of them; what
may have happened is not asked for again without one; a credential goes to the host that was named and nowhere else; and
whatever happens is a MfukoError that says so."""

from __future__ import annotations

import json
import pickle
import re
import socket
import threading
import time
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler
from typing import Any, Callable
from unittest import mock

from mfuko import MerchantClient, MfukoError, PlatformClient, each, new_idempotency_key
from mfuko.request import Page
from mfuko.retry import PATIENCE, wait_seconds

from .scripted import Scripted, answer, as_json, hang_up, raw, refusal

ORDER: Any = {"amount": 5000, "currency": "UGX"}
FINE = as_json(200, {"success": True, "message": "Payment created", "data": {"reference": "PY-1"}})
AWAY = refusal(503, "unavailable")


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.service = Scripted()
        self.addCleanup(self.service.close)
        self.shop = MerchantClient(self.service.url, "svc_test_key", merchant_id=12345678, timeout=5)
        self.waits: list[float] = []
        patch = mock.patch("mfuko.transport.pause", self.waits.append)
        patch.start()
        self.addCleanup(patch.stop)

    def failure(self, call: Callable[..., Any], *args: Any, **more: Any) -> MfukoError:
        with self.assertRaises(MfukoError) as caught:
            call(*args, **more)
        return caught.exception


class Tries(Case):
    def test_a_payment_is_asked_for_with_one_key_however_often(self) -> None:
        self.service.script = [hang_up, AWAY, FINE]
        self.assertEqual(self.shop.pay(ORDER)["reference"], "PY-1")
        keys = self.service.keys()
        self.assertRegex(str(keys[0]), "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        self.assertEqual(keys, [keys[0]] * 3)
        self.assertEqual([json.loads(got.body) for got in self.service.got], [ORDER] * 3)
        self.assertEqual(len(self.waits), 2)
        self.assertTrue(0.25 <= self.waits[0] <= 0.5 <= self.waits[1] <= 1, str(self.waits))

    def test_the_callers_own_key_is_used_and_each_call_has_another_one_without(self) -> None:
        self.service.script = [FINE]
        self.shop.pay(ORDER, idempotency_key="order-1001")
        self.shop.pay(ORDER)
        self.shop.request("POST", "/api/merchant/payments/PY-1/refund")
        self.assertEqual(self.service.keys()[0], "order-1001")
        self.assertEqual(len(set(self.service.keys()) - {None}), 3)

    def test_after_three_tries_it_gives_up_and_says_with_which_key_to_go_on(self) -> None:
        self.service.script = [hang_up]
        error = self.failure(self.shop.pay, ORDER)
        self.assertEqual((error.code, error.status, len(self.service.got)), ("connection_failed", 0, 3))
        self.assertEqual(error.idempotency_key, self.service.keys()[0])
        self.assertIsNotNone(error.__cause__)

    def test_as_often_as_it_was_told_to(self) -> None:
        self.service.script = [AWAY]
        error = self.failure(self.shop.pay, ORDER, retries=0)
        said = (error.code, error.status, error.request_id, len(self.service.got))
        self.assertEqual(said, ("unavailable", 503, "req_1", 1))
        other = MerchantClient(self.service.url, "svc_test_key", retries=4)
        self.failure(other.pay, ORDER)
        self.assertEqual(len(self.service.got), 1 + 5)

    def test_what_takes_no_key_and_changes_something_is_tried_once(self) -> None:
        self.service.script = [hang_up]
        path = "/api/merchant/notifications/:id/replay"
        self.failure(self.shop.request, "POST", path, params={"id": "msg_1"}, idempotency_key="mine")
        self.assertEqual(self.service.keys(), [None])

    def test_a_look_is_repeated_without_a_key(self) -> None:
        self.service.script = [AWAY, FINE]
        self.shop.payment("PY-1")
        self.assertEqual(self.service.keys(), [None, None])

    def test_a_refusal_is_not(self) -> None:
        wrong = {"amount": "Amount must be greater than 0"}
        self.service.script = [refusal(422, "validation_failed", errors=wrong)]
        error = self.failure(self.shop.pay, {**ORDER, "amount": 0})
        self.assertEqual((error.code, error.errors, len(self.service.got)), ("validation_failed", wrong, 1))
        self.assertIn("amount: Amount must be greater than 0", str(error))

    def test_who_is_told_to_wait_does_so_or_says_so(self) -> None:
        self.service.script = [refusal(429, "rate_limited", {"retry-after": "7"}), FINE]
        self.shop.request("POST", "/api/merchant/notifications/msg_1/replay")
        self.assertEqual(self.waits, [7.0])
        self.service.got.clear()
        self.service.script = [refusal(429, "rate_limited", {"retry-after": "3600"})]
        error = self.failure(self.shop.pay, ORDER)
        self.assertEqual((error.code, error.retry_after, len(self.service.got)), ("rate_limited", 3600, 1))

    def test_the_waits_grow_and_are_never_the_same_for_all(self) -> None:
        waits = [
            [wait_seconds(tries=tries, retry_after=None, chance=chance) for chance in (0.0, 1.0)] for tries in (1, 2, 3)
        ]
        self.assertEqual(waits, [[0.25, 0.5], [0.5, 1.0], [1.0, 2.0]])
        self.assertEqual(wait_seconds(tries=99, retry_after=None, chance=1), PATIENCE)
        self.assertEqual(wait_seconds(tries=1, retry_after=10, chance=0), 10)
        self.assertIsNone(wait_seconds(tries=1, retry_after=11, chance=0))

    def test_keys_are_never_the_same(self) -> None:
        self.assertEqual(len({new_idempotency_key() for _ in range(1000)}), 1000)


class Times(Case):
    def test_a_service_that_says_nothing_has_timed_out(self) -> None:
        self.service.script = [self.service.silence]
        error = self.failure(self.shop.pay, ORDER, timeout=0.05, retries=0)
        self.assertEqual((error.code, error.status), ("timed_out", 0))

    def test_and_so_has_one_that_stops_in_the_middle_of_its_answer(self) -> None:
        def half(request: BaseHTTPRequestHandler) -> None:
            request.connection.sendall(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
            )
            self.service.silence(request)

        self.service.script = [half]
        self.assertEqual(self.failure(self.shop.payment, "PY-1", timeout=0.05, retries=0).code, "timed_out")

    def test_and_so_has_one_that_sends_a_byte_now_and_then(self) -> None:
        def drip(request: BaseHTTPRequestHandler) -> None:
            for at in range(500):
                if self.service.over.wait(0.02):
                    return
                request.connection.sendall(b"HTTP/1.1 200 OK\r\nx: "[at : at + 1] or b"x")

        self.service.script = [drip]
        begun = time.monotonic()
        self.assertEqual(self.failure(self.shop.payment, "PY-1", timeout=0.2, retries=0).code, "timed_out")
        self.assertLess(time.monotonic() - begun, 2)

    def test_a_service_that_is_not_there(self) -> None:
        self.service.close()
        error = self.failure(self.shop.payment, "PY-1")
        self.assertEqual((error.code, len(self.waits)), ("connection_failed", 2))

    def test_a_host_that_takes_no_connection(self) -> None:
        def refuse(*_: Any, **more: Any) -> Any:
            raise socket.timeout("connect")

        with mock.patch("mfuko.connection.socket.socket.connect", refuse):
            self.assertEqual(self.failure(self.shop.payment, "PY-1", retries=0).code, "timed_out")

    def test_an_address_that_swallows_everything_leaves_time_for_the_next(self) -> None:
        connect = socket.socket.connect
        swallows = "127.0.0.2"

        def swallow(sock: socket.socket, address: Any) -> None:
            if address[0] != swallows:
                return connect(sock, address)
            time.sleep(sock.gettimeout() or 0)
            raise socket.timeout("connect")

        port = int(self.service.url.rpartition(":")[2])
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in (swallows, "127.0.0.1")]
        shop = MerchantClient(self.service.url, "svc_test_key", connect_timeout=0.4)
        self.service.script = [FINE]
        with mock.patch("mfuko.connection.socket.getaddrinfo", return_value=found):
            with mock.patch("mfuko.connection.socket.socket.connect", swallow):
                self.assertEqual(shop.payment("PY-1", retries=0)["reference"], "PY-1")


class Answers(Case):
    def test_of_somebody_else_on_the_way(self) -> None:
        self.service.script = [answer(500, b"<h1>Oops</h1>", {"content-type": "text/html"})]
        error = self.failure(self.shop.pay, ORDER)
        self.assertEqual((error.code, error.status, len(self.service.got)), ("unreadable_answer", 500, 1))
        self.service.script = [answer(502, b"<h1>Bad gateway</h1>", {"content-type": "text/html"}), FINE]
        self.assertEqual(self.shop.pay(ORDER)["reference"], "PY-1")

    def test_that_are_no_json_though_they_say_so(self) -> None:
        for content in (
            b'{"succ',
            b"",
            b"NaN",
            b'{"data": Infinity}',
            b"\xff",
            b"[" * 100_000,
            b'{"data": 1e9999999999999999999}',
        ):
            with self.subTest(content[:20]):
                self.service.script = [answer(200, content, {"content-type": "application/json"})]
                self.assertEqual(self.failure(self.shop.pay, ORDER).code, "unreadable_answer")

    def test_a_success_that_is_not_the_services_own_is_told_with_the_key_and_not_repeated(self) -> None:
        start = {"payment_amount": 5000, "currency_code": "UGX", "ref_trx": "ORDER-1"}
        for kind, content in (
            ("text/html", b"<h1>We are back soon</h1>"),
            ("text/html", b""),
            ("application/json", b'{"succ'),
            ("application/json", b"[]"),
            ("application/json", b"null"),
            ("application/json", b'"ok"'),
            ("application/json", b'{"success":true}'),
        ):
            self.service.script = [answer(200, content, {"content-type": kind})]
            # The gateway has no envelope: an object may be its answer.
            gateway = [] if content.endswith(b"}") else [(self.shop.initiate_payment, start)]
            for call, body in [(self.shop.pay, ORDER), *gateway]:
                with self.subTest(kind, content=content, call=call.__name__):
                    self.service.got.clear()
                    error = self.failure(call, body)
                    self.assertEqual((error.code, error.status), ("unreadable_answer", 200))
                    self.assertEqual(self.service.keys(), [error.idempotency_key])
            self.assertEqual(self.failure(self.shop.payments.list).code, "unreadable_answer")

    def test_text_where_text_is_asked_for_whatever_it_looks_like(self) -> None:
        me = PlatformClient(self.service.url, token="a")
        for kind, text in (("text/csv", "a,b\n"), ("application/json", '{"a":1}')):
            self.service.script = [answer(200, text.encode(), {"content-type": kind})]
            self.assertEqual([me.transactions.csv(), me.transactions.receipt("TX-1")], [text, text])
            self.assertEqual(me.request("GET", "/api/transactions/TX-1/receipt"), text)

    def test_that_lack_what_was_asked_for(self) -> None:
        body: Any
        for body in ({}, [], None, "data"):
            self.service.script = [as_json(200, body)]
            self.assertEqual(self.failure(self.shop.payment, "PY-1").code, "unreadable_answer")

    def test_that_were_cut_off(self) -> None:
        start = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
        whole = b'{"data":{}}'
        for head, rest in (
            (b"content-length: 99\r\n\r\n", whole),
            (b"transfer-encoding: chunked\r\n\r\n", b"b\r\n" + whole + b"\r\n"),
        ):
            self.service.script = [raw(start + head + rest)]
            error = self.failure(self.shop.payment, "PY-1", retries=0)
            self.assertEqual(error.code, "connection_failed", head)
        self.service.script = [raw(start + b"\r\n" + whole)]
        self.assertEqual(self.shop.payment("PY-1", retries=0), {}, "without a length the end is the end")

    def test_that_are_no_http(self) -> None:
        self.service.script = [raw(b"SSH-2.0-OpenSSH\r\n")]
        self.assertEqual(self.failure(self.shop.payment, "PY-1", retries=0).code, "connection_failed")

    def test_that_are_far_too_large(self) -> None:
        self.service.script = [as_json(200, {"data": "x" * 2000})]
        with mock.patch("mfuko.connection.ANSWER_MOST", 1000):
            error = self.failure(self.shop.payment, "PY-1")
        self.assertEqual((error.code, error.status, len(self.service.got)), ("unreadable_answer", 200, 1))

    def test_redirects_are_not_followed_the_key_stays_with_the_host_that_was_named(self) -> None:
        other = Scripted()
        self.addCleanup(other.close)
        other.script = [FINE]
        for status in (301, 302, 303, 307, 308):
            self.service.script = [answer(status, b"", {"location": f"{other.url}/"})]
            error = self.failure(self.shop.pay, ORDER)
            self.assertEqual((error.code, error.status), ("connection_failed", status))
        self.assertEqual(other.got, [])
        self.assertEqual(len(self.service.got), 5)

    def test_amounts_are_exact(self) -> None:
        text = b'{"data":{"a":12345678901234.56,"b":0.1,"c":9007199254740993,"d":1.10}}'
        self.service.script = [answer(200, text, {"content-type": "application/json; charset=utf-8"})]
        data: Any = self.shop.payment("PY-1")
        self.assertEqual([str(data[name]) for name in "abcd"], ["12345678901234.56", "0.1", "9007199254740993", "1.10"])
        self.assertIsInstance(data["b"], Decimal)

    def test_pages_of_a_list_one_item_after_the_other(self) -> None:
        def page(items: list[int], cursor: Any) -> Any:
            return as_json(200, {"success": True, "message": "", "data": items, "meta": {"next_cursor": cursor}})

        self.service.script = [page([1, 2], "b"), page([], "c"), page([3], None)]
        self.assertEqual(list(each(self.shop.payments.list, {"limit": 2})), [1, 2, 3])
        queries = [got.url.partition("?")[2] for got in self.service.got]
        self.assertEqual(queries, ["limit=2", "limit=2&cursor=b", "limit=2&cursor=c"])

    def test_a_list_has_as_many_pages_as_it_has_and_one_that_leads_in_circles_is_told(self) -> None:
        def long(query: Any) -> Page[int]:
            at = int(query.get("cursor", 0)) + 1
            return Page([at], str(at) if at < 10_002 else None)

        self.assertEqual(sum(1 for _ in each(long)), 10_002)
        circle = each(lambda query: Page([1], "c" if query.get("cursor") == "b" else "b"))
        self.assertEqual([next(circle) for _ in range(3)], [1, 1, 1])
        self.assertEqual(self.failure(next, circle).code, "unreadable_answer")


class Sending(Case):
    def test_each_interface_in_its_own_headers(self) -> None:
        self.service.script = [as_json(200, {"data": {}})]
        self.shop.verify_payment("ORDER 1/2?ü")
        self.shop.payment("PY-1")
        gateway, pay = self.service.got
        self.assertEqual(gateway.url, "/api/v1/verify-payment/ORDER%201%2F2%3F%C3%BC")
        sent = [gateway.headers.get(name) for name in ("svc-merchant-key", "svc-api-key", "x-svc-key", "user-agent")]
        self.assertEqual(sent, ["12345678", "svc_test_key", None, "mfuko-python/1.0.0"])
        self.assertEqual([pay.headers.get("x-svc-key"), pay.headers.get("svc-api-key")], ["svc_test_key", None])
        self.assertNotIn("content-type", pay.headers)
        branded = MerchantClient(self.service.url, "svc_test_key", header_prefix="Duka")
        branded.payment("PY-1")
        self.assertEqual(self.service.got[-1].headers.get("x-duka-key"), "svc_test_key")

    def test_amounts_are_sent_as_they_are(self) -> None:
        self.service.script = [FINE]
        for amount, sent in (
            (5000, 5000),
            ("0.10", "0.10"),
            (Decimal("0.10"), "0.10"),
            (Decimal("1E+3"), "1000"),
            (2**60, 2**60),
        ):
            self.shop.pay({"amount": amount, "currency": "KES"})
            self.assertEqual(json.loads(self.service.got[-1].body)["amount"], sent)

    def test_what_can_not_be_sent(self) -> None:
        deep: Any = []
        for _ in range(100):
            deep = [deep]
        for wrong in (0.1, 5000.0, float("nan"), b"1", object(), Decimal("NaN"), {"inside": [1.5]}, deep):
            with self.subTest(str(wrong)[:30]), self.assertRaises((TypeError, ValueError)):
                self.shop.request("POST", "/api/pay", body={"amount": wrong})
        with self.assertRaisesRegex(TypeError, "^items.1.amount is a float"):
            self.shop.request("POST", "/api/pay", body={"items": [{}, {"amount": 0.1}]})
        with self.assertRaises(TypeError):
            self.shop.request("GET", "/api/merchant/payments", query={"amount": 0.1})
        with self.assertRaisesRegex(ValueError, "is empty"):
            self.shop.pay(ORDER, idempotency_key="")
        with self.assertRaises(ValueError):
            self.shop.pay(ORDER, idempotency_key="two\r\nlines: of headers")
        self.assertEqual(self.service.got, [])

    def test_queries(self) -> None:
        self.service.script = [as_json(200, {"data": []})]
        self.shop.request("GET", "/api/merchant/payments", query={"a": True, "b": None, "c": "x&y=ü", "d": 3})
        self.assertEqual(self.service.got[0].url, "/api/merchant/payments?a=true&c=x%26y%3D%C3%BC&d=3")

    def test_what_can_not_be_part_of_a_path_is_no_name(self) -> None:
        for name in ("", ".", ".."):
            self.assertRaises(ValueError, self.shop.payment, name)
        for path in (
            "",
            "api/pay",
            "/api/../x",
            "/api/./x",
            "/api/pay?x=1",
            "/api/pay#x",
            "/api/:id",
            "//x",
            "/a b",
            "/a\r\nb",
        ):
            with self.subTest(path):
                self.assertRaises(ValueError, self.shop.request, "GET", path)
        self.assertEqual(self.service.got, [])

    def test_wrong_settings_are_told_at_once(self) -> None:
        def make(base_url: str = "https://pay.example", api_key: str = "svc_test_x") -> MerchantClient:
            return MerchantClient(base_url, api_key)

        for settings, words in (
            ({"api_key": ""}, "api_key is missing"),
            ({"base_url": "pay.example"}, "not an address"),
            ({"base_url": "ftp://pay.example"}, "not an address"),
            ({"base_url": "http://pay.example:x"}, "not an address"),
            ({"base_url": "https://user@pay.example"}, "base_url is"),
            ({"base_url": "https://pay.example?x=1"}, "base_url is"),
            ({"base_url": "http://pay.example", "api_key": "svc_live_x"}, "https only"),
            ({"base_url": "http://localhost.example", "api_key": "svc_live_x"}, "https only"),
        ):
            with self.subTest(str(settings)), self.assertRaisesRegex(ValueError, words):
                make(**settings)
        for here in ("http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "https://pay.example/"):
            make(here, "svc_live_x")

    def test_the_gateway_needs_the_merchant_id(self) -> None:
        nameless = MerchantClient(self.service.url, "svc_test_x")
        self.assertRaisesRegex(ValueError, "merchant_id", nameless.verify_payment, "x")

    def test_a_service_below_a_path(self) -> None:
        self.service.script = [FINE]
        MerchantClient(f"{self.service.url}/mfuko/", "svc_test_x").pay(ORDER)
        self.assertEqual(self.service.got[0].url, "/mfuko/api/pay")
        self.assertIsNotNone(self.service.keys()[0])

    def test_from_several_threads(self) -> None:
        def echo(request: BaseHTTPRequestHandler) -> None:
            as_json(200, {"data": request.path.rpartition("/")[2]})(request)

        self.service.script = [echo]
        found: dict[str, Any] = {}

        def look(name: str) -> None:
            found[name] = self.shop.payment(name)

        threads = [threading.Thread(target=look, args=(f"PY-{at}",)) for at in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {f"PY-{at}": f"PY-{at}" for at in range(16)})

    def test_an_error_survives_another_process(self) -> None:
        self.service.script = [refusal(422, "validation_failed", errors={"amount": "No"})]
        error = self.failure(self.shop.pay, ORDER)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.code, again.errors, str(again)), (error.code, error.errors, str(error)))

    def test_what_is_printed_has_no_key_in_it(self) -> None:
        self.service.script = [refusal(401, "unauthenticated")]
        error = self.failure(self.shop.pay, ORDER)
        self.assertNotRegex(repr(self.shop) + repr(error) + str(error), re.compile("svc_test_key"))


if __name__ == "__main__":
    unittest.main()
