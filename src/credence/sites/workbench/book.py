"""The screen of all customers: what they owe, what is at risk, limits and reviews; with totals, filters and CSV."""

import datetime as dt
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from credence import paths
from credence.blocks.forms import Field, Query
from credence.blocks.values import Block, Cell, Links, Note, Table
from credence.clock import london_day
from credence.monitoring.book import BookLine, book_of
from credence.monitoring.book_selection import (
    BANDS,
    MAX_SEARCHED,
    NONE,
    ORDERS,
    VIEWS,
    Selection,
    band_month_ago,
    selected,
)
from credence.monitoring.book_totals import totals_of
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.book import list_book, read_book
from credence.sites.kit.screen import Exported, Page, Screen, Visit
from credence.sites.workbench.book_charts import chart_blocks, sums
from credence.sites.workbench.book_views import (
    BOOK,
    VIEW_ACTS,
    address_of,
    filtered_lists,
    view_forms,
    view_links,
    views_of,
)
from credence.sites.workbench.figures import (
    amount_cell,
    band_cell,
    company_cell,
    day_cell,
    short_held_cell,
)
from credence.sites.workbench.reader import reader_of, store_of

PAGE_ROWS = 50


async def read(visit: Visit) -> Page:
    """Return one page of the customers that the query selects, with their totals."""
    lines, today = await book_of(store_of(visit), reader_of(visit).client_id), london_day(visit.request.now)
    if not lines:
        text = "There are no customers yet. Create a list, and add companies or upload a ledger."
        return Page("Book", [Note(text, link=("Lists", f"{paths.WORKBENCH}/lists"))], "")
    shown = _chosen(visit, lines, today)
    totals = totals_of(shown)
    unmatched = await store_of(visit).count_unmatched(reader_of(visit).client_id, visit.parameter("list"))
    query = urlencode({name: value for name, value in visit.request.parameters.items() if name != "page"})
    fixed = [(words, address_of({} if code == "all" else {"view": code})) for code, (words, _) in VIEWS.items()]
    views = await views_of(visit)
    lists = await filtered_lists(visit, views)
    return Page(
        "Book",
        [
            Links("Views", fixed),
            *view_links(views, lists),
            _query(visit, lists),
            *_unmatched(unmatched),
            *sums(totals),
            _table(visit, shown, today),
            Links("Export", [("Download as CSV", f"{BOOK}.csv{f'?{query}' if query else ''}")]),
            *view_forms(visit, views, lists),
            *chart_blocks(shown, totals, BOOK),
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
        *(band_month_ago(each, today), each.seen.score),
        None if each.probability is None else round(each.probability, 6),
        *(each.at_risk, each.approved.amount if each.approved else None, each.seen.limit),
        *((None, None) if each.headroom is None else (max(each.headroom, 0), max(-each.headroom, 0))),
        *(each.approved.review_on if each.approved else None, each.seen.standing, each.seen.codes),
    )


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _chosen(visit: Visit, lines: Sequence[BookLine], today: dt.date) -> list[BookLine]:
    text, band, section = (visit.parameter(name)[:MAX_SEARCHED] for name in ("q", "band", "section"))
    selection = Selection(text, visit.parameter("view"), band, section, visit.parameter("list"))
    return selected(lines, selection, visit.parameter("order"), today)


def _query(visit: Visit, lists: Mapping[str, str]) -> Query:
    bands = (("", "Any"), *((each, each) for each in BANDS), (NONE, "Not scored"))
    hidden = [Field("section", "Section", visit.parameter("section")[:4])] if visit.parameter("section") else []
    return Query(
        "Filter and sort",
        "Show",
        (
            Field("q", "Name, number or reference", visit.parameter("q")[:MAX_SEARCHED]),
            Field(
                "view", "View", visit.parameter("view"), options=[(code, words) for code, (words, _) in VIEWS.items()]
            ),
            Field("band", "Band", visit.parameter("band"), options=bands),
            Field("list", "List", visit.parameter("list"), options=(("", "All lists"), *lists.items())),
            *hidden,
            Field(
                "order",
                "Sort by",
                visit.parameter("order"),
                options=[(code, words) for code, (words, _) in ORDERS.items()],
            ),
        ),
    )


def _unmatched(count: int) -> list[Block]:
    if not count:
        return []
    accounts = f"{count:,} {'account in your ledgers is' if count == 1 else 'accounts in your ledgers are'}"
    return [Note(f"{accounts} not matched to a company yet, so these figures leave them out.", "warn")]


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
        company_cell(each.seen.name, each.company),
        band_cell(each.seen.band),
        band_cell(band_month_ago(each, today)),
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
    return day_cell(each.approved.review_on, "review due" if due else "", "bad" if due else "")


BOOK_SCREEN = Screen(BOOK, "Book", MONITOR, read, VIEW_ACTS, export=export, shows=(read_book, list_book))
