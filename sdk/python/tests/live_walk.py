"""The library against the service itself: a shop takes payments and hears of them, a person sends money, and a request
whose answer got lost happens once. Run by python.test.ts, which does what only the service's side can: it pays as the
customer, moves the clock, sends what is waiting."""

from __future__ import annotations

import os
import ssl
import sys
import threading
import time
import unittest
from decimal import Decimal
from typing import Any
from unittest import mock

from mfuko import MerchantClient, MfukoError, Notification, PlatformClient, Receiver, connection, each
from mfuko.wsgi import MfukoWSGI

from .test_receiver import serve_wsgi

URL = os.environ["MFUKO_URL"]
KEY = os.environ["MFUKO_API_KEY"]
MERCHANT = os.environ["MFUKO_MERCHANT_ID"]
SECRET = os.environ["MFUKO_CLIENT_SECRET"]
HANDLE, PASSWORD, PIN = os.environ["MFUKO_HANDLE"], os.environ["MFUKO_PASSWORD"], os.environ["MFUKO_PIN"]
OTHER = os.environ["MFUKO_OTHER_HANDLE"]
_ASKING = threading.Lock()


def ask(what: str) -> str:
    """One line there, one line back."""
    with _ASKING:
        sys.stdout.write(f"{what}\n")
        sys.stdout.flush()
        said = sys.stdin.readline().strip()
    if said.startswith("failed"):
        raise AssertionError(f"{what}: {said}")
    return said


class Losing:
    """Does the request, and loses the answer as often as it is told to."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, *args: Any, **more: Any) -> Any:
        received = connection.exchange(*args, **more)
        if self.left > 0:
            self.left -= 1
            raise ConnectionResetError("the connection broke")
        return received


class Shop(unittest.TestCase):
    def setUp(self) -> None:
        self.shop = MerchantClient(URL, KEY, merchant_id=MERCHANT)
        self.got: list[Notification] = []
        self.errors: list[Exception] = []

    def serve(self) -> str:
        """Our own address for notifications."""
        receiver = Receiver(SECRET, now=lambda: float(ask("now")))
        app = MfukoWSGI(receiver, self.got.append, path="/ipn", on_error=self.errors.append)
        return f"http://127.0.0.1:{serve_wsgi(self, app)}/ipn"

    def hear(self, count: int) -> list[Notification]:
        end = time.monotonic() + 10
        while len(self.got) < count and not self.errors and time.monotonic() < end:
            ask("deliver")
            time.sleep(0.02)
        self.assertEqual((len(self.got), self.errors), (count, []))
        return self.got

    def failure(self, call: Any, *args: Any, **more: Any) -> MfukoError:
        with self.assertRaises(MfukoError) as caught:
            call(*args, **more)
        return caught.exception

    def test_takes_a_payment_by_the_gateway_and_hears_of_it(self) -> None:
        payment = self.shop.initiate_payment(
            {
                "payment_amount": "56000",
                "currency_code": "UGX",
                "ref_trx": "PYTHON-1",
                "description": "Kahawa ☕",
                "ipn_url": self.serve(),
            }
        )
        self.assertEqual(payment["info"]["amount"], 56000)
        self.assertEqual(self.shop.verify_payment("PYTHON-1")["status"], "pending")
        ask(f"pay {payment['payment_url']}")
        verified = self.shop.verify_payment("PYTHON-1")
        self.assertEqual((verified["status"], verified["amount"], verified["mode"]), ("completed", 56000, "test"))
        [told] = self.hear(1)
        assert told.kind == "gateway"
        self.assertEqual((told.event, told.status, told.attempt), ("payment.completed", "completed", 1))
        data = told.data
        self.assertEqual((data["ref_trx"], data["amount"], data["description"]), ("PYTHON-1", 56000, "Kahawa ☕"))

    def test_asks_by_pay_refunds_and_hears_of_all_of_it(self) -> None:
        payment = self.shop.pay({"amount": Decimal("1250.50"), "currency": "KES", "callback_url": self.serve()})
        reference = payment["reference"]
        self.assertEqual(payment["amount"], Decimal("1250.5"))
        ask(f"pay {payment['payment_url']}")
        self.assertEqual(self.shop.payment(reference)["status"], "completed")
        part = self.shop.payments.refund(reference, {"amount": "250.50", "reason": "One bag was torn"})
        self.assertEqual((part["status"], part["refunded_amount"]), ("completed", Decimal("250.5")))
        # The fee is not given back: it comes out of what else the shop has.
        ask(f"pay {self.shop.pay({'amount': 100, 'currency': 'KES'})['payment_url']}")
        whole = self.shop.payments.refund(reference)
        self.assertEqual((whole["status"], whole["refunded_amount"]), ("refunded", Decimal("1250.5")))
        self.assertEqual(len(self.shop.payments.get(reference)["refunds"]), 2)
        self.assertGreaterEqual(self.shop.volume({"currency": "KES"})["totals"]["refunded"]["count"], 2)
        self.assertIn("KES", [one["currency"] for one in self.shop.balances()])
        # The two refunds come last.
        told = self.hear(4)
        events = [one.event for one in sorted(told, key=lambda one: one.sequence)]
        self.assertEqual(events, ["payment.pending", "payment.completed", "payment.refunded", "payment.refunded"])
        refunds = [one.data["refund_amount"] for one in told if one.kind == "callback" and "refund_amount" in one.data]
        self.assertEqual(sorted(refunds), [Decimal("250.5"), 1000])

    def test_a_payment_and_a_refund_whose_answers_got_lost_happen_once(self) -> None:
        with mock.patch("mfuko.transport.pause"), mock.patch("mfuko.transport.exchange", Losing(2)):
            payment = self.shop.pay({"amount": 7777, "currency": "UGX"})
        found = [one for one in each(self.shop.payments.list, {"limit": 5}) if one["amount"] == 7777]
        self.assertEqual([one["reference"] for one in found], [payment["reference"]])
        ask(f"pay {payment['payment_url']}")
        with mock.patch("mfuko.transport.pause"), mock.patch("mfuko.transport.exchange", Losing(1)):
            refunded = self.shop.payments.refund(payment["reference"], {"amount": 700})
        self.assertEqual(refunded["refunded_amount"], 700)

    def test_lists_page_by_page(self) -> None:
        made = [self.shop.pay({"amount": 300 + at, "currency": "UGX"})["reference"] for at in range(3)]
        listed = [one["reference"] for one in each(self.shop.payments.list, {"limit": 2})]
        self.assertEqual([reference for reference in listed if reference in made], made[::-1])
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(len(self.shop.payments.list({"limit": 2}).items), 2)

    def test_looks_at_what_was_told(self) -> None:
        self.assertEqual(self.shop.profile()["merchant_id"], int(MERCHANT))
        payment = self.shop.pay({"amount": 500, "currency": "UGX", "callback_url": self.serve()})
        [told] = self.hear(1)
        self.assertEqual((told.event, told.data["amount"]), ("payment.pending", 500))
        listed = self.shop.notifications.list({"limit": 1}).items
        self.assertEqual([one["id"] for one in listed], [told.id])
        self.assertEqual(self.shop.notifications.get(told.id)["id"], told.id)
        self.assertIn("data", self.shop.events({"limit": 1}))
        self.assertEqual(self.shop.request("GET", f"/api/pay/{payment['reference']}")["data"]["status"], "pending")

    def test_mistakes_are_told_by_field_and_keys_guard(self) -> None:
        wrong: Any = {"amount": 0, "currency": "XXX"}
        error = self.failure(self.shop.pay, wrong)
        self.assertEqual(
            (error.code, error.status, set(error.errors)), ("validation_failed", 422, {"amount", "currency"})
        )
        self.assertTrue(str(error.request_id).startswith("req_"))
        self.assertEqual(self.failure(self.shop.payment, "PY-00000-00000-000").code, "not_found")
        stranger = MerchantClient(URL, KEY[:-4] + "0000")
        self.assertEqual(self.failure(stranger.profile).code, "unauthenticated")
        self.shop.pay({"amount": 100, "currency": "UGX"}, idempotency_key="python-same")
        error = self.failure(self.shop.pay, {"amount": 200, "currency": "UGX"}, idempotency_key="python-same")
        self.assertEqual((error.code, error.idempotency_key), ("idempotency_conflict", "python-same"))

    def test_the_certificate_of_the_service_is_looked_at(self) -> None:
        tls, authority = os.environ["MFUKO_TLS_URL"], os.environ["MFUKO_TLS_AUTHORITY"]
        strange = MerchantClient(tls, KEY, retries=0)
        error = self.failure(strange.profile)
        self.assertEqual(error.code, "connection_failed")
        self.assertIsInstance(error.__cause__, ssl.SSLCertVerificationError)
        context = ssl.create_default_context(cafile=authority)
        known = MerchantClient(tls, KEY, ssl_context=context)
        self.assertEqual(known.request("GET", "/api/over-tls"), {"path": "/api/over-tls"})
        elsewhere = MerchantClient(tls.replace("localhost", "127.0.0.1"), KEY, ssl_context=context, retries=0)
        self.assertEqual(self.failure(elsewhere.profile).code, "connection_failed")


class Person(unittest.TestCase):
    def signed_in(self, handle: str = HANDLE, **more: Any) -> PlatformClient:
        client = PlatformClient(URL, **more)
        self.assertEqual(client.login({"handle": handle, "password": PASSWORD})["handle"], handle)
        return client

    def test_logs_in_looks_and_sends(self) -> None:
        tokens: list[Any] = []
        client = self.signed_in(on_token=tokens.append)
        before = {wallet["currency"]: wallet["balance"] for wallet in client.wallets.list()}
        preview = client.transfers.preview({"recipient": OTHER, "amount": 10000, "currency": "UGX"})
        self.assertEqual((preview["fee"], preview["recipient_gets"]), (100, 9900))
        order: Any = {"recipient": OTHER, "amount": Decimal("1E+4"), "currency": "UGX", "pin": PIN}
        sent = client.transfers.send(order, idempotency_key="python-form")
        self.assertEqual(client.transfers.send(order, idempotency_key="python-form"), sent)
        after = {wallet["currency"]: wallet["balance"] for wallet in client.wallets.list()}
        self.assertEqual(before["UGX"] - after["UGX"], 10000)
        [transaction] = client.transactions.list({"type": "transfer"}).items
        self.assertEqual(transaction["reference"], sent["reference"])
        self.assertEqual(client.transactions.get(sent["reference"])["reference"], sent["reference"])
        self.assertIn(sent["reference"], client.transactions.csv())
        self.assertEqual(client.transfers.look_up(OTHER)["handle"], OTHER)
        self.assertEqual([one["handle"] for one in client.transfers.recipients()], [OTHER])
        with self.assertRaises(MfukoError) as caught:
            client.transfers.send({"recipient": OTHER, "amount": 10000, "currency": "UGX", "pin": "0000"})
        error = caught.exception
        self.assertEqual((error.code, error.status, error.attempts_left), ("pin_incorrect", 403, 4))
        client.logout()
        self.assertEqual((client.is_signed_in(), len(tokens), tokens[-1]), (False, 2, None))

    def test_asks_saves_and_gives(self) -> None:
        client = self.signed_in()
        asked = client.requests.create({"from": OTHER, "amount": 1000, "currency": "UGX"})
        self.assertEqual(client.requests.cancel(asked["id"])["status"], "cancelled")
        self.assertIsInstance(client.funding.methods({"purpose": "deposit", "currency": "UGX"}), list)
        roof: Any = {
            "name": "A roof",
            "currency": "UGX",
            "kind": "goal",
            "goal_amount": 900000,
            "visibility": "private",
        }
        group = client.groups.create(roof, idempotency_key="roof")
        self.assertEqual(client.groups.create(roof, idempotency_key="roof"), group)
        client.groups.contribute(group["id"], {"amount": 2000, "pin": PIN})
        self.assertEqual(client.groups.get(group["id"])["balance"], 2000)
        self.assertIn(group["id"], [one["id"] for one in each(client.groups.list)])
        campaign = client.campaigns.create(
            {
                "title": "A roof for the school",
                "story": "The old one leaks, and the rains come in April. Every shilling goes into iron sheets and nails.",
                "currency": "UGX",
                "goal_amount": 500000,
            }
        )
        self.assertEqual(client.campaigns.get(campaign["id"])["raised_amount"], 0)
        with self.assertRaises(MfukoError) as caught:
            client.campaigns.preview_withdrawal(campaign["id"])
        self.assertEqual(caught.exception.code, "invalid_state")

    def test_a_token_that_has_expired_is_exchanged_once_for_all_threads(self) -> None:
        tokens: list[Any] = []
        first = self.signed_in()
        client = PlatformClient(URL, token=first.token, on_token=tokens.append)
        ask("advance 90000")
        found: list[Any] = []
        threads = [threading.Thread(target=lambda: found.append(client.account.me()["handle"])) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((found, len(tokens)), ([HANDLE] * 4, 1))

    def test_a_session_that_was_ended_elsewhere_is_told_once(self) -> None:
        told: list[str] = []
        client = self.signed_in(OTHER, on_signed_out=lambda: told.append("out"))
        other = self.signed_in(OTHER)
        for session in other.account.sessions().items:
            if not session["current"]:
                other.account.end_session(session["id"])
        with self.assertRaises(MfukoError) as caught:
            client.account.me()
        self.assertEqual((caught.exception.code, told), ("unauthenticated", ["out"]))


if __name__ == "__main__":
    unittest.main()
