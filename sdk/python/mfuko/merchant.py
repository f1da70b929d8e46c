"""For the servers of a shop: payments, refunds and what was told of them, with the API key.

Whoever has the key can take payments and give refunds in the name of the shop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .connection import read_base
from .request import Page, Requests
from .transport import CallOptions, ClientOptions, Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import shapes


class MerchantClient:
    """Safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        merchant_id: int | str | None = None,
        header_prefix: str = "SVC",
        **options: Unpack[ClientOptions],
    ) -> None:
        """``api_key``: ``svc_test_…`` or ``svc_live_…``, which decides between sandbox and live. ``merchant_id``: for
        ``initiate_payment`` and ``verify_payment``. ``header_prefix``: what header names that carry the brand begin
        with."""
        _require_safe(base_url, api_key)
        self._api_key = api_key
        self._merchant_id = merchant_id
        self._header_prefix = header_prefix
        self._requests = Requests(Transport(base_url, self._credentials, **options).send)
        self.payments = MerchantPayments(self._requests)
        self.notifications = MerchantNotifications(self._requests)

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        **call: Unpack[CallOptions],
    ) -> Any:
        """Any route that a key opens: ``request("GET", "/api/merchant/endpoints")``. The whole answer."""
        return self._requests.reply(method, path, params=params, query=query, body=body, call=call)

    def initiate_payment(
        self, body: shapes.InitiatePaymentBody, **call: Unpack[CallOptions]
    ) -> shapes.InitiatePaymentReply:
        """A payment by the gateway. Send the customer to ``payment_url``; the outcome is posted to ``ipn_url``."""
        reply: shapes.InitiatePaymentReply = self._requests.reply(
            "POST", "/api/v1/initiate-payment", body=body, call=call
        )
        return reply

    def verify_payment(self, ref: str, **call: Unpack[CallOptions]) -> shapes.VerifyPaymentReply:
        """What became of a payment, by our reference or by your ``ref_trx``."""
        reply: shapes.VerifyPaymentReply = self._requests.reply(
            "GET", "/api/v1/verify-payment/:ref", params={"ref": ref}, call=call
        )
        return reply

    def pay(self, body: shapes.CreatePaymentBody, **call: Unpack[CallOptions]) -> shapes.CreatePaymentData:
        """The other way to ask: every change of the status is posted to ``callback_url``."""
        data: shapes.CreatePaymentData = self._requests.data("POST", "/api/pay", body=body, call=call)
        return data

    def payment(self, reference: str, **call: Unpack[CallOptions]) -> shapes.GetPaymentData:
        data: shapes.GetPaymentData = self._requests.data(
            "GET", "/api/pay/:reference", params={"reference": reference}, call=call
        )
        return data

    def profile(self, **call: Unpack[CallOptions]) -> shapes.GetMerchantData:
        data: shapes.GetMerchantData = self._requests.data("GET", "/api/merchant", call=call)
        return data

    def volume(self, query: shapes.GetMerchantVolumeQuery, **call: Unpack[CallOptions]) -> shapes.GetMerchantVolumeData:
        """Accepted, failed and refunded, by day or week, in the mode of the key."""
        data: shapes.GetMerchantVolumeData = self._requests.data("GET", "/api/merchant/volume", query=query, call=call)
        return data

    def balances(self, **call: Unpack[CallOptions]) -> list[shapes.ListMerchantBalancesItem]:
        """What the business has earned, by currency, in the mode of the key."""
        data: list[shapes.ListMerchantBalancesItem] = self._requests.data("GET", "/api/merchant/balances", call=call)
        return data

    def events(
        self, query: shapes.ListEventsQuery | None = None, **call: Unpack[CallOptions]
    ) -> shapes.ListEventsReply:
        """Test mode: what would be sent to you, if you had an address."""
        reply: shapes.ListEventsReply = self._requests.reply("GET", "/api/merchant/events", query=query, call=call)
        return reply

    def _credentials(self, path: str) -> dict[str, str]:
        if not path.startswith("/api/v1/"):
            return {f"X-{self._header_prefix}-Key": self._api_key}
        if self._merchant_id is None:
            raise ValueError("merchant_id is needed for the gateway")
        return {
            f"{self._header_prefix}-Merchant-Key": str(self._merchant_id),
            f"{self._header_prefix}-API-Key": self._api_key,
        }


class MerchantPayments:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self, query: shapes.ListMerchantPaymentsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.ListMerchantPaymentsItem]:
        """The newest first."""
        return self._requests.page("/api/merchant/payments", query=query, call=call)

    def get(self, reference: str, **call: Unpack[CallOptions]) -> shapes.GetMerchantPaymentData:
        """With its attempts and refunds."""
        params = {"reference": reference}
        data: shapes.GetMerchantPaymentData = self._requests.data(
            "GET", "/api/merchant/payments/:reference", params=params, call=call
        )
        return data

    def refund(
        self, reference: str, body: shapes.RefundPaymentBody | None = None, **call: Unpack[CallOptions]
    ) -> shapes.RefundPaymentData:
        """Whole, or in part when ``amount`` says so."""
        params = {"reference": reference}
        path = "/api/merchant/payments/:reference/refund"
        data: shapes.RefundPaymentData = self._requests.data("POST", path, params=params, body=body, call=call)
        return data


class MerchantNotifications:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self, query: shapes.ListNotificationsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.ListNotificationsItem]:
        return self._requests.page("/api/merchant/notifications", query=query, call=call)

    def get(self, id: str, **call: Unpack[CallOptions]) -> shapes.GetNotificationData:
        """With every attempt."""
        data: shapes.GetNotificationData = self._requests.data(
            "GET", "/api/merchant/notifications/:id", params={"id": id}, call=call
        )
        return data


def _require_safe(base_url: str, api_key: str) -> None:
    """A key that takes real money must not cross a network in the open."""
    if not isinstance(api_key, str) or not api_key:
        raise ValueError("api_key is missing")
    base = read_base(base_url)
    is_here = base.host in ("localhost", "127.0.0.1", "::1")
    if "_live_" in api_key and not base.is_https and not is_here:
        raise ValueError("A live API key is sent over https only")
