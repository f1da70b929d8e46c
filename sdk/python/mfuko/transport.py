"""One request: sent, tried again where that is safe, and its answer read.

The key that makes a repeated request happen once comes with it.
"""

from __future__ import annotations

import http.client
import random
import re
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, TypedDict

from .connection import Limits, Received, Request, TooLarge, exchange, read_base
from .content import NotJson, read_json, write_json
from .errors import Failure, MfukoError, failure_of
from .retry import may_repeat, new_idempotency_key, wait_seconds
from .routes import answers_text, path_of, query_of, takes_key

if TYPE_CHECKING:
    from typing_extensions import Unpack

USER_AGENT = "mfuko-python/1.0.0"
_CHANCE = random.SystemRandom()


class CallOptions(TypedDict, total=False):
    """What a single call may want otherwise."""

    #: Default: a new one, on routes that take one. Keep it to repeat the call later, after a crash for instance.
    idempotency_key: str
    #: Seconds of one try, until its answer has been read.
    timeout: float
    #: How often the request is tried again when that is safe.
    retries: int


class ClientOptions(TypedDict, total=False):
    """What every client can be told."""

    #: Seconds of one try, until its answer has been read. Default: 30.
    timeout: float
    #: Seconds until there is a connection. Default: 10.
    connect_timeout: float
    #: How often a request is tried again when that is safe. Default: 2.
    retries: int
    #: For a certificate that the system does not know.
    ssl_context: ssl.SSLContext | None


@dataclass(frozen=True)
class Answer:
    status: int
    #: An object, or text on the routes that answer with it.
    body: Any
    request_id: str | None
    #: The same request was answered before, and this is that answer.
    replayed: bool
    #: What the request was sent with.
    key: str | None


@dataclass(frozen=True)
class Sent:
    method: str
    #: ``/api/pay/:reference``, or with the values in it.
    path: str
    options: CallOptions
    params: Mapping[str, Any] | None = None
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    #: Made here, before anything is sent, once for all that comes of it: also after the token had to be exchanged. None on
    #: routes that take none.
    key: str | None = field(init=False)

    def __post_init__(self) -> None:
        key = self.options.get("idempotency_key")
        if key == "":
            raise ValueError("idempotency_key is empty: leave it out, or give one that is kept")
        is_keyed = takes_key(self.method.upper(), self.path)
        object.__setattr__(self, "key", (key or new_idempotency_key()) if is_keyed else None)


@dataclass(frozen=True)
class _Call:
    method: str
    path: str
    target: str
    content: bytes | None
    key: str | None
    timeout: float
    credentials: Credentials


class Left(Exception):
    """Who asked for a call is not signed in any more: the next try would be in another's name."""


#: What shows who is calling, for a path. Asked at each try. May raise Left.
Credentials = Callable[[str], dict[str, str]]


class Transport:
    """Safe to use from several threads."""

    def __init__(self, base_url: str, credentials: Credentials, **options: Unpack[ClientOptions]) -> None:
        self._base = read_base(base_url)
        self._credentials = credentials
        self._timeout = options.get("timeout", 30.0)
        self._connect_timeout = options.get("connect_timeout", 10.0)
        self._retries = options.get("retries", 2)
        self._context = options.get("ssl_context")
        if self._context is None and self._base.is_https:
            self._context = ssl.create_default_context()

    def send(self, sent: Sent, credentials: Credentials | None = None) -> Answer:
        """``credentials``: of this call, instead of those of all."""
        call = self._prepared(sent, credentials or self._credentials)
        tries = 1 + max(0, sent.options.get("retries", self._retries))
        last: MfukoError | None = None
        for tried in range(1, tries + 1):
            try:
                return self._try_once(call)
            except Left:
                # What became of the try before is what there is to tell.
                raise last or _left(call) from None
            except MfukoError as error:
                last = error
                wait = wait_seconds(tries=tried, retry_after=error.retry_after, chance=_CHANCE.random())
                # An answer that came and can't be read is one: its status counts.
                may = may_repeat(method=call.method, has_key=call.key is not None, status=error.status)
                if tried == tries or wait is None or not may:
                    raise
                pause(wait)
        raise AssertionError("the last try returns or raises")

    def _prepared(self, sent: Sent, credentials: Credentials) -> _Call:
        method = sent.method.upper()
        path = path_of(sent.path, sent.params)
        has_body = method in ("POST", "PUT", "PATCH")
        return _Call(
            method=method,
            path=path,
            target=path + query_of(sent.query),
            content=write_json(sent.body) if has_body else None,
            key=sent.key,
            timeout=sent.options.get("timeout", self._timeout),
            credentials=credentials,
        )

    def _try_once(self, call: _Call) -> Answer:
        request = Request(call.method, call.target, self._headers(call), call.content)
        limits = Limits(connect=self._connect_timeout, total=call.timeout)
        try:
            received = exchange(self._base, request, limits=limits, context=self._context)
        # The first is a kind of the second.
        except socket.timeout as error:
            raise _no_answer("timed_out", "The service did not answer in time", call) from error
        except (OSError, http.client.HTTPException) as error:
            raise _no_answer("connection_failed", "The service could not be reached", call) from error
        except TooLarge as error:
            failure = Failure("unreadable_answer", "The answer is too large", error.status, idempotency_key=call.key)
            raise MfukoError(failure) from error
        return _read(received, call)

    def _headers(self, call: _Call) -> dict[str, str]:
        headers = {"accept": "application/json", "user-agent": USER_AGENT}
        if call.content is not None:
            headers["content-type"] = "application/json"
        if call.key is not None:
            headers["idempotency-key"] = call.key
        return {**headers, **call.credentials(call.path)}


def _left(call: _Call) -> MfukoError:
    """As the service would say it: nothing has happened."""
    return MfukoError(Failure("unauthenticated", "The session of this call has ended", 401, idempotency_key=call.key))


def _no_answer(code: str, message: str, call: _Call) -> MfukoError:
    return MfukoError(Failure(code, message, 0, idempotency_key=call.key))


def _read(received: Received, call: _Call) -> Answer:
    status, headers = received.status, received.headers
    request_id = headers.get("x-request-id")
    is_text = answers_text(call.method, call.path)
    body = _object_in(received)
    # A page of something on the way may say success too; what became of the request is then unknown.
    if 200 <= status < 300 and (is_text or body is not None):
        content = received.content.decode("utf-8", "replace") if is_text else body
        return Answer(status, content, request_id, headers.get("idempotency-replayed") == "true", call.key)
    if 300 <= status < 400:
        message = "The service answered with a redirect, which is not followed: check base_url"
        raise MfukoError(Failure("connection_failed", message, status, idempotency_key=call.key))
    raise MfukoError(
        failure_of(
            status=status,
            body=body,
            request_id=request_id,
            retry_after=headers.get("retry-after"),
            idempotency_key=call.key,
        )
    )


def _object_in(received: Received) -> dict[str, Any] | None:
    if re.match(r"application/json\b", received.headers.get("content-type", ""), re.IGNORECASE) is None:
        return None
    try:
        body = read_json(received.content)
    except NotJson:
        return None
    return body if isinstance(body, dict) else None


#: A name of its own, so that tests need not wait.
pause = time.sleep
