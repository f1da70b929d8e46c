"""A session promises: the token is shown with every request, exchanged in time or when it is refused, once for all threads
that wait, and a lost answer does not end it."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler
from typing import Any, Callable
from unittest import mock

from mfuko import MfukoError, PlatformClient

from .scripted import Scripted, as_json, hang_up, refusal


SENDING: Any = {"recipient": "juma", "amount": 5000, "currency": "UGX", "pin": "2580"}


class Tokens:
    """A service that gives out tokens; those in ``good`` are let in."""

    def __init__(self, scripted: Scripted, lives: int = 86_400) -> None:
        self.scripted = scripted
        self.lives = lives
        self.good: set[str | None] = set()
        self.given = 0
        self.exchanges = 0
        self.lost = 0
        self.ended = False
        self.gate: threading.Barrier | None = None
        self.lock = threading.Lock()
        scripted.script = [self.act]

    def act(self, request: BaseHTTPRequestHandler) -> None:
        if request.path == "/api/auth/login":
            self.sign_in(request)
        elif request.path == "/api/auth/refresh":
            self.exchange(request)
        elif (request.headers.get("authorization") or "").replace("Bearer ", "") in self.good:
            as_json(200, {"data": {"handle": "amina"}})(request)
        else:
            if self.gate is not None:
                self.gate.wait(5)
            refusal(401, "unauthenticated")(request)

    def sign_in(self, request: BaseHTTPRequestHandler) -> None:
        with self.lock:
            self.given += 1
            self.good = {f"token-{self.given}"}
            data = {"token": f"token-{self.given}", "expires_in": self.lives, "user": {"handle": "amina"}}
        as_json(200, {"data": data})(request)

    def exchange(self, request: BaseHTTPRequestHandler) -> None:
        with self.lock:
            self.exchanges += 1
            lose = self.lost > 0
            self.lost -= 1
        if lose:
            hang_up(request)
        elif self.ended:
            refusal(401, "unauthenticated")(request)
        else:
            self.sign_in(request)


class Sessions(unittest.TestCase):
    def setUp(self) -> None:
        self.scripted = Scripted()
        self.addCleanup(self.scripted.close)
        self.tokens = Tokens(self.scripted)
        self.kept: list[str | None] = []
        self.told: list[str] = []
        patch = mock.patch("mfuko.transport.pause")
        patch.start()
        self.addCleanup(patch.stop)

    def client(self, token: str | None = None) -> PlatformClient:
        return PlatformClient(
            self.scripted.url,
            token=token,
            on_token=self.kept.append,
            on_signed_out=lambda: self.told.append("out"),
            timeout=5,
        )

    def test_logs_in_and_out(self) -> None:
        client = self.client()
        self.assertFalse(client.is_signed_in())
        self.assertEqual(client.login({"handle": "amina", "password": "x"})["handle"], "amina")
        self.assertEqual((client.token, client.is_signed_in()), ("token-1", True))
        client.account.me()
        self.assertEqual(self.scripted.got[-1].headers["authorization"], "Bearer token-1")
        client.logout()
        self.assertEqual((self.kept, client.token, self.told), (["token-1", None], None, []))
        with self.assertRaises(MfukoError):
            client.account.me()
        self.assertNotIn("authorization", self.scripted.got[-1].headers)

    def test_the_login_itself_shows_no_token(self) -> None:
        client = self.client(token="of-before")
        client.login({"email": "amina@example.com", "password": "x"})
        self.assertNotIn("authorization", self.scripted.got[0].headers)

    def test_a_token_is_exchanged_in_time(self) -> None:
        self.tokens.lives = 59
        client = self.client()
        client.login({"handle": "amina", "password": "x"})
        self.tokens.lives = 86_400
        client.account.me()
        client.account.me()
        paths = [got.url for got in self.scripted.got]
        self.assertEqual(paths, ["/api/auth/login", "/api/auth/refresh", "/api/me", "/api/me"])
        self.assertEqual(json.loads(self.scripted.got[1].body), {"token": "token-1"})

    def test_a_refused_token_is_exchanged_once_for_all_who_wait(self) -> None:
        count = 8
        client = self.client(token="of-before")
        # All are refused before the first can exchange it.
        self.tokens.gate = threading.Barrier(count)
        answers: list[Any] = []
        threads = [threading.Thread(target=lambda: answers.append(client.account.me())) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [{"handle": "amina"}] * count)
        self.assertEqual((self.tokens.exchanges, self.kept), (1, ["token-1"]))

    def test_who_comes_late_with_an_old_token_does_not_exchange_the_new_one(self) -> None:
        client = self.client(token="of-before")
        client.account.me()
        self.assertTrue(client._session.refresh("of-before"))
        self.assertEqual((self.tokens.exchanges, client.token), (1, "token-1"))

    def test_lost_refused_exchanged_one_key(self) -> None:
        exchanged = as_json(200, {"data": {"token": "b", "expires_in": 86_400, "user": {}}})
        self.scripted.script = [hang_up, refusal(401, "unauthenticated"), exchanged, as_json(200, {"data": {}})]
        self.client(token="a").transfers.send(SENDING)
        first, *others = self.scripted.keys()
        self.assertIsNotNone(first)
        self.assertEqual(others, [first, None, first])

    def test_who_can_not_exchange_it_says_with_which_key_to_go_on(self) -> None:
        self.scripted.script = [hang_up, refusal(401, "unauthenticated"), hang_up]
        with self.assertRaises(MfukoError) as caught:
            self.client(token="a").transfers.send(SENDING)
        self.assertEqual(caught.exception.code, "connection_failed")
        self.assertIsNotNone(caught.exception.idempotency_key)
        self.assertEqual(caught.exception.idempotency_key, self.scripted.keys()[0])

    def test_a_login_during_an_exchange_stays(self) -> None:
        for ended in (False, True):
            with self.subTest(ended=ended):
                asked, answered = threading.Event(), threading.Event()
                self.tokens.ended = ended
                self.kept.clear()

                def exchange(request: BaseHTTPRequestHandler, asked: Any = asked, answered: Any = answered) -> None:
                    asked.set()
                    answered.wait(5)
                    self.tokens.exchange(request)

                login = as_json(200, {"data": {"token": "of-login", "expires_in": 86_400, "user": {}}})
                self.scripted.script = [refusal(401, "unauthenticated"), exchange, login, as_json(200, {"data": {}})]
                client = self.client(token="of-before")
                codes: list[str] = []
                thread = threading.Thread(target=lambda c=client, o=codes: o.append(self.code_of(c.account.me)))
                thread.start()
                self.assertTrue(asked.wait(5))
                client.login({"handle": "amina", "password": "x"})
                answered.set()
                thread.join()
                self.assertEqual((client.token, self.kept, self.told), ("of-login", ["of-login"], []))
                # Who asked before does not go on as who has logged in.
                self.assertEqual((codes, self.scripted.got[-1].url), (["unauthenticated"], "/api/auth/login"))

    def code_of(self, call: Callable[[], Any]) -> str:
        with self.assertRaises(MfukoError) as caught:
            call()
        return caught.exception.code

    def after_login(self, act: Callable[[BaseHTTPRequestHandler], None]) -> Callable[[BaseHTTPRequestHandler], None]:
        """Somebody else has logged in, before the answer comes."""

        def late(request: BaseHTTPRequestHandler) -> None:
            self.person.login({"handle": "juma", "password": "x"})
            act(request)

        return late

    def test_who_comes_next_does_not_send_the_money_of_who_was_here_before(self) -> None:
        login = as_json(200, {"data": {"token": "juma", "expires_in": 86_400, "user": {}}})
        self.person = self.client(token="amina")
        self.scripted.script = [self.after_login(refusal(503, "unavailable")), login, as_json(200, {"data": {}})]
        with self.assertRaises(MfukoError) as caught:
            self.person.transfers.send(SENDING)
        self.assertEqual((caught.exception.code, caught.exception.status), ("unavailable", 503))
        self.assertEqual(caught.exception.idempotency_key, self.scripted.keys()[0])
        shown = [(got.url, got.headers.get("authorization")) for got in self.scripted.got]
        self.assertEqual(shown, [("/api/send", "Bearer amina"), ("/api/auth/login", None)])

    def test_not_either_when_the_old_token_has_to_be_exchanged_first(self) -> None:
        soon = as_json(200, {"data": {"token": "amina", "expires_in": 59, "user": {}}})
        exchanged = as_json(200, {"data": {"token": "amina 2", "expires_in": 86_400, "user": {}}})
        login = as_json(200, {"data": {"token": "juma", "expires_in": 86_400, "user": {}}})
        self.person = self.client()
        self.scripted.script = [soon, self.after_login(exchanged), login, as_json(200, {"data": {}})]
        self.person.login({"handle": "amina", "password": "x"})
        with self.assertRaises(MfukoError) as caught:
            self.person.transfers.send(SENDING)
        self.assertEqual((caught.exception.code, caught.exception.status), ("unauthenticated", 401))
        self.assertEqual(self.scripted.got[-1].url, "/api/auth/login")

    def test_who_comes_next_is_not_logged_out_by_who_leaves(self) -> None:
        login = as_json(200, {"data": {"token": "juma", "expires_in": 86_400, "user": {}}})
        self.person = self.client(token="amina")
        self.scripted.script = [self.after_login(as_json(200, {"success": True, "data": None})), login]
        self.person.logout()
        self.assertEqual((self.person.token, self.kept), ("juma", ["juma"]))

    def test_an_exchange_that_a_proxy_lost_is_tried_again(self) -> None:
        exchanged = as_json(200, {"data": {"token": "b", "expires_in": 86_400, "user": {}}})
        self.scripted.script = [as_json(502, "Bad gateway"), exchanged]
        client = self.client(token="a")
        self.assertTrue(client.resume())
        self.assertEqual((client.token, len(self.scripted.got)), ("b", 2))

    def test_a_lost_answer_does_not_end_it(self) -> None:
        self.tokens.lost = 1
        client = self.client(token="of-before")
        self.assertEqual(client.account.me(), {"handle": "amina"})
        self.assertEqual(self.tokens.exchanges, 2)

    def test_a_service_that_is_away_does_not_end_it_either(self) -> None:
        self.tokens.lost = 2
        client = self.client(token="of-before")
        with self.assertRaises(MfukoError) as caught:
            client.account.me()
        self.assertEqual((caught.exception.code, client.token, self.told), ("connection_failed", "of-before", []))
        self.assertEqual(client.account.me(), {"handle": "amina"})

    def test_a_session_that_was_ended_elsewhere_is_told_once(self) -> None:
        self.tokens.ended = True
        client = self.client(token="of-before")
        for _ in range(2):
            with self.assertRaises(MfukoError) as caught:
                client.account.me()
            self.assertEqual(caught.exception.code, "unauthenticated")
        self.assertEqual((self.told, self.kept, client.is_signed_in()), (["out"], [None], False))

    def test_goes_on_with_a_token_of_before(self) -> None:
        client = self.client(token="of-before")
        self.assertTrue(client.resume())
        self.assertEqual(client.token, "token-1")
        self.assertFalse(self.client().resume())
        self.tokens.ended = True
        self.assertFalse(self.client(token="of-before").resume())


if __name__ == "__main__":
    unittest.main()
