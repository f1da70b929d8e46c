"""A login that lasts: the token is kept in memory only, and exchanged before it expires or when it is refused, once for
all threads that wait for it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from .errors import MfukoError
from .request import Requests
from .retry import is_unknown
from .transport import Answer, CallOptions, ClientOptions, Left, Sent, Transport

if TYPE_CHECKING:
    from . import shapes

#: A token that is good for fewer seconds is exchanged first: the clocks of computers differ.
_EARLY = 60.0
#: For ten seconds an exchanged token gets the same successor again; later it ends the session. Two tries fit in.
_LOST = 4.5


class _Held(NamedTuple):
    """Always seen together."""

    token: str | None
    #: By this computer's steady clock.
    expires_at: float
    #: Another number after each login and log-out: what was begun under one of them never goes on under the next.
    login: int


class Session:
    """Who is logged in, and requests in their name."""

    def __init__(
        self,
        base_url: str,
        *,
        token: str | None,
        on_token: Callable[[str | None], None] | None,
        on_signed_out: Callable[[], None] | None,
        options: ClientOptions,
    ) -> None:
        self._lock = threading.Lock()
        #: One change of the token after the other, each told before the next.
        self._telling = threading.RLock()
        self._held = _Held(token, math.inf, 0)
        self._running: Future[bool] | None = None
        self._on_token = on_token
        self._on_signed_out = on_signed_out
        #: Without a token, unless a call has credentials of its own.
        self._transport = Transport(base_url, lambda _: {}, **options)
        self._open = Requests(self._transport.send)

    @property
    def token(self) -> str | None:
        return self._held.token

    def sign_in(self, path: str, body: Mapping[str, Any], call: CallOptions) -> shapes.RegisterDataUser:
        return self._keep(self._open.data("POST", path, body=body, call=call))

    def sign_out(self, call: CallOptions) -> None:
        login = self._held.login
        try:
            self.send(Sent("POST", "/api/auth/logout", call))
        except MfukoError as error:
            # It had ended already.
            if error.code != "unauthenticated":
                raise
        with self._telling:
            if self.token is not None and self._held.login == login:
                self._hold(None)

    def send(self, sent: Sent) -> Answer:
        """A refused token is exchanged and the request sent again: who was not let in has done nothing."""
        shown = self._held

        def credentials(_: str) -> dict[str, str]:
            nonlocal shown
            held = self._held
            if held.login != shown.login:
                raise Left
            shown = held
            return {} if held.token is None else {"authorization": f"Bearer {held.token}"}

        if shown.token is not None and shown.expires_at - time.monotonic() < _EARLY:
            self._refresh_for(sent, shown.token)
        try:
            return self._transport.send(sent, credentials)
        except MfukoError as error:
            if error.code != "unauthenticated" or shown.token is None or self._held.login != shown.login:
                raise
            if not self._refresh_for(sent, shown.token) or self._held.login != shown.login:
                raise
        return self._transport.send(sent, credentials)

    def _refresh_for(self, sent: Sent, stale: str) -> bool:
        """When the exchange fails a try before it may have happened: who asked needs the key to go on."""
        try:
            return self.refresh(stale)
        except MfukoError as error:
            raise MfukoError(replace(error.args[0], idempotency_key=sent.key)) from error

    def refresh(self, stale: str) -> bool:
        """One at a time: all who wait get the same. False: the session has ended."""
        with self._lock:
            # Another thread has exchanged it meanwhile.
            if self.token != stale:
                return self.token is not None
            running = self._running
            mine: Future[bool] = Future()
            if running is None:
                self._running = mine
        if running is not None:
            return running.result()
        try:
            mine.set_result(self._refresh_once(stale))
        except BaseException as error:  # noqa: BLE001 (the others must not wait for ever)
            mine.set_exception(error)
        finally:
            with self._lock:
                self._running = None
        return mine.result()

    def _refresh_once(self, token: str) -> bool:
        try:
            signed_in = self._exchange_twice(token)
            self._replace(token, signed_in["token"], signed_in["expires_in"])
            has_ended = False
        except MfukoError as error:
            if error.code != "unauthenticated":
                raise
            has_ended = self._replace(token, None)
        if has_ended and self._on_signed_out is not None:
            self._on_signed_out()
        return self.token is not None

    def _exchange_twice(self, token: str) -> Any:
        try:
            return self._exchange(token)
        except MfukoError as error:
            # Also behind the page of a proxy: the token may have been exchanged all the same.
            if not is_unknown(error.status):
                raise
        return self._exchange(token)

    def _exchange(self, token: str) -> Any:
        return self._open.data("POST", "/api/auth/refresh", body={"token": token}, call={"timeout": _LOST})

    def _keep(self, signed_in: Any) -> shapes.RegisterDataUser:
        self._hold(signed_in["token"], signed_in["expires_in"])
        user: shapes.RegisterDataUser = signed_in["user"]
        return user

    def _hold(self, token: str | None, seconds: float = 0) -> None:
        """Of a login or a log-out."""
        with self._telling:
            self._change(token, seconds, self._held.login + 1)

    def _replace(self, stale: str, token: str | None, seconds: float = 0) -> bool:
        """Not when somebody has logged in or out meanwhile."""
        with self._telling:
            is_still = self.token == stale
            if is_still:
                login = self._held.login
                self._change(token, seconds, login if token is not None else login + 1)
            return is_still

    def _change(self, token: str | None, seconds: float, login: int) -> None:
        self._held = _Held(token, time.monotonic() + seconds, login)
        if self._on_token is not None:
            self._on_token(token)
