"""Which notifications were worked on already.

The service sends each at least once, so the same one can come twice, and both at the same time.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Literal, Protocol

State = Literal["first", "done", "busy"]
_WEEK = 7 * 86_400.0


class Seen(Protocol):
    """A store of what was seen; several processes share one in their database."""

    def begin(self, id: str) -> State:
        """``first``: it is yours to work on. ``done``: it was worked on before. ``busy``: somebody is at it right now.
        Must be atomic: in a database an insert that does nothing on conflict. Whoever dies at work must not keep it for
        ever: what was begun minutes ago and never ended is ``first`` again. The README has such a table."""

    def done(self, id: str) -> None: ...

    def forget(self, id: str) -> None:
        """Working on it failed: it will come again, and is then new."""


class SeenInMemory:
    """For one process, and until that ends: enough to try things out. A shop keeps it in its database, best in the same
    transaction as the order."""

    def __init__(self, *, most: int = 10_000, keep_seconds: float = _WEEK) -> None:
        self._most = most
        self._keep_seconds = keep_seconds
        self._lock = threading.Lock()
        #: The oldest first.
        self._states: OrderedDict[str, tuple[Literal["done", "busy"], float]] = OrderedDict()

    def begin(self, id: str) -> State:
        with self._lock:
            known = self._states.pop(id, None)
            now = time.monotonic()
            if known is not None and now - known[1] < self._keep_seconds:
                self._states[id] = known
                return known[0]
            self._states[id] = ("busy", now)
            if len(self._states) > self._most:
                self._drop_oldest()
            return "first"

    def done(self, id: str) -> None:
        with self._lock:
            self._states[id] = ("done", time.monotonic())

    def forget(self, id: str) -> None:
        with self._lock:
            self._states.pop(id, None)

    def _drop_oldest(self) -> None:
        """What is being worked on stays."""
        for id, (state, _) in self._states.items():
            if state == "done":
                del self._states[id]
                return
