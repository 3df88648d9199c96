"""The companies of a portfolio: one is watched, changed or no longer watched, or a list of them is.

Routes, commands and forms of operations are written by hand, because they read a file or compare with what the caller has
read; the route of the list, because it also answers with CSV.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, cast

from credence.monitoring.portfolios import unwatch, watch
from credence.monitoring.rows import MAX_COMPANIES, Row
from credence.monitoring.schema import CompanyPage, ImportResult, RowResult, company_state
from credence.operations.acting import OWNERS, Acting
from credence.operations.audit_changes import changes
from credence.operations.operation import Change, Operation, operation
from credence.operations.pages import Page, first_of
from credence.operations.perform import perform
from credence.operations.portfolios import PORTFOLIO
from credence.operations.reading import reading
from credence.store.contract import Store
from credence.store.portfolios import Portfolio, WatchedCompany

_PIECE: Final = 1_000
"""The most rows in one transaction of the store, for which others wait."""

_Step = Callable[[Store, str, Sequence[Row], int], Awaitable[list[RowResult]]]


@reading(
    "portfolio companies",
    on=PORTFOLIO,
    api="companies",
    access=OWNERS,
    rows="companies",
    columns=("company_number", "reference", "exposure", "currency", "note"),
    title="List the companies of a portfolio",
    is_route=False,
)
async def list_watched(by: Acting, found: Portfolio, page: Page) -> CompanyPage:
    """List the companies of a portfolio with what their owner says of them."""
    store = by.means.store
    watched = await store.watched(found.id, page.after, page.size + 1)
    shown, following = first_of(watched, lambda each: each.company, page)
    return CompanyPage(tuple(map(company_state, shown)), await store.count_watched(found.id), following)


_operation = partial(operation, on=PORTFOLIO, access=OWNERS, here_only="It takes a file, or what was read before.")
_of_a_file = partial(_operation, answers=ImportResult, by_hand=True)


class Exchange(NamedTuple):
    """One company of a portfolio as the caller has read it and as it should be; None where there is no entry."""

    before: WatchedCompany | None
    after: WatchedCompany | None


class Listed(NamedTuple):
    """The rows of a list, with those that have a fault."""

    rows: Sequence[Row]


@_operation(
    "portfolio watch",
    title="Watch a company",
    event="company_watched",
    site_only="workbench",
    here_only="`portfolio import` watches one company as well as many.",
    by_hand_at="PUT portfolios/{portfolio}/companies/{company_number}",
)
async def exchange_watched(by: Acting, found: Portfolio, body: Exchange) -> Change[Portfolio]:
    """Watch a company, change what is said of it, or stop watching it."""
    company = next(each.company for each in reversed(body) if each is not None)

    async def exchange() -> None:
        await by.means.store.exchange_watched(found.id, company, body.before, body.after, MAX_COMPANIES)

    named = {"company_number": company}
    return Change(found, effect=exchange, effects=changes(body.before, body.after), named=named)


@_of_a_file(
    "portfolio import",
    title="Watch a list of companies",
    event="companies_added",
    by_hand_at="POST portfolios/{portfolio}/companies",
)
async def watch_listed(by: Acting, found: Portfolio, body: Listed) -> Change[Portfolio]:
    """Watch every company of a list. A fault of one row refuses no other."""
    return _piece_by_piece(by, found, body.rows, watch)


@_of_a_file(
    "portfolio remove",
    title="Stop watching a list",
    event="companies_removed",
    by_hand_at="POST portfolios/{portfolio}/removals",
    no_screen="The screen of a company stops watching it; a list comes from a program.",
)
async def unwatch_listed(by: Acting, found: Portfolio, body: Listed) -> Change[Portfolio]:
    """Stop watching every company of a list."""
    return _piece_by_piece(by, found, body.rows, unwatch)


def _piece_by_piece(by: Acting, found: Portfolio, rows: Sequence[Row], step: _Step) -> Change[Portfolio]:
    async def act() -> ImportResult:
        results: list[RowResult] = []
        for start in range(0, len(rows), _PIECE):
            results += await step(by.means.store, found.id, rows[start : start + _PIECE], start)
        return ImportResult(dict(Counter(each.result for each in results)), tuple(results))

    return Change(found, effect=act, named={"rows": str(len(rows))})


async def exchange_in(by: Acting, portfolio: str, before: WatchedCompany | None, after: WatchedCompany | None) -> None:
    """Exchange one company of a portfolio that the caller may use.

    Raises Conflict if it is not as the caller has read it, Full if the portfolio has `MAX_COMPANIES`, and Refused with 404.
    """
    await perform(exchange_watched, by, portfolio, Exchange(before, after), require_version=lambda _state: None)


async def apply_list(operation: Operation, by: Acting, portfolio: str, rows: Sequence[Row]) -> ImportResult:
    """Watch a list of companies, or stop watching it. Raises Refused with 404 unless the caller may use the portfolio."""
    outcome = await perform(operation, by, portfolio, Listed(rows))
    return cast("ImportResult", outcome.state)
