"""What a person does with the platform, with the token of their login."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable

from .request import Page, Requests
from .session import Session
from .together import Campaigns, Groups
from .transport import CallOptions, ClientOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import shapes


class PlatformClient:
    """As a person: ``login``, then everything else. Safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        token: str | None = None,
        on_token: Callable[[str | None], None] | None = None,
        on_signed_out: Callable[[], None] | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """``token``: of a session from before. ``on_token``: is told each new one, and None when the session has ended, to
        keep it for the next start. ``on_signed_out``: the session has ended by another device, by an operator, by time;
        not by ``logout``."""
        self._session = Session(base_url, token=token, on_token=on_token, on_signed_out=on_signed_out, options=options)
        self._requests = Requests(self._session.send)
        self.account = Account(self._requests)
        self.wallets = Wallets(self._requests)
        self.transactions = Transactions(self._requests)
        self.transfers = Transfers(self._requests)
        self.requests = MoneyRequests(self._requests)
        self.funding = Funding(self._requests)
        self.groups = Groups(self._requests)
        self.campaigns = Campaigns(self._requests)
        self.merchant = Business(self._requests)

    def login(self, body: shapes.LoginBody, **call: Unpack[CallOptions]) -> shapes.RegisterDataUser:
        """With ``handle``, ``email`` or ``phone``, and ``password``."""
        return self._session.sign_in("/api/auth/login", body, call)

    def register(self, body: shapes.RegisterBody, **call: Unpack[CallOptions]) -> shapes.RegisterDataUser:
        return self._session.sign_in("/api/auth/register", body, call)

    def resume(self) -> bool:
        """Goes on with the session of ``token``, with a new one. False: there is none, or it has ended."""
        token = self._session.token
        return token is not None and self._session.refresh(token)

    def logout(self, **call: Unpack[CallOptions]) -> None:
        self._session.sign_out(call)

    def is_signed_in(self) -> bool:
        return self._session.token is not None

    @property
    def token(self) -> str | None:
        """Of this session, as long as there is one."""
        return self._session.token

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
        """Any route: ``request("GET", "/api/groups/:id/feed", params={"id": id})``. The whole answer."""
        return self._requests.reply(method, path, params=params, query=query, body=body, call=call)


class Account:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def me(self, **call: Unpack[CallOptions]) -> shapes.GetMeData:
        answer: shapes.GetMeData = self._requests.data("GET", "/api/me", call=call)
        return answer

    def change(self, body: shapes.ChangeMeBody, **call: Unpack[CallOptions]) -> shapes.ChangeMeData:
        answer: shapes.ChangeMeData = self._requests.data("PATCH", "/api/me", body=body, call=call)
        return answer

    def set_pin(self, body: shapes.SetPinBody, **call: Unpack[CallOptions]) -> None:
        self._requests.data("PUT", "/api/me/pin", body=body, call=call)

    def change_password(self, body: shapes.ChangePasswordBody, **call: Unpack[CallOptions]) -> None:
        self._requests.data("PUT", "/api/me/password", body=body, call=call)

    def change_email(self, body: shapes.ChangeEmailBody, **call: Unpack[CallOptions]) -> shapes.ChangeEmailData:
        answer: shapes.ChangeEmailData = self._requests.data("PUT", "/api/me/email", body=body, call=call)
        return answer

    def change_phone(self, body: shapes.ChangePhoneBody, **call: Unpack[CallOptions]) -> shapes.ChangePhoneData:
        answer: shapes.ChangePhoneData = self._requests.data("PUT", "/api/me/phone", body=body, call=call)
        return answer

    def confirm_email(self, code: str, **call: Unpack[CallOptions]) -> None:
        self._requests.data("POST", "/api/auth/email/confirm", body={"code": code}, call=call)

    def resend_confirmation(self, **call: Unpack[CallOptions]) -> None:
        self._requests.data("POST", "/api/auth/email/resend", call=call)

    def forgot_password(self, body: shapes.ForgotPasswordBody, **call: Unpack[CallOptions]) -> None:
        self._requests.data("POST", "/api/auth/password/forgot", body=body, call=call)

    def reset_password(self, body: shapes.ResetPasswordBody, **call: Unpack[CallOptions]) -> None:
        self._requests.data("POST", "/api/auth/password/reset", body=body, call=call)

    def sessions(self, **call: Unpack[CallOptions]) -> Page[shapes.ListSessionsItem]:
        return self._requests.page("/api/auth/sessions", call=call)

    def end_session(self, id: str, **call: Unpack[CallOptions]) -> None:
        self._requests.data("DELETE", "/api/auth/sessions/:id", params={"id": id}, call=call)


class Wallets:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, **call: Unpack[CallOptions]) -> builtins.list[shapes.ListWalletsItem]:
        answer: list[shapes.ListWalletsItem] = self._requests.data("GET", "/api/wallets", call=call)
        return answer

    def open(self, body: shapes.OpenWalletBody, **call: Unpack[CallOptions]) -> shapes.OpenWalletData:
        answer: shapes.OpenWalletData = self._requests.data("POST", "/api/wallets", body=body, call=call)
        return answer


class Transactions:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self, query: shapes.ListTransactionsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.ListTransactionsItem]:
        return self._requests.page("/api/transactions", query=query, call=call)

    def get(self, reference: str, **call: Unpack[CallOptions]) -> shapes.GetTransactionData:
        answer: shapes.GetTransactionData = self._requests.data(
            "GET", "/api/transactions/:reference", params={"reference": reference}, call=call
        )
        return answer

    def csv(self, query: shapes.ExportTransactionsQuery | None = None, **call: Unpack[CallOptions]) -> str:
        """The whole selection as CSV."""
        answer: str = self._requests.reply("GET", "/api/transactions.csv", query=query, call=call)
        return answer

    def receipt(self, reference: str, **call: Unpack[CallOptions]) -> str:
        """A page to print."""
        answer: str = self._requests.reply(
            "GET", "/api/transactions/:reference/receipt", params={"reference": reference}, call=call
        )
        return answer


class Transfers:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def preview(self, body: shapes.PreviewTransferBody, **call: Unpack[CallOptions]) -> shapes.PreviewTransferData:
        """Fee, and what the recipient gets; moves nothing."""
        answer: shapes.PreviewTransferData = self._requests.data("POST", "/api/send/preview", body=body, call=call)
        return answer

    def send(self, body: shapes.SendMoneyBody, **call: Unpack[CallOptions]) -> shapes.SendMoneyData:
        answer: shapes.SendMoneyData = self._requests.data("POST", "/api/send", body=body, call=call)
        return answer

    def look_up(self, handle: str, **call: Unpack[CallOptions]) -> shapes.LookUpHandleData:
        answer: shapes.LookUpHandleData = self._requests.data(
            "GET", "/api/users/:handle", params={"handle": handle}, call=call
        )
        return answer

    def recipients(self, **call: Unpack[CallOptions]) -> list[shapes.ListRecentRecipientsItem]:
        answer: list[shapes.ListRecentRecipientsItem] = self._requests.data("GET", "/api/recipients", call=call)
        return answer


class MoneyRequests:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def create(self, body: shapes.CreateMoneyRequestBody, **call: Unpack[CallOptions]) -> shapes.CreateMoneyRequestData:
        answer: shapes.CreateMoneyRequestData = self._requests.data("POST", "/api/requests", body=body, call=call)
        return answer

    def list(
        self, query: shapes.ListMoneyRequestsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.ListMoneyRequestsItem]:
        return self._requests.page("/api/requests", query=query, call=call)

    def get(self, id: str, **call: Unpack[CallOptions]) -> shapes.GetMoneyRequestData:
        answer: shapes.GetMoneyRequestData = self._requests.data(
            "GET", "/api/requests/:id", params={"id": id}, call=call
        )
        return answer

    def pay(self, id: str, body: shapes.PayMoneyRequestBody, **call: Unpack[CallOptions]) -> shapes.PayMoneyRequestData:
        answer: shapes.PayMoneyRequestData = self._requests.data(
            "POST", "/api/requests/:id/pay", params={"id": id}, body=body, call=call
        )
        return answer

    def decline(self, id: str, **call: Unpack[CallOptions]) -> shapes.DeclineMoneyRequestData:
        answer: shapes.DeclineMoneyRequestData = self._requests.data(
            "POST", "/api/requests/:id/decline", params={"id": id}, call=call
        )
        return answer

    def cancel(self, id: str, **call: Unpack[CallOptions]) -> shapes.CancelMoneyRequestData:
        answer: shapes.CancelMoneyRequestData = self._requests.data(
            "POST", "/api/requests/:id/cancel", params={"id": id}, call=call
        )
        return answer


class Funding:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def methods(self, query: shapes.ListMethodsQuery, **call: Unpack[CallOptions]) -> list[shapes.ListMethodsItem]:
        answer: list[shapes.ListMethodsItem] = self._requests.data("GET", "/api/methods", query=query, call=call)
        return answer

    def deposit(self, body: shapes.InitiateDepositBody, **call: Unpack[CallOptions]) -> shapes.InitiateDepositData:
        answer: shapes.InitiateDepositData = self._requests.data("POST", "/api/deposit/initiate", body=body, call=call)
        return answer

    def preview_withdrawal(
        self, body: shapes.PreviewWithdrawalBody, **call: Unpack[CallOptions]
    ) -> shapes.PreviewWithdrawalData:
        """Fee, and what would be left; moves nothing."""
        answer: shapes.PreviewWithdrawalData = self._requests.data(
            "POST", "/api/withdraw/preview", body=body, call=call
        )
        return answer

    def withdraw(self, body: shapes.WithdrawBody, **call: Unpack[CallOptions]) -> shapes.WithdrawData:
        answer: shapes.WithdrawData = self._requests.data("POST", "/api/withdraw", body=body, call=call)
        return answer


class Business:
    """Of the owner of one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def register(self, body: shapes.RegisterMerchantBody, **call: Unpack[CallOptions]) -> shapes.RegisterMerchantData:
        answer: shapes.RegisterMerchantData = self._requests.data(
            "POST", "/api/merchant/register", body=body, call=call
        )
        return answer

    def get(self, **call: Unpack[CallOptions]) -> shapes.GetMerchantData:
        answer: shapes.GetMerchantData = self._requests.data("GET", "/api/merchant", call=call)
        return answer

    def change(self, body: shapes.ChangeMerchantBody, **call: Unpack[CallOptions]) -> shapes.ChangeMerchantData:
        answer: shapes.ChangeMerchantData = self._requests.data("PATCH", "/api/merchant", body=body, call=call)
        return answer

    def reveal_secret(
        self, body: shapes.RevealClientSecretBody, **call: Unpack[CallOptions]
    ) -> shapes.RevealClientSecretData:
        answer: shapes.RevealClientSecretData = self._requests.data(
            "POST", "/api/merchant/credentials/reveal", body=body, call=call
        )
        return answer

    def rotate_key(self, body: shapes.RotateKeyBody, **call: Unpack[CallOptions]) -> shapes.RotateKeyData:
        answer: shapes.RotateKeyData = self._requests.data("POST", "/api/merchant/rotate-key", body=body, call=call)
        return answer

    def payments(
        self, query: shapes.ListMerchantPaymentsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.ListMerchantPaymentsItem]:
        return self._requests.page("/api/merchant/payments", query=query, call=call)

    def payment(self, reference: str, **call: Unpack[CallOptions]) -> shapes.GetMerchantPaymentData:
        answer: shapes.GetMerchantPaymentData = self._requests.data(
            "GET", "/api/merchant/payments/:reference", params={"reference": reference}, call=call
        )
        return answer

    def refund(
        self, reference: str, body: shapes.RefundPaymentBody | None = None, **call: Unpack[CallOptions]
    ) -> shapes.RefundPaymentData:
        answer: shapes.RefundPaymentData = self._requests.data(
            "POST", "/api/merchant/payments/:reference/refund", params={"reference": reference}, body=body, call=call
        )
        return answer

    def volume(self, query: shapes.GetMerchantVolumeQuery, **call: Unpack[CallOptions]) -> shapes.GetMerchantVolumeData:
        """Accepted, failed and refunded, by day or week."""
        answer: shapes.GetMerchantVolumeData = self._requests.data(
            "GET", "/api/merchant/volume", query=query, call=call
        )
        return answer

    def balances(
        self, query: shapes.ListMerchantBalancesQuery | None = None, **call: Unpack[CallOptions]
    ) -> list[shapes.ListMerchantBalancesItem]:
        """What the business has earned, by currency."""
        answer: list[shapes.ListMerchantBalancesItem] = self._requests.data(
            "GET", "/api/merchant/balances", query=query, call=call
        )
        return answer

    def pay_out(self, body: shapes.PayOutMerchantBody, **call: Unpack[CallOptions]) -> shapes.PayOutMerchantData:
        """Earnings to the owner's wallet."""
        answer: shapes.PayOutMerchantData = self._requests.data("POST", "/api/merchant/payout", body=body, call=call)
        return answer

    def notifications(
        self, query: shapes.ListNotificationsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.ListNotificationsItem]:
        return self._requests.page("/api/merchant/notifications", query=query, call=call)

    def notification(self, id: str, **call: Unpack[CallOptions]) -> shapes.GetNotificationData:
        answer: shapes.GetNotificationData = self._requests.data(
            "GET", "/api/merchant/notifications/:id", params={"id": id}, call=call
        )
        return answer

    def replay(self, id: str, **call: Unpack[CallOptions]) -> shapes.ReplayNotificationData:
        answer: shapes.ReplayNotificationData = self._requests.data(
            "POST", "/api/merchant/notifications/:id/replay", params={"id": id}, call=call
        )
        return answer

    def replay_range(
        self, body: shapes.ReplayNotificationsBody, **call: Unpack[CallOptions]
    ) -> shapes.ReplayNotificationsData:
        """All of a time range that did not arrive."""
        answer: shapes.ReplayNotificationsData = self._requests.data(
            "POST", "/api/merchant/notifications/replay", body=body, call=call
        )
        return answer

    def endpoints(self, **call: Unpack[CallOptions]) -> list[shapes.ListEndpointsItem]:
        """Addresses that have trouble."""
        answer: list[shapes.ListEndpointsItem] = self._requests.data("GET", "/api/merchant/endpoints", call=call)
        return answer

    def resume_endpoint(self, body: shapes.ResumeEndpointBody, **call: Unpack[CallOptions]) -> None:
        self._requests.data("POST", "/api/merchant/endpoints/resume", body=body, call=call)

    def send_test_notification(
        self, body: shapes.SendTestNotificationBody | None = None, **call: Unpack[CallOptions]
    ) -> shapes.SendTestNotificationData:
        answer: shapes.SendTestNotificationData = self._requests.data(
            "POST", "/api/merchant/test-notification", body=body, call=call
        )
        return answer
