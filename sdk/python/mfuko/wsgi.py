"""For WSGI: Django, Flask, Bottle, Pyramid, gunicorn, mod_wsgi."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Callable

from .receiver import BODY_MOST, Handler, Outcome, Receiver

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class MfukoWSGI:
    """Around an application: notifications that are posted to ``path`` are received here, before anything else looks at
    their bytes; all other requests go to ``app``. Without ``app`` it is an application of its own."""

    def __init__(
        self,
        receiver: Receiver,
        handler: Handler,
        *,
        path: str = "/ipn",
        app: Application | None = None,
        on_error: Callable[[Exception], None] | None = None,
    ) -> None:
        """``on_error``: refused notifications and what the handler raised, to be logged."""
        self._receiver = receiver
        self._handler = handler
        self._path = path
        self._app = app
        self._on_error = on_error

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("PATH_INFO", "") != self._path:
            if self._app is not None:
                return self._app(environ, start_response)
            return _answer(Outcome(404, {"message": "There is nothing here"}), start_response)
        if environ.get("REQUEST_METHOD") != "POST":
            return _answer(not_posted, start_response)
        body = _raw_body(environ)
        outcome = too_large if body is None else self._receiver.receive(_headers_of(environ), body, self._handler)
        if outcome.error is not None and self._on_error is not None:
            self._on_error(outcome.error)
        return _answer(outcome, start_response)


not_posted = Outcome(405, {"message": "Notifications are posted"})
too_large = Outcome(413, {"message": "This is no notification"})


def _headers_of(environ: Environ) -> dict[str, str]:
    return {name[5:].replace("_", "-"): value for name, value in environ.items() if name.startswith("HTTP_")}


def _raw_body(environ: Environ) -> bytes | None:
    """None: far too large."""
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isdecimal():
        if int(length) > BODY_MOST:
            return None
        return _read(environ, int(length))
    # Without a length only a server that promises an end may be asked for all of it.
    body = _read(environ, BODY_MOST + 1) if environ.get("wsgi.input_terminated") else b""
    return None if len(body) > BODY_MOST else body


def _read(environ: Environ, most: int) -> bytes:
    chunks: list[bytes] = []
    while most > 0:
        chunk: bytes = environ["wsgi.input"].read(most)
        if not chunk:
            break
        chunks.append(chunk)
        most -= len(chunk)
    return b"".join(chunks)


def _answer(outcome: Outcome, start_response: StartResponse) -> list[bytes]:
    content = json.dumps(outcome.body).encode()
    headers = [("content-type", "application/json"), ("content-length", str(len(content)))]
    if outcome.status == 405:
        headers.append(("allow", "POST"))
    start_response(f"{outcome.status} {HTTPStatus(outcome.status).phrase}", headers)
    return [content]
