"""The dates of filings, with or without a format (Transformation Registries 1 to 4)."""

import datetime as dt
import re
from functools import lru_cache

_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T00:00:00)?")
_ISO_LETTERS = len("2026-03-31T00:00:00")
_WORDS = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?[\s.,-]*([a-z]{3,9})[\s.,-]*([0-9]{4}|[0-9]{2})", re.IGNORECASE)
_MONTH_FIRST = re.compile(r"([a-z]{3,9})[\s.]*([0-9]{1,2})(?:st|nd|rd|th)?[\s,]+([0-9]{4})", re.IGNORECASE)
_FIGURES = re.compile(r"([0-9]{1,2})\s*[./-]\s*([0-9]{1,2})\s*[./-]\s*([0-9]{4}|[0-9]{2})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def iso_date(text: str) -> dt.date | None:
    """Return the date of a context, `2026-03-31`; None for another text."""
    text = text.strip()
    return _iso_date(text) if len(text) <= _ISO_LETTERS else None


@lru_cache(maxsize=4096)
def _iso_date(text: str) -> dt.date | None:
    # Cached, because the contexts of a document have three or four days; a hostile text is too long to get here.
    form = _ISO.fullmatch(text)
    return _date(form[1], form[2], form[3]) if form else None


def read_date(text: str) -> dt.date | None:
    """Return the date in a tagged text: ISO, with the month in words, or in digits, the day first; None for other text."""
    text = text.strip()
    if len(text) > 40:
        return None
    if form := _WORDS.fullmatch(text):
        return _date(form[3], _month(form[2]), form[1])
    if form := _MONTH_FIRST.fullmatch(text):
        return _date(form[3], _month(form[1]), form[2])
    if form := _FIGURES.fullmatch(text):
        return _date(form[3], form[2], form[1])
    return iso_date(text)


def _month(word: str) -> str:
    start = word[:3].lower()
    return str(_MONTHS.index(start) + 1) if start in _MONTHS else "0"


def _date(year: str, month: str, day: str) -> dt.date | None:
    try:
        return dt.date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None
