"""Which customers of the book are wanted, and in which order: the same filters for screen, API, command and agents."""

import datetime as dt
from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple

from credence.monitoring.book import BookLine
from credence.scoring.basis.sectors import SECTIONS

BANDS = ("A", "B", "C", "D", "E")
MONTH_DAYS = 30
NONE = "none"
"""The band or section of customers without one."""

_LONGEST_NAME = 60

Key = tuple[int | str, ...]

ORDERS: Mapping[str, tuple[str, Callable[[BookLine], Key]]] = {
    "risk": ("Most pounds at risk", lambda each: (-(each.at_risk or 0), -(each.exposure or 0), each.company)),
    "exposure": ("Greatest exposure", lambda each: (-(each.exposure or 0), each.company)),
    "overdue": ("Most overdue", lambda each: (-(each.overdue or 0), each.company)),
    "headroom": ("Least headroom", lambda each: (int(each.headroom is None), each.headroom or 0, each.company)),
    "review": ("Next review", lambda each: (each.approved.review_on if each.approved else "9999", each.company)),
    "name": ("Name", lambda each: (int(not each.seen.name), each.seen.name.casefold()[:_LONGEST_NAME], each.company)),
}
"""Code -> words, and the key by which customers are sorted; it ends with the number, so no two have the same."""


def band_month_ago(each: BookLine, today: dt.date) -> str | None:
    """Return the band a month ago, empty if it was not scored; None if that is unknown."""
    return each.standing.band_on(today - dt.timedelta(days=MONTH_DAYS))


def _fell(each: BookLine, today: dt.date) -> bool:
    before = band_month_ago(each, today)
    has_lost_it = each.has_failed and not each.seen.band
    return bool(before) and (has_lost_it or each.seen.band > (before or ""))


VIEWS: Mapping[str, tuple[str, Callable[[BookLine, dt.date], bool]]] = {
    "all": ("All customers", lambda _each, _today: True),
    "above": ("Above the limit", lambda each, _today: (each.headroom or 0) < 0),
    "due": ("Review due", BookLine.is_due),
    "overdue": ("Overdue", lambda each, _today: bool(each.overdue)),
    "worse": ("Band fell in a month", _fell),
    "held": ("With reasons for caution", lambda each, _today: bool(each.seen.reservations)),
    "failed": ("Failed or in proceedings", lambda each, _today: each.has_failed),
}
"""Code -> words, and whether a customer is one of them on a day."""


class Selection(NamedTuple):
    """What the customers have in common; an empty member selects all."""

    text: str = ""
    """A part of the name, the number or the reference."""
    view: str = ""
    band: str = ""
    section: str = ""
    portfolio: str = ""


def selected(lines: Sequence[BookLine], by: Selection, order: str, today: dt.date) -> list[BookLine]:
    """Return the customers of a selection in an order; unknown codes of view and order are those of the first ones."""
    text, band, section = by.text.casefold(), by.band.casefold(), by.section.casefold()
    _, keep = VIEWS.get(by.view, VIEWS["all"])
    found = [
        each
        for each in lines
        if keep(each, today)
        and (not band or (each.seen.band.casefold() or NONE) == band)
        and (not section or (each.standing.section.casefold() or NONE) == section)
        and (not by.portfolio or by.portfolio in each.lists)
        and (not text or any(text in part.casefold() for part in (each.seen.name, each.company, each.reference)))
    ]
    return sorted(found, key=ORDERS.get(order, ORDERS["risk"])[1])


MAX_SEARCHED = 100
"""The most characters of a text that is searched."""


def chosen_filters(given: Mapping[str, str], lists: Container[str]) -> dict[str, str]:
    """Return the parameters of the book's address that choose something; a code or list that does not exist is left out.

    `lists` has the ids of the portfolios that there are.
    """
    text = given.get("q", "").strip()[:MAX_SEARCHED]
    codes: Mapping[str, Container[str]] = {
        "view": VIEWS.keys() - {"all"},
        "band": (*BANDS, NONE),
        "section": (*SECTIONS, NONE),
        "list": lists,
        "order": ORDERS.keys() - {"risk"},
    }
    found = {name: given[name] for name, known in codes.items() if given.get(name, "") in known}
    return {"q": text, **found} if text and text.isprintable() else found
