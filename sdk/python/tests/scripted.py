"""A service that does as it is told: answers, hangs up, is silent. And what it was asked."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable


@dataclass(frozen=True)
class Got:
    method: str
    url: str
    #: Names in small letters.
    headers: dict[str, str]
    body: bytes


Act = Callable[[BaseHTTPRequestHandler], None]


class Scripted:
    """``script``: what it does with one request after the other; the last for all that follow."""

    def __init__(self) -> None:
        self.got: list[Got] = []
        self.script: list[Act] = []
        #: Silent ones are let go when a test has ended.
        self.over = threading.Event()
        self._lock = threading.Lock()
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                scripted._handle(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """The other side has left, as some tests want it to."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def _handle(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in request.headers.items()}
        with self._lock:
            self.got.append(Got(request.command, request.path, headers, body))
            act = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        act(request)

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    def keys(self) -> list[str | None]:
        return [got.headers.get("idempotency-key") for got in self.got]

    def silence(self, _: BaseHTTPRequestHandler) -> None:
        self.over.wait(10)


def answer(status: int, content: bytes, headers: dict[str, str] | None = None) -> Act:
    def act(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in {"content-length": str(len(content)), **(headers or {})}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(content)

    return act


def as_json(status: int, body: Any, headers: dict[str, str] | None = None) -> Act:
    return answer(status, json.dumps(body).encode(), {"content-type": "application/json", **(headers or {})})


def hang_up(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    request.connection.shutdown(socket.SHUT_RDWR)


def raw(content: bytes) -> Act:
    """These bytes, and then the end."""

    def act(request: BaseHTTPRequestHandler) -> None:
        request.connection.sendall(content)
        hang_up(request)

    return act


def refusal(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> Act:
    body = {"success": False, "message": "No", "code": code, "request_id": "req_1", **more}
    return as_json(status, body, headers)
