"""Contexts: the period and the dimensions of a fact (XBRL 2.1 §4.7, XBRL Dimensions 1.0).

Nothing is concluded from a context's id, which is free text, nor from its identifier, which is a name as often as a
company number.
"""

import datetime as dt
from typing import NamedTuple

from lxml import etree

from credence.datasets.sources.accounts.dates import iso_date
from credence.datasets.sources.accounts.refused import UnreadableDocument

INSTANCE = "http://www.xbrl.org/2003/instance"
MAX_DIMENSIONS = 20
"""Dimensions of one context; the most of the sample is three."""

_CONTEXT = f"{{{INSTANCE}}}context"
_DIMENSIONS = "http://xbrl.org/2006/xbrldi"

Dimensions = tuple[tuple[str, str], ...]
"""Local names of dimension and member, in alphabetical order. An unread part of a context counts as one too."""


class Context(NamedTuple):
    """When and of what a fact is."""

    end: dt.date
    """The day, or the last day of a duration."""
    start: dt.date | None
    """None of an instant."""
    dimensions: Dimensions


def read_contexts(root: etree._Element) -> dict[str, Context]:
    """Return the contexts by id, without those whose dates are impossible or that have too many dimensions.

    Of two with one id the first counts. Raises UnreadableDocument with `document.nesting` where one lies within another.
    """
    contexts: dict[str, Context] = {}
    for element in root.iter(_CONTEXT):
        context = _context(element)
        if context:
            contexts.setdefault(element.get("id", ""), context)
    return contexts


def read_units(root: etree._Element) -> dict[str, str]:
    """Return the measure of each unit by id, such as `iso4217:GBP`; of a fraction of units an empty one."""
    units: dict[str, str] = {}
    for element in root.iter(f"{{{INSTANCE}}}unit"):
        measures = [child.text or "" for child in element if child.tag == f"{{{INSTANCE}}}measure"]
        units.setdefault(element.get("id", ""), measures[0].strip() if len(measures) == 1 else "")
    return units


def local(name: str | None) -> str:
    """Return a name without its prefix."""
    return (name or "").strip().rpartition(":")[2]


def split(element: etree._Element) -> tuple[str, str]:
    """Return namespace and local name of an element. lxml's own way raises where markup was recovered to no name."""
    space, _, name = element.tag.rpartition("}")
    return space.removeprefix("{"), name


def _context(element: etree._Element) -> Context | None:
    dates: dict[str, dt.date | None] = {}
    dimensions: list[tuple[str, str]] = []
    for each in element.iter(etree.Element):
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
