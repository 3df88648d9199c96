"""The companies of portfolios in a SQLite store."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec
from typing_extensions import override

from credence.store.contract import Conflict, Full, Store
from credence.store.monitoring import Outcome, Portfolio, WatchedCompany, policies_of
from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.reading import decoded

_PORTFOLIO = msgspec.json.Decoder(Portfolio)
_COMPANY = msgspec.json.Decoder(WatchedCompany)
_encode = msgspec.json.Encoder().encode

_DOCUMENT = "SELECT document FROM watched_companies WHERE portfolio = ? AND company = ?"
_WATCH = (
    "INSERT INTO watched_companies (portfolio, company, document) VALUES (?, ?, ?) "
    "ON CONFLICT (portfolio, company) DO UPDATE SET document = excluded.document"
)
LEAVE_UNOBSERVED = (
    "DELETE FROM observations WHERE company = ?1 AND NOT EXISTS (SELECT 1 FROM watched_companies WHERE company = ?1)"
)
_WISH = "UPDATE observations SET wishes = wishes + 1 WHERE company = ?"


def portfolio_in(connection: sqlite3.Connection, identity: str) -> Portfolio | None:
    """Return a portfolio."""
    row = connection.execute("SELECT document FROM portfolios WHERE id = ?", (identity,)).fetchone()
    return decoded(_PORTFOLIO, row[0]) if row else None


def _count(connection: sqlite3.Connection, portfolio: str) -> int:
    query = "SELECT count(*) FROM watched_companies WHERE portfolio = ?"
    return int(connection.execute(query, (portfolio,)).fetchone()[0])


def watch(
    connection: sqlite3.Connection, portfolio: str, companies: Sequence[WatchedCompany], most: int
) -> list[Outcome]:
    """Add or change companies of a portfolio."""
    kept = portfolio_in(connection, portfolio)
    if kept is None:
        raise Conflict(portfolio)
    decides = bool(policies_of(kept))
    count = _count(connection, portfolio)
    outcomes: list[Outcome] = []
    for each in companies:
        document = _encode(each)
        found = connection.execute(_DOCUMENT, (portfolio, each.company)).fetchone()
        if found is None and count >= most:
            outcomes.append("full")
            continue
        outcomes.append("added" if found is None else "unchanged" if found[0] == document else "changed")
        count += found is None
        connection.execute(_WATCH, (portfolio, each.company, document))
        connection.execute("INSERT INTO observations (company) VALUES (?) ON CONFLICT DO NOTHING", (each.company,))
        if found is None and decides:
            connection.execute(_WISH, (each.company,))
    return outcomes


def unwatch(connection: sqlite3.Connection, portfolio: str, companies: Sequence[str]) -> int:
    """Remove companies from a portfolio."""
    removed = 0
    for each in companies:
        values = (portfolio, each)
        removed += connection.execute(
            "DELETE FROM watched_companies WHERE portfolio = ? AND company = ?", values
        ).rowcount
        connection.execute(LEAVE_UNOBSERVED, (each,))
    return removed


def _exchange(
    connection: sqlite3.Connection,
    portfolio: str,
    company: str,
    before: WatchedCompany | None,
    after: WatchedCompany | None,
    most: int,
) -> None:
    found = connection.execute(_DOCUMENT, (portfolio, company)).fetchone()
    if (decoded(_COMPANY, found[0]) if found else None) != before:
        raise Conflict(company)
    if after is None:
        unwatch(connection, portfolio, [company])
    elif watch(connection, portfolio, [after], most) == ["full"]:
        raise Full(portfolio)


class SqliteWatched(Store):
    """The part of the SQLite store that is about the companies of portfolios."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def watch(self, portfolio: str, companies: Sequence[WatchedCompany], most: int) -> list[Outcome]:
        return await self._writer.run(lambda connection: watch(connection, portfolio, companies, most))

    @override
    async def unwatch(self, portfolio: str, companies: Sequence[str]) -> int:
        return await self._writer.run(lambda connection: unwatch(connection, portfolio, companies))

    @override
    async def exchange_watched(
        self, portfolio: str, company: str, before: WatchedCompany | None, after: WatchedCompany | None, most: int
    ) -> None:
        await self._writer.run(lambda connection: _exchange(connection, portfolio, company, before, after, most))

    @override
    async def watched(self, portfolio: str, after: str, limit: int) -> list[WatchedCompany]:
        query = (
            "SELECT document FROM watched_companies WHERE portfolio = ? AND company > ? ORDER BY portfolio, company "
            "LIMIT ?"
        )
        return [decoded(_COMPANY, each) for (each,) in self._read(query, portfolio, after, limit)]

    @override
    async def watched_company(self, portfolio: str, company: str) -> WatchedCompany | None:
        rows = self._read(_DOCUMENT, portfolio, company)
        return decoded(_COMPANY, rows[0][0]) if rows else None

    @override
    async def count_watched(self, portfolio: str) -> int:
        return int(self._read("SELECT count(*) FROM watched_companies WHERE portfolio = ?", portfolio)[0][0])
