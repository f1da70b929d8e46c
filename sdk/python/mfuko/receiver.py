"""Receives notifications: the signature first, over the bytes as they came; then the time, then whether it came before.

Nothing of an unsigned body is looked at.
"""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Callable, Literal, TypedDict, Union

from .amounts import Money
from .content import NotJson, read_json
from .seen import Seen, SeenInMemory
from .signatures import digest_of, is_body_signature, is_secret, is_webhook_signature

#: More than any notification has.
BODY_MOST = 256 * 1024

Reason = Literal["signature_missing", "signature_wrong", "timestamp_invalid", "too_old", "too_new", "unreadable"]

_SENTENCES: dict[Reason, str] = {
    "signature_missing": "The notification is not signed: its signature headers are missing",
    "signature_wrong": "The signature does not fit. Check that it is the Client Secret of this mode, and that the body is "
    "the bytes as they came",
    "timestamp_invalid": "The time of the notification is not a number of seconds",
    "too_old": "The notification is too old: it may have been recorded and played again. Check the clock of this computer",
    "too_new": "The notification is from the future. Check the clock of this computer",
    "unreadable": "The notification is signed, but not what this version understands",
}


class NotificationError(Exception):
    """Not to be believed. Answer 403, log the id."""

    def __init__(self, reason: Reason, webhook_id: str | None) -> None:
        super().__init__(reason, webhook_id)
        self.reason = reason
        #: As it was sent: nobody has vouched for it.
        self.webhook_id = webhook_id

    def __str__(self) -> str:
        return _SENTENCES[self.reason]


class PaymentFailure(TypedDict):
    code: str
    message: str
    retryable: bool


class GatewayData(TypedDict):
    ref_trx: str
    description: str | None
    ipn_url: str | None
    cancel_redirect: str | None
    success_redirect: str | None
    merchant_name: str
    amount: Money
    currency_code: str


class _CallbackAlways(TypedDict):
    reference: str
    amount: Money
    currency: str
    merchant_id: str
    timestamp: int


class CallbackData(_CallbackAlways, total=False):
    #: Of ``payment.refunded``: what went back this time.
    refund_amount: Money
    error: PaymentFailure


@dataclass(frozen=True)
class GatewayNotification:
    """To the ``ipn_url`` of a payment that was asked for with ``initiate_payment``."""

    #: The same over all attempts and replays.
    id: str
    #: 1 for the first.
    attempt: int
    #: The place among the events of the payment: a lower one than you had before is old news.
    sequence: int
    #: ``payment.completed`` or ``payment.failed``
    event: str
    #: ``completed`` or ``failed``
    status: str
    message: str
    timestamp: int
    data: GatewayData
    kind: Literal["gateway"] = "gateway"


@dataclass(frozen=True)
class CallbackNotification:
    """To the ``callback_url`` of a payment that was asked for with ``pay``."""

    id: str
    attempt: int
    sequence: int
    #: ``payment.pending``, ``payment.completed``, ``payment.failed`` or ``payment.refunded``
    event: str
    data: CallbackData
    error: PaymentFailure | None = None
    kind: Literal["callback"] = "callback"


Notification = Union[GatewayNotification, CallbackNotification]
Handler = Callable[[Notification], Any]
Text = Union[str, bytes]
#: A mapping, as all frameworks have one, or pairs; names in any case.
Headers = Union[Mapping[str, Union[str, Sequence[str]]], Iterable[tuple[Text, Text]]]
Body = Union[bytes, bytearray, memoryview, str]


@dataclass(frozen=True)
class Outcome:
    """What to answer."""

    status: int
    body: dict[str, str]
    #: Why it was refused, or what the handler raised.
    error: Exception | None = None


class Receiver:
    """Safe to use from several threads."""

    def __init__(
        self,
        client_secret: str | Sequence[str],
        *,
        seen: Seen | None = None,
        tolerance_seconds: int = 300,
        signature: Literal["standard", "body"] = "standard",
        header_prefix: str = "SVC",
        now: Callable[[], float] = time.time,
    ) -> None:
        """``client_secret``: of the mode of your key, ``whsec_…``; several while one is being replaced. ``seen``: in the
        memory of this process, unless told. ``tolerance_seconds``: how far the time of an attempt may be off, either
        way. ``signature``: ``standard`` is the ``webhook-…`` headers, which cover id and time too; ``body`` is
        ``SVC-Signature`` alone, for when a proxy drops the others: then nothing tells how old a request is, and equal
        bodies count as the same. ``now``: Unix seconds, for tests."""
        secrets = [client_secret] if isinstance(client_secret, str) else list(client_secret)
        if not secrets or not all(is_secret(secret) for secret in secrets):
            raise ValueError("client_secret is missing or not one: it begins with whsec_")
        if signature not in ("standard", "body"):
            raise ValueError("signature is 'standard' or 'body'")
        self._secrets = secrets
        self._seen: Seen = SeenInMemory() if seen is None else seen
        self._tolerance_seconds = tolerance_seconds
        self._signature = signature
        self._header_prefix = header_prefix
        self._now = now

    def read(self, headers: Headers, body: Body) -> Notification:
        """Verifies and reads it. Raises ``NotificationError``. Does not ask whether it came before."""
        content = _bytes_of(body)
        found = _Found(headers, self._header_prefix)
        reason = self._fault(found, content)
        if reason is not None:
            raise NotificationError(reason, found.webhook_id)
        return _parsed(content, found)

    def receive(self, headers: Headers, body: Body, handler: Handler) -> Outcome:
        """All of it: verifies, asks whether it came before, lets it be worked on once, and says what to answer."""
        content = _bytes_of(body)
        try:
            notification = self.read(headers, content)
        except NotificationError as error:
            return Outcome(403, {"message": "The signature of the notification is not good"}, error)
        # The id is under the signature only together with the time.
        id = digest_of(content) if self._signature == "body" else notification.id
        return self._work_once(id, notification, handler)

    def _work_once(self, id: str, notification: Notification, handler: Handler) -> Outcome:
        state = self._seen.begin(id)
        if state == "done":
            return Outcome(200, {"message": "Received before"})
        # It comes again, and by then it is known what became of it.
        if state == "busy":
            return Outcome(409, {"message": "Being worked on"})
        try:
            result = handler(notification)
            if inspect.iscoroutine(result):
                result.close()
                raise TypeError("The handler is a coroutine, which nobody awaits here: use it with mfuko.asgi")
        except BaseException as error:
            self._seen.forget(id)
            if not isinstance(error, Exception):
                raise
            return Outcome(500, {"message": "Not worked on; send it again"}, error)
        self._seen.done(id)
        return Outcome(200, {"message": "Received"})

    def _fault(self, found: _Found, body: bytes) -> Reason | None:
        if self._signature == "body":
            signatures = found.own("Signature-All")
            signatures = found.own("Signature") if signatures is None else signatures
            if signatures is None:
                return "signature_missing"
            good = any(is_body_signature(secret, signatures=signatures, body=body) for secret in self._secrets)
            return None if good else "signature_wrong"
        id, timestamp, signature = (found.one(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
        if id is None or timestamp is None or signature is None:
            return "signature_missing"
        if re.fullmatch("[0-9]{1,11}", timestamp) is None:
            return "timestamp_invalid"
        about = {"id": id, "timestamp": timestamp, "signature": signature}
        if not any(is_webhook_signature(secret, **about, body=body) for secret in self._secrets):
            return "signature_wrong"
        age = int(self._now()) - int(timestamp)
        if abs(age) <= self._tolerance_seconds:
            return None
        return "too_old" if age > 0 else "too_new"


class _Found:
    """The headers of a request, whatever they came as."""

    def __init__(self, headers: Headers, prefix: str) -> None:
        self._prefix = prefix
        self._values: dict[str, str | None] = {}
        # Not every collection of headers is a Mapping, but all that are none of pairs have this.
        items = getattr(headers, "items", None)
        pairs: Any = headers if items is None else items()
        for name, value in pairs:
            key = _text_of(name).lower()
            # A header that came twice is nobody's.
            self._values[key] = _single(value) if key not in self._values else None

    def one(self, name: str) -> str | None:
        return self._values.get(name.lower())

    def own(self, name: str) -> str | None:
        """Of the service's own headers."""
        return self.one(f"{self._prefix}-{name}")

    @property
    def webhook_id(self) -> str | None:
        standard = self.one("webhook-id")
        return self.own("Webhook-ID") if standard is None else standard


def _single(value: Any) -> str | None:
    if isinstance(value, (str, bytes)):
        return _text_of(value)
    return _text_of(value[0]) if isinstance(value, Sequence) and len(value) == 1 else None


def _text_of(value: Text) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _bytes_of(body: Body) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise TypeError("The body was parsed already. The signature is over the bytes as they came: pass those.")


def _parsed(body: bytes, found: _Found) -> Notification:
    id = found.webhook_id or ""
    attempt, sequence = _count_of(found.own("Webhook-Attempt"), 1), _count_of(found.own("Event-Sequence"), 0)
    try:
        content = read_json(body)
    except NotJson as error:
        raise NotificationError("unreadable", id) from error
    data = content.get("data") if isinstance(content, dict) else None
    if isinstance(data, dict):
        event, status, about = content.get("event"), content.get("status"), (id, attempt, sequence)
        if isinstance(event, str):
            callback: Any = data
            return CallbackNotification(*about, event=event, data=callback, error=content.get("error"))
        if status in ("completed", "failed"):
            gateway: Any = data
            message, timestamp = content.get("message", ""), content.get("timestamp", 0)
            return GatewayNotification(*about, f"payment.{status}", status, message, timestamp, gateway)
    raise NotificationError("unreadable", id)


def _count_of(text: str | None, default: int) -> int:
    return int(text) if text is not None and re.fullmatch("[0-9]{1,9}", text) else default
