"""Paths: how a pattern and its values become one, which routes take an ``Idempotency-Key``, and which answer with text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

from .amounts import amount_text

#: A repeated request happens once. ``sdk/vectors/routes.json`` says the same of every route.
KEYED_ROUTES = (
    "POST /api/campaigns",
    "POST /api/campaigns/:id/contribute",
    "POST /api/campaigns/:id/withdraw",
    "POST /api/deposit/initiate",
    "POST /api/groups",
    "POST /api/groups/:id/contribute",
    "POST /api/groups/:id/cycle/close",
    "POST /api/groups/:id/dissolve",
    "POST /api/groups/:id/leave",
    "POST /api/groups/:id/payouts",
    "POST /api/groups/:id/payouts/:payout_id/approve",
    "POST /api/merchant/payments/:reference/refund",
    "POST /api/merchant/payout",
    "POST /api/merchant/register",
    "POST /api/merchant/rotate-key",
    "POST /api/pay",
    "POST /api/requests",
    "POST /api/requests/:id/pay",
    "POST /api/send",
    "POST /api/v1/initiate-payment",
    "POST /api/withdraw",
)

#: A table, and a page to print. All others answer with an object in JSON.
TEXT_ROUTES = (
    "GET /api/transactions.csv",
    "GET /api/transactions/:reference/receipt",
)


def _any_of(routes: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(re.sub(r":\w+", "[^/]+", re.escape(route)) for route in routes))


_KEYED = _any_of(KEYED_ROUTES)
_TEXT = _any_of(TEXT_ROUTES)


def takes_key(method: str, path: str) -> bool:
    return _KEYED.fullmatch(f"{method} {path}") is not None


def answers_text(method: str, path: str) -> bool:
    return _TEXT.fullmatch(f"{method} {path}") is not None


def path_of(pattern: str, params: Mapping[str, Any] | None) -> str:
    """``/api/pay/:reference`` and its values, as a path that can't lead elsewhere."""
    given = params or {}

    def value_of(found: re.Match[str]) -> str:
        value = str(given.get(found.group(1), ""))
        # `.` and `..` would be another path.
        if value in ("", ".", ".."):
            raise ValueError(f"{found.group(1)} is missing or not a name")
        return quote(value, safe="!'()*")

    path = re.sub(r"(?<=/):(\w+)", value_of, pattern)
    if re.fullmatch(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+", path) is None or re.search(r"/\.\.?(?:/|$)", path):
        raise ValueError(f"{pattern} is not a path of the service, like /api/pay/:reference")
    return path


def query_of(query: Mapping[str, Any] | None) -> str:
    """With its question mark. What is None is left out."""
    fields: dict[str, str] = {name: _query_text(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urlencode(fields)}" if fields else ""


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else amount_text(value)
