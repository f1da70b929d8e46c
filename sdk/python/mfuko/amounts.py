"""Amounts without floats: whole numbers, ``Decimal`` and decimal text in, whole minor units out, and back.

An amount in an answer is an ``int`` or a ``Decimal`` with exactly the digits that the service wrote, so both can be
added, compared and multiplied as they are. A float is refused everywhere, with a TypeError: 0.1 + 0.2 is not 0.3.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Union

#: What is taken where an amount is asked for.
Amount = Union[int, Decimal, str]

#: An amount in an answer, with exactly the digits that the service wrote.
Money = Union[int, Decimal]

#: How many decimal places each has.
CURRENCIES: dict[str, int] = {"UGX": 0, "KES": 2, "TZS": 2, "RWF": 0, "NGN": 2, "ZAR": 2, "USD": 2}

#: The most that one amount may be, in minor units.
_MINOR_MOST = 9_007_199_254_740_991
_TEXT_MOST = 64
_EXPONENT_MOST = 30
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


def to_minor(amount: Amount, currency: str) -> int:
    """``to_minor("12.50", "USD")`` is 1250, and the 0 of an answer is 0. A ValueError for what no amount can be: below zero,
    too fine, too large, a word."""
    minor = _read_minor(amount_text(amount), _digits_of(currency))
    if minor is None:
        raise ValueError(f"{amount} is no amount in {currency}")
    return minor


def is_amount(amount: Amount, currency: str) -> bool:
    """Whether it can be paid: what ``to_minor`` takes, but zero."""
    return (_read_minor(amount_text(amount), _digits_of(currency)) or 0) > 0


def from_minor(minor: int, currency: str) -> str:
    """``from_minor(1250, "USD")`` is "12.5": decimal text without trailing zeros, as requests take it."""
    digits = _digits_of(currency)
    text = str(abs(minor)).zfill(digits + 1)
    whole, fraction = text[: len(text) - digits], text[len(text) - digits :].rstrip("0")
    return ("-" if minor < 0 else "") + whole + (f".{fraction}" if fraction else "")


def format_amount(amount: Amount, currency: str) -> str:
    """For people: ``UGX 10,000``, ``KES 1,250.50``. Whole units, as in answers; never minor ones."""
    digits = _digits_of(currency)
    minor = _read(amount_text(amount), digits)
    if minor is None:
        raise ValueError(f"{amount} is no amount in {currency}")
    text = str(abs(minor)).zfill(digits + 1)
    whole, fraction = text[: len(text) - digits], text[len(text) - digits :]
    sign = "-" if minor < 0 else ""
    return f"{currency} {sign}{int(whole):,}" + (f".{fraction}" if fraction else "")


def amount_text(amount: Amount) -> str:
    """As decimal text. Not for floats, and not for True, which Python takes for 1."""
    if isinstance(amount, str):
        return amount
    if isinstance(amount, int) and not isinstance(amount, bool):
        return str(amount)
    if isinstance(amount, Decimal):
        # Bounded before it is written out: 1E+999999 has a million digits.
        if (
            not amount.is_finite()
            or abs(amount.adjusted()) > _EXPONENT_MOST
            or len(amount.as_tuple().digits) > _TEXT_MOST
        ):
            raise ValueError(f"{amount} is no amount")
        return f"{amount:f}"
    raise TypeError(f"An amount is an int, a Decimal or decimal text, not {type(amount).__name__}")


def _read_minor(text: str, digits: int) -> int | None:
    minor = None if text.startswith("-") else _read(text, digits)
    return minor if minor is not None and minor <= _MINOR_MOST else None


def _read(text: str, digits: int) -> int | None:
    """In minor units, of either sign. None for what is no number, or too fine."""
    found = _NUMBER.fullmatch(text) if len(text) <= _TEXT_MOST else None
    if found is None:
        return None
    sign, whole, fraction, exponent = found.group(1), found.group(2), found.group(3) or "", int(found.group(4) or "0")
    # Bounded before any power is computed.
    if abs(exponent) > _EXPONENT_MOST:
        return None
    mantissa = int(whole + fraction) * (-1 if sign == "-" else 1)
    shift = digits + exponent - len(fraction)
    scale: int = 10 ** abs(shift)
    if shift >= 0:
        return mantissa * scale
    return mantissa // scale if mantissa % scale == 0 else None


def _digits_of(currency: str) -> int:
    if currency not in CURRENCIES:
        raise ValueError(f"{currency} is not a currency of the service")
    return CURRENCIES[currency]
