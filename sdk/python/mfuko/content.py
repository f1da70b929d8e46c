"""JSON that keeps amounts exact: read without floats, written without them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NoReturn

from .amounts import amount_text

_DEPTH_MOST = 32


class NotJson(Exception):
    pass


def read_json(text: bytes) -> Any:
    """Whole numbers are ``int``, others ``Decimal``. NotJson for everything else."""
    try:
        return json.loads(text.decode("utf-8"), parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise NotJson from error


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def write_json(body: Mapping[str, Any] | None) -> bytes:
    """A ``Decimal`` leaves as text, which the service reads digit by digit."""
    return json.dumps(_plain(body or {}, ""), separators=(",", ":"), allow_nan=False).encode()


def _plain(value: Any, place: str) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Decimal):
        return amount_text(value)
    if place.count(".") >= _DEPTH_MOST:
        raise ValueError(f"{place} lies too deep")
    if isinstance(value, Mapping):
        return {str(name): _plain(inside, f"{place}.{name}" if place else str(name)) for name, inside in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inside, f"{place}.{at}") for at, inside in enumerate(value)]
    if isinstance(value, float):
        raise TypeError(f"{place} is a float, which may be another number than was meant: use int, Decimal or text")
    raise TypeError(f"{place} can't be sent: {type(value).__name__}")
