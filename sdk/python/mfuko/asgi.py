"""For ASGI: FastAPI, Starlette, Django, Quart, uvicorn, hypercorn."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from .receiver import BODY_MOST, Handler, Notification, Outcome, Receiver
from .wsgi import not_posted, too_large

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Notifications that are worked on at a time; more of them wait.
_AT_ONCE = 32


class MfukoASGI:
    """Around an application: notifications that are posted to ``path`` are received here, before anything else looks at
    their bytes; all other requests go to ``app``. Without ``app`` it is an application of its own.

    The handler may be a coroutine. The receiver and its store, and a handler that is a plain function, work in a thread,
    so that nobody else has to wait for a database. Those threads are this object's own: they wait for the coroutine, and a
    coroutine that needs the threads of the loop would wait for them."""

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
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="mfuko")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_ours = scope["type"] == "http" and _path_of(scope) == self._path
        if not is_ours and self._app is not None:
            await self._app(scope, receive, send)
        elif scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] != "http":
            raise RuntimeError(f"Notifications come over http, not {scope['type']}")
        elif not is_ours:
            await _answer(Outcome(404, {"message": "There is nothing here"}), send)
        elif scope["method"] != "POST":
            await _answer(not_posted, send)
        else:
            await self._receive(scope, receive, send)

    async def _receive(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, is_whole = await _raw_body(receive)
        if not is_whole:
            return
        outcome = too_large if body is None else await self._outcome(scope["headers"], body)
        if outcome.error is not None and self._on_error is not None:
            self._on_error(outcome.error)
        await _answer(outcome, send)

    async def _outcome(self, headers: list[tuple[bytes, bytes]], body: bytes) -> Outcome:
        loop = asyncio.get_running_loop()

        def work(notification: Notification) -> None:
            result = self._handler(notification)
            if inspect.isawaitable(result):
                asyncio.run_coroutine_threadsafe(_awaited(result), loop).result()

        context = contextvars.copy_context()
        return await loop.run_in_executor(self._threads, context.run, self._receiver.receive, headers, body, work)


async def _awaited(result: Awaitable[Any]) -> None:
    await result


def _path_of(scope: Scope) -> str:
    """Within the application: a server may put it below another path."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return path[len(root) :] if root and path.startswith(f"{root}/") else path


async def _raw_body(receive: Receive) -> tuple[bytes | None, bool]:
    """The bytes, or None when they are far too many; and whether the sender has stayed to the end."""
    chunks: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None, False
        chunk = message.get("body", b"")
        length += len(chunk)
        if length > BODY_MOST:
            return None, True
        chunks.append(chunk)
        if not message.get("more_body", False):
            return b"".join(chunks), True


async def _answer(outcome: Outcome, send: Send) -> None:
    content = json.dumps(outcome.body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    if outcome.status == 405:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": outcome.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def _live(receive: Receive, send: Send) -> None:
    """Nothing to open and nothing to close."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
