"""A receiver promises: nothing is worked on that is not signed, what comes twice is worked on once, and what failed is
worked on again; the same as WSGI, as ASGI and by itself."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import http.client
import json
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from email.message import Message
from typing import Any, Callable
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.validate import validator

from mfuko import GatewayNotification, Notification, NotificationError, Receiver, SeenInMemory
from mfuko.asgi import MfukoASGI
from mfuko.wsgi import MfukoWSGI

SECRET = "whsec_" + base64.b64encode(b"thirty two bytes of a secret, ok").decode()
OTHER = "whsec_" + base64.b64encode(b"thirty two bytes of another one!").decode()
COUNT = iter(range(1, 1_000_000))


class Delivery:
    """As the service sends it."""

    def __init__(self, *, body: str | None = None, id: str | None = None, secret: str = SECRET, age: int = 0) -> None:
        number = next(COUNT)
        data = {
            "ref_trx": f"ORDER-{number}",
            "amount": 56000,
            "currency_code": "UGX",
            "ipn_url": "https://a.example/☕",
        }
        whole = {"data": data, "status": "completed", "message": "m", "timestamp": 1}
        self.id = id or f"msg_{number}"
        self.body = (json.dumps(whole, ensure_ascii=False) if body is None else body).encode()
        timestamp = str(int(time.time()) - age)
        key = base64.b64decode(secret[len("whsec_") :])
        content = f"{self.id}.{timestamp}.".encode() + self.body
        signature = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        self.headers = {
            "content-type": "application/json",
            "SVC-Signature": hmac.new(secret.encode(), self.body, hashlib.sha256).hexdigest(),
            "SVC-Webhook-Attempt": "2",
            "SVC-Event-Sequence": "3",
            "webhook-id": self.id,
            "webhook-timestamp": timestamp,
            "webhook-signature": f"v1,{signature}",
        }


Post = Callable[[dict[str, str], bytes], tuple[int, str]]


class Work:
    """What the application did with notifications."""

    def __init__(self) -> None:
        self.worked: list[Notification] = []
        self.errors: list[Exception] = []
        self.fails = False

    def handle(self, notification: Notification) -> None:
        if self.fails:
            self.fails = False
            raise OSError("the database is away")
        self.worked.append(notification)

    async def handle_later(self, notification: Notification) -> None:
        await asyncio.sleep(0)
        self.handle(notification)


class Promises:
    """Of every way to receive. ``open`` gives the way in."""

    work: Work
    post: Post

    def open(self) -> Post:
        raise NotImplementedError

    def setUp(self) -> None:
        self.work = Work()
        self.post = self.open()

    def test_a_good_one_is_worked_on_a_second_time_not(self: Any) -> None:
        one = Delivery()
        self.assertEqual(self.post(one.headers, one.body), (200, '{"message": "Received"}'))
        self.assertEqual(self.post(one.headers, one.body), (200, '{"message": "Received before"}'))
        [notification] = self.work.worked
        self.assertIsInstance(notification, GatewayNotification)
        about = (notification.id, notification.attempt, notification.sequence, notification.event, notification.status)
        self.assertEqual(about, (one.id, 2, 3, "payment.completed", "completed"))
        self.assertEqual(notification.data["ipn_url"], "https://a.example/☕")

    def test_one_that_could_not_be_worked_on_is_refused_and_then_worked_on(self: Any) -> None:
        one = Delivery()
        self.work.fails = True
        self.assertEqual(self.post(one.headers, one.body)[0], 500)
        self.assertIn("the database is away", str(self.work.errors[0]))
        self.assertEqual(self.post(one.headers, one.body)[0], 200)
        self.assertEqual(len(self.work.worked), 1)

    def test_forged_old_and_empty_ones_are_refused(self: Any) -> None:
        good, forged, old = Delivery(), Delivery(secret=OTHER), Delivery(age=301)
        wrong = [
            (forged.headers, forged.body),
            (good.headers, good.body.replace(b"56000", b"57000")),
            (old.headers, old.body),
            ({"content-type": "application/json"}, good.body),
            (good.headers, b""),
        ]
        for headers, body in wrong:
            self.assertEqual(self.post(headers, body)[0], 403)
        reasons = [error.reason for error in self.work.errors]
        expected = ["signature_wrong", "signature_wrong", "too_old", "signature_missing", "signature_wrong"]
        self.assertEqual(reasons, expected)
        self.assertEqual(self.work.worked, [])

    def test_two_at_the_same_time_one_is_worked_on_the_other_comes_again(self: Any) -> None:
        one = Delivery()
        begun, end = threading.Event(), threading.Event()
        handle = self.work.handle

        def slowly(notification: Notification) -> None:
            begun.set()
            end.wait(5)
            handle(notification)

        self.work.handle = slowly
        first: list[Any] = []
        thread = threading.Thread(target=lambda: first.append(self.post(one.headers, one.body)))
        thread.start()
        self.assertTrue(begun.wait(5))
        self.assertEqual(self.post(one.headers, one.body), (409, '{"message": "Being worked on"}'))
        end.set()
        thread.join()
        self.assertEqual(first[0][0], 200)
        self.assertEqual(len(self.work.worked), 1)


class ByItself(Promises, unittest.TestCase):
    def open(self) -> Post:
        receiver = Receiver(SECRET)

        def post(headers: dict[str, str], body: bytes) -> tuple[int, str]:
            outcome = receiver.receive(headers, body, lambda one: self.work.handle(one))
            if outcome.error is not None:
                self.work.errors.append(outcome.error)
            return outcome.status, json.dumps(outcome.body)

        return post


class ServedByWsgi(Promises, unittest.TestCase):
    """By a real server, held to the letter of WSGI."""

    def open(self) -> Post:
        def other(environ: dict[str, Any], start_response: Any) -> list[bytes]:
            start_response("200 OK", [("content-type", "text/plain"), ("content-length", "5")])
            return [b"other"]

        app = MfukoWSGI(
            Receiver(SECRET),
            lambda one: self.work.handle(one),
            path="/ipn",
            app=other,
            on_error=lambda error: self.work.errors.append(error),
        )
        self.port = serve_wsgi(self, validator(app))
        return lambda headers, body: self.ask("POST", "/ipn", headers, body)

    def ask(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def test_the_rest_is_the_applications(self) -> None:
        self.assertEqual(self.ask("POST", "/ipn/x", {}, b""), (200, "other"))
        self.assertEqual(self.ask("GET", "/ipn", {}, b"")[0], 405)

    def test_one_that_is_far_too_large_is_not_read(self) -> None:
        app = MfukoWSGI(Receiver(SECRET), self.work.handle)
        for more in ({"CONTENT_LENGTH": "300000"}, {"wsgi.input_terminated": True}):
            statuses: list[str] = []
            environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/ipn", "wsgi.input": Endless(), **more}
            app(environ, lambda status, _: statuses.append(status))  # noqa: B023
            self.assertEqual(statuses[0][:3], "413")

    def test_alone_there_is_nothing_else(self) -> None:
        statuses: list[str] = []
        MfukoWSGI(Receiver(SECRET), self.work.handle)({"PATH_INFO": "/"}, lambda status, _: statuses.append(status))
        self.assertEqual(statuses, ["404 Not Found"])

    def test_a_coroutine_is_not_taken_for_work_that_was_done(self) -> None:
        one = Delivery()
        outcome = Receiver(SECRET).receive(one.headers, one.body, self.work.handle_later)
        self.assertEqual(outcome.status, 500)
        self.assertIn("mfuko.asgi", str(outcome.error))


class Endless:
    """A body without end; more than is needed must not be read of it."""

    def __init__(self) -> None:
        self.left = 1024 * 1024

    def read(self, size: int) -> bytes:
        self.left -= size
        if self.left < 0:
            raise AssertionError("it reads and reads")
        return b"x" * size


def serve_wsgi(case: unittest.TestCase, app: Any) -> int:
    from socketserver import ThreadingMixIn
    from wsgiref.simple_server import WSGIServer

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingMixIn, WSGIServer):
        daemon_threads = True

    server = make_server("127.0.0.1", 0, app, server_class=Server, handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    case.addCleanup(server.server_close)
    case.addCleanup(server.shutdown)
    return int(server.server_address[1])


class Asgi(Promises, unittest.TestCase):
    """In a loop of its own, as a server does it: bodies come in pieces."""

    def open(self) -> Post:
        self.loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        thread.start()
        self.addCleanup(self.loop.close)
        self.addCleanup(thread.join)
        self.addCleanup(lambda: self.loop.call_soon_threadsafe(self.loop.stop))
        self.addCleanup(lambda: self.in_loop(self.loop.shutdown_default_executor()))
        self.app = self.make()
        return lambda headers, body: self.ask(self.app, {}, headers, body)

    def make(self) -> MfukoASGI:
        return MfukoASGI(Receiver(SECRET), lambda one: self.work.handle(one), on_error=self.work.errors.append)

    def in_loop(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    def ask(self, app: Any, more: dict[str, Any], headers: dict[str, str], body: bytes) -> tuple[int, str]:
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/ipn",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            **more,
        }
        pieces = [body[at : at + 50_000] for at in range(0, len(body), 50_000)] or [b""]
        messages = [
            {"type": "http.request", "body": piece, "more_body": at < len(pieces) - 1}
            for at, piece in enumerate(pieces)
        ]
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return messages.pop(0)

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        self.in_loop(app(scope, receive, send))
        return sent[0]["status"], sent[1]["body"].decode()

    def test_one_that_is_far_too_large_is_not_read(self) -> None:
        self.assertEqual(self.ask(self.app, {}, {}, b"x" * 300_000)[0], 413)

    def test_the_rest_is_the_applications(self) -> None:
        asked: list[Any] = []

        async def other(scope: Any, receive: Any, send: Any) -> None:
            asked.append(scope["path"])
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"other"})

        app = MfukoASGI(Receiver(SECRET), self.work.handle, app=other)
        self.assertEqual(self.ask(app, {"path": "/ipn/x"}, {}, b""), (200, "other"))
        self.assertEqual(self.ask(self.app, {"path": "/other"}, {}, b"")[0], 404)
        self.assertEqual(self.ask(self.app, {"method": "GET"}, {}, b"")[0], 405)
        self.assertEqual(self.ask(app, {"path": "/shop/ipn", "root_path": "/shop"}, {}, b"")[0], 403)
        self.assertEqual(asked, ["/ipn/x"])

    def test_it_lives_and_ends_with_its_server(self) -> None:
        messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return messages.pop(0)

        async def send(message: dict[str, Any]) -> None:
            sent.append(message["type"])

        self.in_loop(self.app({"type": "lifespan"}, receive, send))
        self.assertEqual(sent, ["lifespan.startup.complete", "lifespan.shutdown.complete"])

    def test_a_sender_that_leaves_is_not_answered(self) -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            self.fail("nobody is there")

        scope = {"type": "http", "method": "POST", "path": "/ipn", "headers": []}
        self.in_loop(self.app(scope, receive, send))

    def test_the_loop_goes_on_while_a_function_works(self) -> None:
        turned = threading.Event()
        one = Delivery()

        def handle(notification: Notification) -> None:
            self.loop.call_soon_threadsafe(turned.set)
            if not turned.wait(5):
                raise AssertionError("the loop stood still")

        app = MfukoASGI(Receiver(SECRET), handle)
        self.assertEqual(self.ask(app, {}, one.headers, one.body)[0], 200)


class AsgiWithCoroutine(Asgi):
    def make(self) -> MfukoASGI:
        async def handle(notification: Notification) -> None:
            # In the loop, or it would not be a task.
            self.assertIsNotNone(asyncio.current_task())
            await asyncio.get_running_loop().run_in_executor(None, self.work.handle, notification)

        return MfukoASGI(Receiver(SECRET), handle, on_error=self.work.errors.append)

    def test_it_leaves_the_threads_of_the_loop_to_the_handler(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.set_default_executor, ThreadPoolExecutor(1))
        for _ in range(3):
            one = Delivery()
            self.assertEqual(self.ask(self.app, {}, one.headers, one.body)[0], 200)
        self.assertEqual(len(self.work.worked), 3)


CALLBACK = json.dumps(
    {
        "event": "payment.failed",
        "id": "msg_forged",
        "kind": "gateway",
        "data": {"reference": "PY-1", "amount": 1.5, "currency": "KES"},
        "error": {"code": "expired", "message": "m", "retryable": True},
    }
)


class Reading(unittest.TestCase):
    def test_a_callback_whose_fields_can_not_pretend_to_be_ours(self) -> None:
        one = Delivery(body=CALLBACK)
        read = Receiver(SECRET).read(one.headers, one.body)
        assert read.kind == "callback" and read.error is not None
        self.assertEqual((read.id, read.event, read.error["code"]), (one.id, "payment.failed", "expired"))
        self.assertEqual(read.data["amount"], Decimal("1.5"))

    def test_headers_as_frameworks_have_them(self) -> None:
        one = Delivery()
        message = Message()
        for name, value in one.headers.items():
            message[name] = value
        kinds: list[Any] = [
            {name.upper(): value for name, value in one.headers.items()},
            {name: [value] for name, value in one.headers.items()},
            list(one.headers.items()),
            [(name.encode(), value.encode()) for name, value in one.headers.items()],
            message,
        ]
        for headers in kinds:
            for body in (one.body, one.body.decode(), bytearray(one.body), memoryview(one.body)):
                self.assertEqual(Receiver(SECRET).read(headers, body).id, one.id)

    def test_a_header_that_came_twice_counts_as_none(self) -> None:
        one = Delivery()
        name = "webhook-signature"
        twice: list[Any] = [
            {**one.headers, name: [one.headers[name], one.headers[name]]},
            [*one.headers.items(), (name.upper(), one.headers[name])],
        ]
        for headers in twice:
            with self.assertRaises(NotificationError) as caught:
                Receiver(SECRET).read(headers, one.body)
            self.assertEqual((caught.exception.reason, caught.exception.webhook_id), ("signature_missing", one.id))

    def test_with_the_body_signature_alone_equal_bodies_are_the_same_one(self) -> None:
        work, receiver = Work(), Receiver(SECRET, signature="body")
        outcomes = [
            receiver.receive(one.headers, one.body, work.handle)
            for one in (Delivery(body=CALLBACK, id="msg_a"), Delivery(body=CALLBACK, id="msg_b", age=99_999))
        ]
        self.assertEqual([outcome.body["message"] for outcome in outcomes], ["Received", "Received before"])

    def test_what_a_parser_made_of_the_body_is_refused_with_the_reason(self) -> None:
        one = Delivery()
        parsed: Any = json.loads(one.body)
        self.assertRaisesRegex(TypeError, "bytes as they came", Receiver(SECRET).read, one.headers, parsed)

    def test_a_secret_that_is_none_is_told_at_once(self) -> None:
        wrong: Any
        for wrong in ("", "whsec_", "whsec_c2hvcnQ=", "svc_test_key", [], [SECRET, ""], [None]):
            with self.subTest(str(wrong)):
                self.assertRaisesRegex(ValueError, "client_secret", Receiver, wrong)

    def test_who_is_stopped_while_working_has_not_worked(self) -> None:
        receiver, one, work = Receiver(SECRET), Delivery(), Work()

        def stop(_: Notification) -> None:
            raise KeyboardInterrupt

        self.assertRaises(KeyboardInterrupt, receiver.receive, one.headers, one.body, stop)
        self.assertEqual(receiver.receive(one.headers, one.body, work.handle).body, {"message": "Received"})


class Seeing(unittest.TestCase):
    def test_the_memory_of_what_was_seen_is_bounded_by_number_and_by_time(self) -> None:
        few = SeenInMemory(most=2)
        for id in "abc":
            self.assertEqual(few.begin(id), "first")
            few.done(id)
        self.assertEqual([few.begin(id) for id in "cba"], ["done", "done", "first"])
        short = SeenInMemory(keep_seconds=0)
        short.begin("a")
        short.done("a")
        self.assertEqual(short.begin("a"), "first")

    def test_what_is_being_worked_on_stays(self) -> None:
        few = SeenInMemory(most=1)
        self.assertEqual([few.begin("a"), few.begin("b"), few.begin("a")], ["first", "first", "busy"])

    def test_of_many_threads_one_is_first(self) -> None:
        seen = SeenInMemory()
        states: list[str] = []
        barrier = threading.Barrier(16)

        def begin() -> None:
            barrier.wait()
            states.append(seen.begin("a"))

        threads = [threading.Thread(target=begin) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(states), ["busy"] * 15 + ["first"])


if __name__ == "__main__":
    unittest.main()
