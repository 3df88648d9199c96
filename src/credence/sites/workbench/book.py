"""The screen of all customers: what they owe, what is at risk, limits and reviews; with totals, filters and CSV."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlencode

from credence import paths
from credence.blocks.forms import Field, Query
from credence.blocks.values import Block, Cell, Links, Note, Table
from credence.clock import london_day
from credence.monitoring.book import BookLine, book_of
from credence.oauth.parameters.scopes import MONITOR
from credence.sites.kit.screen import Exported, Page, Screen, Visit
from credence.sites.workbench.book_charts import total_blocks
from credence.sites.workbench.figures import (
    address_of_company,
    amount_cell,
    band_cell,
    short_held_cell,
)
from credence.sites.workbench.lists import offered_lists
from credence.sites.workbench.reader import reader_of, store_of

BOOK = f"{paths.WORKBENCH}/book"
PAGE_ROWS = 50
MONTH_DAYS = 30

_BANDS = ("A", "B", "C", "D", "E")
_NO_BAND = "none"

_ORDERS: Mapping[str, tuple[str, Callable[[BookLine], tuple[object, ...]]]] = {
    "": ("Most pounds at risk", lambda each: (-(each.at_risk or 0), -(each.exposure or 0), each.company)),
    "exposure": ("Greatest exposure", lambda each: (-(each.exposure or 0), each.company)),
    "overdue": ("Most overdue", lambda each: (-(each.overdue or 0), each.company)),
    "headroom": ("Least headroom", lambda each: (each.headroom is None, each.headroom or 0, each.company)),
    "review": ("Next review", lambda each: (each.approved.review_on if each.approved else "9999", each.company)),
    "name": ("Name", lambda each: (not each.seen.name, each.seen.name.casefold(), each.company)),
}
_VIEWS: Mapping[str, tuple[str, Callable[[BookLine, dt.date], bool]]] = {
    "": ("All customers", lambda _each, _today: True),
    "above": ("Above the limit", lambda each, _today: (each.headroom or 0) < 0),
    "due": ("Review due", lambda each, today: each.is_due(today)),
    "overdue": ("Overdue", lambda each, _today: bool(each.overdue)),
    "worse": ("Band fell in a month", lambda each, today: _fell(each, today)),  # noqa: PLW0108 - defined below
    "held": ("With reasons for caution", lambda each, _today: bool(each.seen.reservations)),
    "failed": ("Failed or in proceedings", lambda each, _today: each.has_failed),
}


async def read(visit: Visit) -> Page:
    """Return one page of the customers that the query selects, with their totals."""
    lines, today = await book_of(store_of(visit), reader_of(visit).client_id), london_day(visit.request.now)
    if not lines:
        text = "There are no customers yet. Create a list, and add companies or upload a ledger."
        return Page("Book", [Note(text, link=("Lists", f"{paths.WORKBENCH}/lists"))], "")
    shown = _chosen(visit, lines, today)
    unmatched = await store_of(visit).count_unmatched(reader_of(visit).client_id)
    query = urlencode({name: value for name, value in visit.request.parameters.items() if name != "page"})
    views = [(words, f"{BOOK}?{urlencode({'view': code})}" if code else BOOK) for code, (words, _) in _VIEWS.items()]
    return Page(
        "Book",
        [
            Links("Views", views),
            await _query(visit),
            *_unmatched(unmatched),
            _table(visit, shown, today),
            Links("Export", [("Download as CSV", f"{BOOK}.csv{f'?{query}' if query else ''}")]),
            *total_blocks(shown, BOOK),
        ],
        "",
        lead="Your customers in all lists, the largest amount at risk first.",
    )


async def export(visit: Visit) -> Exported:
    """Return the customers that the query selects."""
    lines, today = await book_of(store_of(visit), reader_of(visit).client_id), london_day(visit.request.now)
    columns = (
        *(
            "company_number",
            "name",
            "reference",
            "exposure",
            "exposure_is_least",
            "overdue",
            "band",
            "band_month_ago",
            "score",
        ),
        *("probability", "at_risk", "approved_limit", "suggested_limit", "headroom", "above_limit"),
        *("review_on", "state", "reservations"),
    )
    rows = [[_text(value) for value in _values(each, today)] for each in _chosen(visit, lines, today)]
    return Exported(columns, rows)


def _values(each: BookLine, today: dt.date) -> tuple[object, ...]:
    return (
        *(each.company, each.seen.name, each.reference, each.exposure, "yes" if each.is_partial else "no"),
        *(each.overdue, each.seen.band),
        *(_month_ago(each, today), each.seen.score),
        None if each.probability is None else round(each.probability, 6),
        *(each.at_risk, each.approved.amount if each.approved else None, each.seen.limit),
        *((None, None) if each.headroom is None else (max(each.headroom, 0), max(-each.headroom, 0))),
        *(each.approved.review_on if each.approved else None, each.seen.standing, each.seen.codes),
    )


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _month_ago(each: BookLine, today: dt.date) -> str | None:
    return each.standing.band_on(today - dt.timedelta(days=MONTH_DAYS))


def _fell(each: BookLine, today: dt.date) -> bool:
    before = _month_ago(each, today)
    return bool(before) and (each.has_failed or each.seen.band > (before or ""))


def _chosen(visit: Visit, lines: Sequence[BookLine], today: dt.date) -> list[BookLine]:
    text, band, section = (visit.parameter(name)[:100].casefold() for name in ("q", "band", "section"))
    listed, order = visit.parameter("list"), visit.parameter("order")
    _, keep = _VIEWS.get(visit.parameter("view"), _VIEWS[""])
    found = [
        each
        for each in lines
        if keep(each, today)
        and (not band or (each.seen.band.casefold() or _NO_BAND) == band)
        and (not section or (each.standing.section.casefold() or _NO_BAND) == section)
        and (not listed or listed in each.lists)
        and (not text or any(text in part.casefold() for part in (each.seen.name, each.company, each.reference)))
    ]
    return sorted(found, key=_ORDERS.get(order, _ORDERS[""])[1])


async def _query(visit: Visit) -> Query:
    bands = (("", "every"), *((each, each) for each in _BANDS), (_NO_BAND, "not scored"))
    lists = await offered_lists(visit)
    hidden = [Field("section", "Section", visit.parameter("section")[:4])] if visit.parameter("section") else []
    return Query(
        "Filter and sort",
        "Show",
        (
            Field("q", "Name, number or reference", visit.parameter("q")[:100]),
            Field(
                "view", "Which", visit.parameter("view"), options=[(code, words) for code, (words, _) in _VIEWS.items()]
            ),
            Field("band", "Band", visit.parameter("band"), options=bands),
            Field("list", "List", visit.parameter("list"), options=(("", "every list"), *lists.items())),
            *hidden,
            Field(
                "order",
                "First",
                visit.parameter("order"),
                options=[(code, words) for code, (words, _) in _ORDERS.items()],
            ),
        ),
    )


def _unmatched(count: int) -> list[Block]:
    if not count:
        return []
    accounts = f"{count:,} {'account of your ledgers is' if count == 1 else 'accounts of your ledgers are'}"
    return [Note(f"{accounts} not matched to a company yet and not in these figures.", "warn")]


def _table(visit: Visit, found: Sequence[BookLine], today: dt.date) -> Table:
    text = visit.parameter("page")
    page = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    following = ""
    if len(found) > (page + 1) * PAGE_ROWS:
        following = f"{BOOK}?{urlencode({**visit.request.parameters, 'page': str(page + 1)})}"
    rows = [_row(each, today) for each in found[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]]
    columns = (
        *("Company", "Band", "A month ago", "At risk", "Exposure", "Overdue", "Approved", "Suggested", "Headroom"),
        *("Reasons for caution", "Review"),
    )
    title = f"{len(found):,} {'customer' if len(found) == 1 else 'customers'}"
    return Table(title, columns, rows, "No customer matches.", following, frozenset({3, 4, 5, 6, 7, 8}), cards=True)


def _row(each: BookLine, today: dt.date) -> list[Cell]:
    room = each.headroom
    return [
        Cell(each.seen.name or each.company, address_of_company(each.company)),
        band_cell(each.seen.band),
        band_cell(_month_ago(each, today)),
        amount_cell(each.at_risk, is_least=each.is_partial),
        amount_cell(each.exposure, is_least=each.is_partial),
        amount_cell(each.overdue),
        amount_cell(each.approved.amount if each.approved else None),
        amount_cell(each.seen.limit),
        Cell(amount_cell(room).text, tone="bad" if room is not None and room < 0 else ""),
        short_held_cell(each.seen),
        _review(each, today),
    ]


def _review(each: BookLine, today: dt.date) -> Cell:
    if each.approved is None:
        return Cell("")
    due = each.is_due(today)
    return Cell(f"{each.approved.review_on}{' (due)' if due else ''}", tone="bad" if due else "", whole=True)


BOOK_SCREEN = Screen(BOOK, "Book", MONITOR, read, export=export)
