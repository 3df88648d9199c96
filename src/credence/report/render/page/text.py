"""Formats of numbers, amounts and days on a page, and the cleaning of text from sources."""

import datetime as dt
import re

from credence.clock import day_in_words

MINUS = "\u2212"
NONE = "\u2013"
"""The dash shown in an empty cell."""

UNKNOWN = "not known"
MAX_TEXT_CHARACTERS = 600
"""Maximum length of a text on a page; names on the register have at most 160 characters."""

_SIGNS = {"GBP": "£", "EUR": "€", "USD": "$"}
_UNSHOWN = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TURNING = re.compile("[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Invisible characters that reverse or hide adjacent text."""


def shown(text: str) -> str:
    """Return text without unprintable and direction-changing characters, cut to MAX_TEXT_CHARACTERS.

    Text that consists only of such characters becomes an empty square, because a PDF heading must not be empty (PDF/UA-1).
    """
    if text.isascii() and text.isprintable() and len(text) <= MAX_TEXT_CHARACTERS and " ".join(text.split()) == text:
        return text
    clean = " ".join(_TURNING.sub("", _UNSHOWN.sub("", text)).split())
    if text and not clean:
        return "\u25a1"
    return clean if len(clean) <= MAX_TEXT_CHARACTERS else f"{clean[:MAX_TEXT_CHARACTERS].rstrip()}…"


def money(value: float | None, currency: str | None = "GBP") -> str:
    """Return an amount in whole units of its currency."""
    if value is None:
        return UNKNOWN
    sign = _SIGNS.get(currency or "", "")
    trailing = f" {currency}" if currency and not sign else ""
    return f"{MINUS if round(value) < 0 else ''}{sign}{abs(round(value)):,}{trailing}"


def plain(value: float | None) -> str:
    """Return an amount in whole units without a currency; a dash for None."""
    return NONE if value is None else f"{MINUS if round(value) < 0 else ''}{abs(round(value)):,}"


def short(value: float) -> str:
    """Return an amount in short form for the axis of a chart: 1.2m, 340k, 15."""
    for size, letter in ((1_000_000_000, "bn"), (1_000_000, "m"), (1_000, "k")):
        if abs(value) >= size:
            return f"{MINUS if value < 0 else ''}{abs(value) / size:.3g}{letter}"
    return f"{MINUS if value < 0 else ''}{abs(value):.3g}"


def decimal(value: float | None, places: int = 2) -> str:
    """Return a number with `places` decimals; a dash for None."""
    if value is None:
        return NONE
    text = f"{abs(value):,.{places}f}"
    return f"{MINUS}{text}" if value < 0 and float(text.replace(",", "")) else text


def signed(points: int) -> str:
    """Return whole points with their sign."""
    return f"+{points}" if points > 0 else f"{MINUS}{-points}" if points < 0 else "0"


def per_cent(share: float) -> str:
    """Return a probability as a percentage with two significant figures."""
    return f"{share * 100:.2g}%" if share < 0.995 else "over 99%"


def day(date: dt.date | None) -> str:
    """Return a day in words."""
    return UNKNOWN if date is None else day_in_words(date)


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 year`, `2 years`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
