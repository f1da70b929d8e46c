"""When a request is tried again, as functions of values.

What must stay true: nothing that may have happened is asked for a second time without the key that makes it happen
once. ``sdk/vectors/retries.json`` has the same as a table.
"""

from __future__ import annotations

import uuid

#: Answers of proxies and of a service that is away: what became of the request is unknown.
_UNKNOWN_STATUSES = (0, 502, 503, 504)
_FIRST_WAIT = 0.5
#: In seconds. Who is told to wait for longer is told so at once.
PATIENCE = 10.0


def may_repeat(*, method: str, has_key: bool, status: int) -> bool:
    """``has_key``: sent with an idempotency key, on a route that takes one. ``status``: 0 when there was no answer."""
    # Who is told to wait was not let in: nothing has happened.
    if status == 429:
        return True
    return is_unknown(status) and (method == "GET" or has_key)


def is_unknown(status: int) -> bool:
    return status in _UNKNOWN_STATUSES


def wait_seconds(*, tries: int, retry_after: int | None, chance: float) -> float | None:
    """None: not worth it. ``tries`` so far; ``chance`` from 0 to 1, so that many who failed together don't return so."""
    planned = min(_FIRST_WAIT * (1 << min(tries - 1, 10)) * (0.5 + chance / 2), PATIENCE)
    if retry_after is None:
        return planned
    return None if retry_after > PATIENCE else max(float(retry_after), planned)


def new_idempotency_key() -> str:
    return str(uuid.uuid4())
