"""A login that lasts: the token is kept in memory only, and exchanged before it expires or when it is refused, once for
all threads that wait for it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable

from .errors import MfukoError
from .request import Requests
from .transport import Answer, CallOptions, ClientOptions, Sent, Transport

if TYPE_CHECKING:
    from . import shapes

#: A token that is good for fewer seconds is exchanged first: the clocks of computers differ.
_EARLY = 60.0
#: For ten seconds an exchanged token gets the same successor again; later it ends the session. Two tries fit in.
_LOST = 4.5


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
        #: The token and when it expires, by this computer's steady clock: always seen together.
        self._held: tuple[str | None, float] = (token, math.inf)
        self._running: Future[bool] | None = None
        self._on_token = on_token
        self._on_signed_out = on_signed_out
        self._open = Requests(Transport(base_url, lambda _: {}, **options).send)
        self._transport = Transport(base_url, self._credentials, **options)

    @property
    def token(self) -> str | None:
        return self._held[0]

    def sign_in(self, path: str, body: Mapping[str, Any], call: CallOptions) -> shapes.RegisterDataUser:
        return self._keep(self._open.data("POST", path, body=body, call=call))

    def sign_out(self, call: CallOptions) -> None:
        try:
            self.send(Sent("POST", "/api/auth/logout", call))
        except MfukoError as error:
            # It had ended already.
            if error.code != "unauthenticated":
                raise
        if self.token is not None:
            self._hold(None)

    def send(self, sent: Sent) -> Answer:
        """A refused token is exchanged and the request sent again: who was not let in has done nothing."""
        token, expires_at = self._held
        if token is not None and expires_at - time.monotonic() < _EARLY:
            self._refresh_for(sent, token)
            token = self.token
        try:
            return self._transport.send(sent)
        except MfukoError as error:
            if error.code != "unauthenticated" or token is None or not self._refresh_for(sent, token):
                raise
        return self._transport.send(sent)

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
            if error.code not in ("connection_failed", "timed_out"):
                raise
        return self._exchange(token)

    def _exchange(self, token: str) -> Any:
        return self._open.data("POST", "/api/auth/refresh", body={"token": token}, call={"timeout": _LOST})

    def _keep(self, signed_in: Any) -> shapes.RegisterDataUser:
        self._hold(signed_in["token"], signed_in["expires_in"])
        user: shapes.RegisterDataUser = signed_in["user"]
        return user

    def _hold(self, token: str | None, seconds: float = 0) -> None:
        with self._telling:
            self._held = (token, time.monotonic() + seconds)
            if self._on_token is not None:
                self._on_token(token)

    def _replace(self, stale: str, token: str | None, seconds: float = 0) -> bool:
        """Not when somebody has logged in or out meanwhile."""
        with self._telling:
            is_still = self.token == stale
            if is_still:
                self._hold(token, seconds)
            return is_still

    def _credentials(self, _: str) -> dict[str, str]:
        token = self.token
        return {} if token is None else {"authorization": f"Bearer {token}"}
