"""One try of one request over HTTP: sent and answered within a time, and the answer bounded.

Each try has a connection of its own, so nothing is shared between threads or with the children of a fork. Nothing is
followed: a credential goes to the host that was named.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

#: More than any answer has; the whole history of a person as CSV is a few megabytes.
ANSWER_MOST = 32 * 1024 * 1024


@dataclass(frozen=True)
class Base:
    """Where the service is."""

    is_https: bool
    host: str
    port: int
    #: In front of every path; mostly empty.
    path: str


def read_base(base_url: str) -> Base:
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError:
        raise ValueError(f"base_url is not an address: {base_url}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"base_url is not an address: {base_url}")
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("base_url is the address of the service, like https://pay.example")
    is_https = parts.scheme == "https"
    return Base(is_https, parts.hostname, port or (443 if is_https else 80), parts.path.rstrip("/"))


@dataclass(frozen=True)
class Received:
    status: int
    headers: Mapping[str, str]
    content: bytes


class TooLarge(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Deadline:
    """When a try must be over. A socket's own limit is for one operation only: a slow sender could go on for ever."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self, most: float | None = None) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise socket.timeout("the time is over")
        return left if most is None else min(left, most)


@dataclass(frozen=True)
class Request:
    method: str
    #: Path and query.
    target: str
    headers: dict[str, str]
    content: bytes | None


@dataclass(frozen=True)
class Limits:
    """In seconds: until there is a connection, and until the answer has been read. Looking up the host's name has a limit
    of the system's own, which nobody can shorten from here."""

    connect: float
    total: float


def exchange(base: Base, request: Request, *, limits: Limits, context: ssl.SSLContext | None) -> Received:
    """Raises socket.timeout, OSError, http.client.HTTPException or TooLarge."""
    deadline = Deadline(limits.total)
    kind = http.client.HTTPSConnection if base.is_https else http.client.HTTPConnection
    connection = kind(base.host, base.port)
    try:
        sock = _connect(base, deadline=deadline, limit=limits.connect, context=context)
        connection.sock = sock
        # http.client has no place to say when an answer must have come as a whole.
        connection.response_class = _paced_response(deadline)
        sock.settimeout(deadline.left())
        connection.request(request.method, base.path + request.target, body=request.content, headers=request.headers)
        return _read(connection.getresponse())
    finally:
        connection.close()


def _connect(base: Base, *, deadline: Deadline, limit: float, context: ssl.SSLContext | None) -> socket.socket:
    end = Deadline(deadline.left(limit))
    trouble: OSError | None = None
    found = socket.getaddrinfo(base.host, base.port, type=socket.SOCK_STREAM)
    for at, (family, kind, protocol, _, address) in enumerate(found):
        sock = socket.socket(family, kind, protocol)
        try:
            # Each has its share of what is left: one that swallows everything, as IPv6 may, leaves time for the next.
            sock.settimeout(end.left() / (len(found) - at))
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if not base.is_https:
                return sock
            sock.settimeout(end.left())
            return (context or ssl.create_default_context()).wrap_socket(sock, server_hostname=base.host)
        except ssl.SSLError:
            # Somebody is there, and is not who was named: no other address is tried.
            sock.close()
            raise
        except OSError as error:
            sock.close()
            trouble = error
    raise trouble or OSError("the host has no address")


def _paced_response(deadline: Deadline) -> Any:
    class Paced:
        def __init__(self, sock: socket.socket) -> None:
            self._sock = sock

        def makefile(self, _mode: str) -> io.BufferedReader:
            return io.BufferedReader(_PacedReader(self._sock, deadline))

    def response(sock: socket.socket, **more: Any) -> http.client.HTTPResponse:
        paced: Any = Paced(sock)
        return http.client.HTTPResponse(paced, **more)

    return response


class _PacedReader(io.RawIOBase):
    """Gives each read what is left of the time."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        self._file = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._deadline.left())
        return self._file.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def _read(response: http.client.HTTPResponse) -> Received:
    content = response.read(ANSWER_MOST + 1)
    if len(content) > ANSWER_MOST:
        raise TooLarge(response.status)
    # A read with a size does not complain when the rest is missing.
    if response.length:
        raise http.client.IncompleteRead(content, response.length)
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Received(response.status, headers, content)
