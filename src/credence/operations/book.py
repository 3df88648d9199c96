"""Readings of the book: all customers of an application at once, and what they are together (D31)."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from credence import paths
from credence.clock import london_day
from credence.crypto import base64url
from credence.meanings import Input, meaning
from credence.monitoring.book import BookLine, book_of
from credence.monitoring.book_schema import BookPage, BookTotal, customer_shown, total_shown
from credence.monitoring.book_selection import ORDERS, VIEWS, Key, Selection, selected
from credence.monitoring.portfolios import find_portfolio
from credence.operations.acting import OWNERS, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Noun, as_it_is
from credence.operations.pages import MAX_PAGE_SIZE, after
from credence.operations.reading import reading
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_PARAMETER

_BANDS: Final = Meta(pattern="^([A-E]|none)?$", extra_json_schema={"enum": [*"ABCDE", "none"]})
_SECTIONS: Final = Meta(pattern="^([A-U]|none)?$")
_key_in = msgspec.json.Decoder(Key).decode


class BookFilter(Struct, frozen=True, forbid_unknown_fields=True):
    """Which customers are meant; without a filter all."""

    text: Annotated[
        str, Meta(max_length=100), meaning("Only those with this in name, number or reference."), Input(default="any")
    ] = ""
    view: Annotated[
        Literal["all", "above", "due", "overdue", "worse", "held", "failed"],
        meaning("Only some:", values={code: words.lower() for code, (words, _) in VIEWS.items()}),
    ] = "all"
    band: Annotated[str, _BANDS, meaning("Only those of this band; `none` for not scored."), Input(default="any")] = ""
    section: Annotated[
        str, _SECTIONS, meaning("Only those of this section of SIC 2007; `none` for unknown."), Input(default="any")
    ] = ""
    portfolio: Annotated[str, meaning("Only those of this portfolio."), Input(default="any")] = ""

    @property
    def selection(self) -> Selection:
        """What they have in common."""
        return Selection(self.text, self.view, self.band, self.section, self.portfolio)


class BookOptions(BookFilter, frozen=True, forbid_unknown_fields=True):
    """Which customers are printed, and in which order."""

    order: Annotated[
        Literal["risk", "exposure", "overdue", "headroom", "review", "name"],
        meaning("Which come first:", values={code: words.lower() for code, (words, _) in ORDERS.items()}),
    ] = "risk"

    def body(self) -> "BookQuery":
        """Return the query of the first page."""
        return BookQuery(**msgspec.structs.asdict(self), page_size=MAX_PAGE_SIZE)


class BookQuery(BookOptions, frozen=True, forbid_unknown_fields=True):
    """Which customers are returned, and in which order."""

    page_size: Annotated[
        int, Meta(ge=1, le=MAX_PAGE_SIZE), meaning(f"Entries of a page, at most {MAX_PAGE_SIZE:,}. Default: 100.")
    ] = 100
    page_token: Annotated[str, meaning("`next_page_token` of the previous page.")] = ""


BOOK: Final[Noun[BookTotal]] = Noun(
    name="book",
    path="book",
    base=paths.MONITORING,
    state=as_it_is(BookTotal),
    within=APPLICATION,
    is_found_by_owner=True,
)


@reading(
    "book show",
    on=BOOK,
    lists=True,
    id="read_book",
    access=OWNERS,
    title="The book",
    tables=("by_band", "by_section", "greatest", "groups"),
)
async def read_book(by: Acting, _found: None, query: BookFilter) -> BookTotal:
    """Show what the customers are together: exposure, expected loss, overdue, headroom, bands, sections, concentration.

    The customers are the companies of all portfolios of the application. The expected loss says what it assumes.
    """
    found = await _selected(by, query, "")
    return total_shown(found, await by.means.store.count_unmatched(by.owns or "", query.portfolio))


async def _selected(by: Acting, query: BookFilter, order: str) -> Sequence[BookLine]:
    """Return the customers that are meant. Raises Refused for an unknown portfolio, whose sums would be 0."""
    store, owner = by.means.store, by.owns or ""
    if query.portfolio:
        await find_portfolio(store, query.portfolio, owner)
    return selected(await book_of(store, owner), query.selection, order, london_day(by.now))


def _rest(query: BookQuery, answer: Mapping[str, Any]) -> BookQuery | None:
    token = answer["next_page_token"]
    return msgspec.structs.replace(query, page_token=token) if token else None


@reading(
    "book customers",
    on=BOOK,
    lists=True,
    api="customers",
    access=OWNERS,
    title="Customers of the book",
    typed=BookOptions,
    rows="customers",
    columns=(
        *("company_number", "name", "band", "band_month_ago", "at_risk", "exposure", "exposure_is_least"),
        *("overdue", "approved_limit", "suggested_limit", "headroom", "review_on", "state"),
    ),
    goes_on=_rest,
)
async def list_book(by: Acting, _found: None, query: BookQuery) -> BookPage:
    """List the customers with exposure, limits, bands now and a month ago, and pounds at risk: the most at risk first."""
    return _page(await _selected(by, query, query.order), query, london_day(by.now))


def _page(found: Sequence[BookLine], query: BookQuery, today: dt.date) -> BookPage:
    """Return the customers after the one whose key is the token: none is missed or doubled while others change."""
    key_of = ORDERS[query.order][1]
    try:
        order, *last = _key_in(after(query.page_token)) if query.page_token else (query.order,)
        if order != query.order:
            raise ValueError(order)
        rest = [each for each in found if not last or key_of(each) > tuple(last)]
    except (ValueError, TypeError):  # no token of this order
        raise Refused(RESOURCE_PARAMETER, "resource.page_token") from None
    shown = rest[: query.page_size]
    following = (
        base64url.encode(msgspec.json.encode((query.order, *key_of(shown[-1])))) if len(rest) > len(shown) else ""
    )
    return BookPage(tuple(customer_shown(each, today) for each in shown), following)
