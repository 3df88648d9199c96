"""Formats of numbers, amounts, days and instants on a page, and the cleaning of text from elsewhere.

Screens show every character (`visible`), because who writes a name may wish to deceive who operates the service
(threats E4); a report leaves out invisible characters (`shown`).
"""

import datetime as dt
import re

from credence.clock import Milliseconds, day_in_words

MINUS = "\u2212"
NONE = "\u2013"
"""The dash shown in an empty cell."""

UNKNOWN = "not known"
MAX_SHOWN = 400
"""The most characters of a text on a screen. Texts of operators and applications may be longer."""

MAX_TEXT_CHARACTERS = 600
"""Maximum length of a text in a report; names on the register have at most 160 characters."""

_WEEK_MS = 7 * 86_400_000

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


def short_day(text: str) -> str:
    """Return a date of ISO 8601 as tables have it, such as 24 Nov 2026; anything else as it is."""
    try:
        return f"{dt.date.fromisoformat(text):%-d %b %Y}"
    except ValueError:
        return text


def day(date: dt.date | None) -> str:
    """Return a day in words."""
    return UNKNOWN if date is None else day_in_words(date)


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 year`, `2 years`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def visible(text: str, most: int = MAX_SHOWN) -> str:
    """Return a text with every character visible, truncated after `most` characters (threats E4)."""
    cut = text if len(text) <= most else f"{text[:most]}…"
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in cut)


def visible_lines(text: str) -> str:
    """Return a text of several lines with every character visible."""
    return "".join(each if each.isprintable() or each == "\n" else f"\\u{ord(each):04x}" for each in text)


def relative(at: Milliseconds, now: Milliseconds) -> str:
    """Return an instant as a reader says it: the time since it or until it, or its day if that is a week away or more."""
    if abs(now - at) < _WEEK_MS:
        return ago(at, now)
    return f"{dt.datetime.fromtimestamp(at / 1000, dt.UTC):%-d %b %Y}"


def ago(at: Milliseconds, now: Milliseconds) -> str:
    """Return the time since an instant, or until it, in its largest unit."""
    seconds = abs(now - at) // 1000
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago" if at <= now else f"in {seconds // size} {unit}"
    return f"in {seconds} s" if seconds and at > now else f"{seconds} s ago"
