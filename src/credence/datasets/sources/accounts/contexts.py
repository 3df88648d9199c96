"""Contexts: the period and the dimensions of a fact (XBRL 2.1 §4.7, XBRL Dimensions 1.0), and the formats of dates.

A context's id is free text and its identifier is often a name instead of a company number; neither is interpreted. Dates
come with or without a format (Transformation Registries 1 to 4).
"""

import datetime as dt
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from lxml import etree

INSTANCE = "http://www.xbrl.org/2003/instance"
MAX_DIMENSIONS = 20
"""Dimensions of one context; the sample has three at most."""

_CONTEXT = f"{{{INSTANCE}}}context"
_DIMENSIONS = "http://xbrl.org/2006/xbrldi"
_PARTS = (
    *(f"{{*}}{name}" for name in ("instant", "startDate", "endDate", "segment", "scenario")),
    f"{{{_DIMENSIONS}}}*",
    _CONTEXT,
)
"""What a context is read from; nothing else of it is."""

Dimensions = tuple[tuple[str, str], ...]
"""Local names of dimension and member, in alphabetical order. An unreadable part of a context counts as one too."""


class UnreadableDocument(Exception):
    """A document is rejected. The message is a reason code such as `document.entities`, without any content."""


class Context(NamedTuple):
    """The period and the dimensions of a fact."""

    end: dt.date
    """The instant, or the last day of a duration."""
    start: dt.date | None
    """None for an instant."""
    dimensions: Dimensions


def contexts_of(root: etree._Element) -> Callable[[str], Context | None]:
    """Return a function that finds a context by id, and reads each at most once: facts name a third of them.

    It returns None for an unknown id, and leaves out contexts with impossible dates or too many dimensions; of two with one
    id the first that remains counts. It raises UnreadableDocument with `document.nesting` for one that contains another.
    """
    by_id: dict[str, list[etree._Element]] = {}
    for element in root.iter(_CONTEXT):
        by_id.setdefault(element.get("id", ""), []).append(element)

    @cache
    def find(name: str) -> Context | None:
        return next(filter(None, map(_context, by_id.get(name, ()))), None)

    return find


def read_units(root: etree._Element) -> dict[str, str]:
    """Return the measure of each unit by id, such as `iso4217:GBP`; empty for a quotient of units."""
    units: dict[str, str] = {}
    for element in root.iter(f"{{{INSTANCE}}}unit"):
        measures = [child.text or "" for child in element if child.tag == f"{{{INSTANCE}}}measure"]
        units.setdefault(element.get("id", ""), measures[0].strip() if len(measures) == 1 else "")
    return units


def local(name: str | None) -> str:
    """Return a name without its prefix."""
    return (name or "").strip().rpartition(":")[2]


def split(element: etree._Element) -> tuple[str, str]:
    """Return namespace and local name of an element; lxml's QName raises for names recovered from broken markup."""
    tag = element.tag
    return _known(tag) if len(tag) <= _LETTERS_KNOWN else _split(tag)


def _split(tag: str) -> tuple[str, str]:
    space, _, name = tag.rpartition("}")
    return space.removeprefix("{"), name


_known = lru_cache(maxsize=4096)(_split)
"""Caches the names of one taxonomy; long names of a hostile document are not cached."""

_LETTERS_KNOWN = 300


def _context(element: etree._Element) -> Context | None:
    dates: dict[str, dt.date | None] = {}
    dimensions: list[tuple[str, str]] = []
    for each in element.iter(*_PARTS):
        space, name = split(each)
        if space == _DIMENSIONS:
            dimensions.append(_dimension(each, name))
        elif each.tag == _CONTEXT and each is not element:
            raise UnreadableDocument("document.nesting")
        elif name in ("instant", "startDate", "endDate"):
            dates[name] = iso_date(each.text or "")
        elif name in ("segment", "scenario") and any(_is_foreign(child) for child in each):
            dimensions.append((name, "unread"))
    if len(dimensions) > MAX_DIMENSIONS:
        return None
    end = dates.get("instant") or dates.get("endDate")
    start = dates.get("startDate")
    if end is None or ("instant" not in dates and start is None) or (start and start > end):
        return None
    return Context(end, start, tuple(sorted(dimensions)))


def _dimension(element: etree._Element, kind: str) -> tuple[str, str]:
    if kind == "explicitMember":
        return local(element.get("dimension")), local(element.text)
    return local(element.get("dimension")), "typed"


def _is_foreign(element: etree._Element) -> bool:
    return isinstance(element.tag, str) and not element.tag.startswith(f"{{{_DIMENSIONS}}}")


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
