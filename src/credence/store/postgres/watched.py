"""The companies of portfolios in a PostgreSQL store."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.store.contract import Conflict, Full, Store
from credence.store.monitoring import Outcome, Portfolio, WatchedCompany, policies_of
from credence.store.postgres.connections import Connection, Connections, is_storable

_portfolio = msgspec.json.Decoder(Portfolio).decode
_company = msgspec.json.Decoder(WatchedCompany).decode
_encode = msgspec.json.Encoder().encode

_DOCUMENT = "SELECT document FROM watched_companies WHERE portfolio = %s AND company = %s"
_FULL = "SELECT count(*) FROM watched_companies WHERE portfolio = %s"
_WATCH = (
    "INSERT INTO watched_companies SELECT %s, * FROM unnest(%s::text[], %s::bytea[]) "
    "ON CONFLICT (portfolio, company) DO UPDATE SET document = excluded.document"
)
_OBSERVE = "INSERT INTO observations SELECT company, NULL FROM unnest(%s::text[]) AS company ON CONFLICT DO NOTHING"
WISH = (
    "UPDATE observations SET wishes = wishes + 1 WHERE company IN "
    "(SELECT company FROM observations WHERE company = ANY(%s) ORDER BY company FOR UPDATE)"
)
_UNWATCH = "DELETE FROM watched_companies WHERE portfolio = %s AND company = ANY(%s) RETURNING company"
_LEAVE_UNOBSERVED = (
    "DELETE FROM observations WHERE company = ANY(%s) "
    "AND NOT EXISTS (SELECT FROM watched_companies WHERE watched_companies.company = observations.company)"
)
_WATCHED = "SELECT document FROM watched_companies WHERE portfolio = %s AND company > %s ORDER BY company LIMIT %s"


async def delete_observations(connection: Connection, companies: list[str]) -> None:
    """Delete the observations of those of these companies that are in no portfolio any more."""
    await connection.execute(_LEAVE_UNOBSERVED, (sorted(companies),))


async def portfolio_of(connection: Connection, identity: str) -> Portfolio | None:
    """Return a portfolio and lock it until the end of the transaction."""
    query = "SELECT document FROM portfolios WHERE id = %s FOR UPDATE"
    row = await (await connection.execute(query, (identity,))).fetchone()
    return _portfolio(row[0]) if row else None


async def _watch(
    connection: Connection, portfolio: str, companies: Sequence[WatchedCompany], most: int
) -> list[Outcome]:
    of_portfolio = await portfolio_of(connection, portfolio)
    if of_portfolio is None:
        raise Conflict(portfolio)
    names = [each.company for each in companies]
    counted = await (await connection.execute(_FULL, (portfolio,))).fetchone()
    query = "SELECT company, document FROM watched_companies WHERE portfolio = %s AND company = ANY(%s)"
    found: dict[str, bytes] = dict(await (await connection.execute(query, (portfolio, names))).fetchall())
    outcomes, kept = _outcomes(companies, found, most - (counted[0] if counted else 0))
    ordered = sorted(kept)
    await connection.execute(_WATCH, (portfolio, ordered, [kept[each] for each in ordered]))
    await connection.execute(_OBSERVE, (ordered,))
    if policies_of(of_portfolio):
        await connection.execute(WISH, ([each for each in ordered if each not in found],))
    return outcomes


async def _unwatch(connection: Connection, portfolio: str, companies: Sequence[str]) -> int:
    gone = await (await connection.execute(_UNWATCH, (portfolio, sorted(companies)))).fetchall()
    await delete_observations(connection, [company for (company,) in gone])
    return len(gone)


def _outcomes(
    companies: Sequence[WatchedCompany], found: dict[str, bytes], room: int
) -> tuple[list[Outcome], dict[str, bytes]]:
    """Return the result for each company, and the documents to store."""
    outcomes: list[Outcome] = []
    kept: dict[str, bytes] = {}
    for each in companies:
        document = _encode(each)
        before = kept.get(each.company, found.get(each.company))
        if before is None and room <= 0:
            outcomes.append("full")
            continue
        room -= before is None
        outcomes.append("added" if before is None else "unchanged" if bytes(before) == document else "changed")
        kept[each.company] = document
    return outcomes, kept


class PostgresWatched(Store):
    """The part of the PostgreSQL store for the companies of portfolios."""

    _connections: Connections

    @override
    async def watch(self, portfolio: str, companies: Sequence[WatchedCompany], most: int) -> list[Outcome]:
        async with self._connections.transaction() as connection:
            return await _watch(connection, portfolio, companies, most)

    @override
    async def unwatch(self, portfolio: str, companies: Sequence[str]) -> int:
        async with self._connections.transaction() as connection:
            return await _unwatch(connection, portfolio, companies)

    @override
    async def exchange_watched(
        self, portfolio: str, company: str, before: WatchedCompany | None, after: WatchedCompany | None, most: int
    ) -> None:
        async with self._connections.transaction() as connection:
            await portfolio_of(connection, portfolio)  # locks it, so that no other writer adds the company meanwhile
            row = await (await connection.execute(f"{_DOCUMENT} FOR UPDATE", (portfolio, company))).fetchone()
            if (_company(row[0]) if row else None) != before:
                raise Conflict(company)
            if after is None:
                await _unwatch(connection, portfolio, [company])
            elif await _watch(connection, portfolio, [after], most) == ["full"]:
                raise Full(portfolio)

    @override
    async def watched(self, portfolio: str, after: str, limit: int) -> list[WatchedCompany]:
        rows = await self._connections.rows(_WATCHED, (portfolio, after, limit))
        return [_company(document) for (document,) in rows]

    @override
    async def watched_company(self, portfolio: str, company: str) -> WatchedCompany | None:
        row = await self._connections.one(_DOCUMENT, (portfolio, company)) if is_storable(company) else None
        return _company(row[0]) if row else None

    @override
    async def count_watched(self, portfolio: str) -> int:
        row = await self._connections.one(_FULL, (portfolio,))
        return int(row[0]) if row else 0
