"""Portfolios and their companies in a store. Lists of companies have at most a thousand per call."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.store.collections import Collection, Collections
from credence.store.errors import Conflict, Full
from credence.store.observations import leave_unobserved, observe, wish
from credence.store.statements import Act, Add, do

Outcome = Literal["added", "changed", "unchanged", "full"]
"""The result of adding one company to a portfolio; `full`: the portfolio already has its maximum number of companies."""


class RuleSetting(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule of a portfolio with its parameters (`monitoring/rules.py`); None means that the parameter is not used."""

    rule: str
    by: int | None = None
    below: int | None = None
    kinds: tuple[str, ...] = ()
    """The values that fire the rule, such as bands or statuses (`monitoring/rules.py`); empty for all."""
    policy: str = ""
    """The name of an installed policy, for the rule `decision` alone."""


class Portfolio(msgspec.Struct, frozen=True):
    """A list of companies that an application watches, and the rules by which a change of a company becomes an event."""

    id: str
    owner: str
    """The client_id of the application that made it."""
    name: str
    created_at: Milliseconds
    version: int = 1
    reference: str = ""
    rules: tuple[RuleSetting, ...] = ()
    shared_with: tuple[str, ...] = ()
    """Further applications of the same owner that may use it; only the operator sets them."""


def policies_of(portfolio: Portfolio | None) -> frozenset[str]:
    """Return the names of the policies that the rules of a portfolio use; empty for None."""
    return frozenset(each.policy for each in portfolio.rules if each.policy) if portfolio else frozenset()


class WatchedCompany(msgspec.Struct, frozen=True, omit_defaults=True):
    """One company of a portfolio. Everything but the number is the owner's own data and is returned unchanged."""

    company: str
    reference: str = ""
    exposure: int | None = None
    """The exposure in whole units of `currency`."""
    currency: str = ""
    note: str = ""


_COMPANIES = "SELECT company FROM watched_companies WHERE portfolio = :portfolio"
_COUNT = "SELECT count(*) FROM watched_companies WHERE portfolio = :portfolio"
_ONE = "SELECT document FROM watched_companies WHERE portfolio = :portfolio AND company = :company"
_SOME = (
    "SELECT company, document FROM watched_companies WHERE portfolio = :portfolio AND company = ANY(:companies::text[])"
)
_PAGE = (
    "SELECT document FROM watched_companies WHERE portfolio = :portfolio AND company > :after "
    "ORDER BY company LIMIT :limit"
)
_UNWATCH = (
    "DELETE FROM watched_companies WHERE portfolio = :portfolio AND company = ANY(:companies::text[]) RETURNING company"
)
_FORGET = "DELETE FROM newly_watched WHERE portfolio = :portfolio AND company = ANY(:companies::text[])"
_READ = "SELECT document FROM portfolios WHERE id = :id FOR UPDATE"


def locked(identity: str) -> Act[Portfolio | None]:
    """Return a portfolio; no other transaction changes it or its companies until the end of this one."""
    rows = yield do(_READ, id=identity)
    return msgspec.json.decode(rows[0][0], type=Portfolio) if rows else None


def _saving(portfolio: Portfolio, _at: Milliseconds) -> Act[None]:
    before = yield from locked(portfolio.id)
    yield do("DELETE FROM portfolio_readers WHERE portfolio = :id", id=portfolio.id)
    readers = sorted({portfolio.owner, *portfolio.shared_with})
    types = {"client_id": "text", "portfolio": "text"}
    yield Add("portfolio_readers", types, [(each, portfolio.id) for each in readers])
    if policies_of(portfolio) - policies_of(before):
        watched = yield do(_COMPANIES, portfolio=portfolio.id)
        yield from wish([company for (company,) in watched])


def _deleting(portfolio: Portfolio, _at: Milliseconds) -> Act[None]:
    others = "DELETE FROM portfolio_readers WHERE portfolio = :id AND client_id <> :owner"
    yield do(others, id=portfolio.id, owner=portfolio.owner)
    yield do("DELETE FROM newly_watched WHERE portfolio = :id", id=portfolio.id)
    gone = yield do("DELETE FROM watched_companies WHERE portfolio = :id RETURNING company", id=portfolio.id)
    yield from leave_unobserved([company for (company,) in gone])
    yield do("DELETE FROM customers WHERE portfolio = :id", id=portfolio.id)
    uploads = "SELECT id FROM ledger_uploads WHERE portfolio = :id"
    yield do(f"DELETE FROM ledger_lines WHERE upload IN ({uploads})", id=portfolio.id)  # noqa: S608 - constants
    yield do("DELETE FROM ledger_uploads WHERE portfolio = :id", id=portfolio.id)


PORTFOLIOS = Collection(
    table="portfolios",
    type=Portfolio,
    columns=("owner",),
    owned="id IN (SELECT portfolio FROM portfolio_readers WHERE client_id = :owner)",
    saving=_saving,
    deleting=_deleting,
)


class Portfolios(Collections):
    """The part of a store that has portfolios and their companies."""

    async def portfolio(self, identity: str) -> Portfolio | None:
        """Return the portfolio with this id."""
        return await self.get(PORTFOLIOS, identity)

    async def portfolios_of(self, client_id: str, after: str, limit: int) -> list[Portfolio]:
        """Return the portfolios that an application may use, with ids above `after`, ordered by id."""
        return await self.owned(PORTFOLIOS, client_id, after, limit)

    async def portfolios(self) -> list[Portfolio]:
        """Return all portfolios, ordered by id."""
        return await self.page(PORTFOLIOS)

    async def save_portfolio(self, portfolio: Portfolio, most: int | None = None) -> None:
        """Store a portfolio (see `save`). Those that are shared with its owner count against `most`."""
        await self.save(PORTFOLIOS, portfolio, most=most)

    async def delete_portfolio(self, portfolio: Portfolio) -> None:
        """Delete the portfolio and its companies if the stored version is this one; raises Conflict otherwise.

        The owner may still read its events.
        """
        await self.delete(PORTFOLIOS, portfolio)

    async def watch(self, portfolio: str, companies: Sequence[WatchedCompany], most: int) -> list[Outcome]:
        """Add companies to a portfolio, or replace their entries, and return the result for each, in their order.

        Raises Conflict if the portfolio does not exist. It never has more than `most` companies.
        """
        return await self._transact(watching, portfolio, companies, most)

    async def exchange_watched(
        self, portfolio: str, company: str, before: WatchedCompany | None, after: WatchedCompany | None, most: int
    ) -> None:
        """Replace the entry of a company in a portfolio if it is still `before`; None means that there is no entry.

        Raises Conflict if it is not `before`, Full if the portfolio would have more than `most` companies.
        """

        def exchanging() -> Act[None]:
            yield from locked(portfolio)
            rows = yield do(_ONE, portfolio=portfolio, company=company)
            if (_company(rows[0][0]) if rows else None) != before:
                raise Conflict(company)
            if after is None:
                yield from _unwatching(portfolio, [company])
            elif (yield from watching(portfolio, [after], most)) == ["full"]:
                raise Full(portfolio)

        await self._transact(exchanging)

    async def unwatch(self, portfolio: str, companies: Sequence[str]) -> set[str]:
        """Remove companies from a portfolio and return those that it had. Only companies of portfolios are observed."""
        return await self._transact(_unwatching, portfolio, companies)

    async def watched(self, portfolio: str, after: str, limit: int) -> list[WatchedCompany]:
        """Return the companies of a portfolio with numbers above `after`, in order."""
        rows = await self._rows(_PAGE, portfolio=portfolio, after=after, limit=limit)
        return [_company(document) for (document,) in rows]

    async def watched_company(self, portfolio: str, company: str) -> WatchedCompany | None:
        """Return one company of a portfolio."""
        rows = await self._rows(_ONE, portfolio=portfolio, company=company)
        return _company(rows[0][0]) if rows else None

    async def count_watched(self, portfolio: str) -> int:
        """Return how many companies a portfolio has."""
        ((count,),) = await self._rows(_COUNT, portfolio=portfolio)
        return int(count)


_company = msgspec.json.Decoder(WatchedCompany).decode


def watching(portfolio: str, companies: Sequence[WatchedCompany], most: int) -> Act[list[Outcome]]:
    """Add companies to a portfolio, or replace their entries (see `Portfolios.watch`)."""
    of_portfolio = yield from locked(portfolio)
    if of_portfolio is None:
        raise Conflict(portfolio)
    ((count,),) = yield do(_COUNT, portfolio=portfolio)
    rows = yield do(_SOME, portfolio=portfolio, companies=[each.company for each in companies])
    found: dict[str, bytes] = dict(rows)
    outcomes, kept = _outcomes(companies, found, most - count)
    types = {"portfolio": "text", "company": "text", "document": "bytea"}
    or_else = "(portfolio, company) DO UPDATE SET document = excluded.document"
    yield Add("watched_companies", types, [(portfolio, each, kept[each]) for each in sorted(kept)], or_else)
    yield observe(sorted(kept))
    added = [(portfolio, each) for each in sorted(kept) if each not in found]
    yield Add("newly_watched", {"portfolio": "text", "company": "text"}, added)
    if policies_of(of_portfolio):
        yield from wish([each for each in kept if each not in found])
    return outcomes


def _unwatching(portfolio: str, companies: Sequence[str]) -> Act[set[str]]:
    yield do(_FORGET, portfolio=portfolio, companies=sorted(companies))
    gone = yield do(_UNWATCH, portfolio=portfolio, companies=sorted(companies))
    removed = {company for (company,) in gone}
    yield from leave_unobserved(sorted(removed))
    return removed


def _outcomes(
    companies: Sequence[WatchedCompany], found: dict[str, bytes], room: int
) -> tuple[list[Outcome], dict[str, bytes]]:
    """Return the result for each company, and the documents to store."""
    outcomes: list[Outcome] = []
    kept: dict[str, bytes] = {}
    for each in companies:
        document = msgspec.json.encode(each)
        before = kept.get(each.company, found.get(each.company))
        if before is None and room <= 0:
            outcomes.append("full")
            continue
        room -= before is None
        outcomes.append("added" if before is None else "unchanged" if before == document else "changed")
        kept[each.company] = document
    return outcomes, kept
