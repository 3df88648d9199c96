"""Numbers and days as people read them, and text that can do no harm."""

import datetime as dt
import re

MINUS = "\u2212"
NONE = "\u2013"
"""Stands in a cell that has nothing to say."""

UNKNOWN = "not known"
LONGEST = 600
"""Characters of any text on a page; names on the register have at most 160, and nothing we say is longer."""

_SIGNS = {"GBP": "£", "EUR": "€", "USD": "$"}
_UNSHOWN = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TURNING = re.compile("[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Characters without a shape that turn or hide what stands beside them."""


def shown(text: str) -> str:
    """Return text without what cannot be written, or would turn the words around it, and no longer than a page bears."""
    clean = " ".join(_TURNING.sub("", _UNSHOWN.sub("", text)).split())
    return clean if len(clean) <= LONGEST else f"{clean[:LONGEST].rstrip()}…"


def money(value: float | None, currency: str | None = "GBP") -> str:
    """Return an amount in whole units of its currency."""
    if value is None:
        return UNKNOWN
    sign = _SIGNS.get(currency or "", "")
    trailing = f" {currency}" if currency and not sign else ""
    return f"{MINUS if round(value) < 0 else ''}{sign}{abs(round(value)):,}{trailing}"


def plain(value: float | None) -> str:
    """Return an amount without a currency; a dash for none, as tables of accounts have it."""
    return NONE if value is None else f"{MINUS if round(value) < 0 else ''}{abs(round(value)):,}"


def short(value: float) -> str:
    """Return an amount for the axis of a drawing: 1.2m, 340k, 15."""
    for size, letter in ((1_000_000_000, "bn"), (1_000_000, "m"), (1_000, "k")):
        if abs(value) >= size:
            return f"{MINUS if value < 0 else ''}{abs(value) / size:.3g}{letter}"
    return f"{MINUS if value < 0 else ''}{abs(value):.3g}"


def decimal(value: float | None, places: int = 2) -> str:
    """Return a number with its decimals."""
    if value is None:
        return NONE
    text = f"{abs(value):,.{places}f}"
    return f"{MINUS}{text}" if value < 0 and float(text.replace(",", "")) else text


def signed(points: int) -> str:
    """Return points with their sign; a score's points are whole numbers."""
    return f"+{points}" if points > 0 else f"{MINUS}{-points}" if points < 0 else "0"


def per_cent(share: float) -> str:
    """Return a probability in per cent, with two figures."""
    return f"{share * 100:.2g}%" if share < 0.995 else "over 99%"


def day(date: dt.date | None) -> str:
    """Return a day in words."""
    return UNKNOWN if date is None else f"{date.day} {date:%B} {date.year}"


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with what it counts."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
