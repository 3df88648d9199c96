"""Portfolios, observations and events in a PostgreSQL store."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict
from credence.store.monitoring import (
    EventFilter,
    NewEvent,
    NumberedEvent,
    Portfolio,
    WatchedCompany,
    policies_of,
)
from credence.store.postgres.alerts import PostgresAlerts
from credence.store.postgres.connections import Connection, Connections, Row, is_storable
from credence.store.postgres.watched import WISH, PostgresWatched, delete_observations, portfolio_of
from credence.store.postgres.webhooks import ONE_AT_A_TIME, PostgresWebhooks, require_room, tell_webhooks

_portfolio = msgspec.json.Decoder(Portfolio).decode
_company = msgspec.json.Decoder(WatchedCompany).decode
_encode = msgspec.json.Encoder().encode

_PORTFOLIOS_OF = (
    "SELECT document FROM portfolios WHERE id IN (SELECT portfolio FROM portfolio_readers WHERE client_id = %s) "
    "AND id > %s ORDER BY id LIMIT %s"
)
_COUNT_OF = "SELECT count(*) FROM portfolios WHERE id IN (SELECT portfolio FROM portfolio_readers WHERE client_id = %s)"
_INSERT = (
    "INSERT INTO portfolios (id, owner, version, document) VALUES (%(id)s, %(owner)s, %(version)s, %(document)s) "
    "ON CONFLICT DO NOTHING RETURNING 1"
)
_UPDATE = (
    "UPDATE portfolios SET owner = %(owner)s, version = %(version)s, document = %(document)s "
    "WHERE id = %(id)s AND version = %(version)s - 1 RETURNING 1"
)
_OBSERVATIONS = (
    "SELECT company, state FROM observations WHERE state IS NOT NULL AND company > %s ORDER BY company LIMIT %s"
)
_WATCHERS = "SELECT company, portfolio FROM watched_companies WHERE company = ANY(%s) ORDER BY company, portfolio"
_HEAD = "SELECT last FROM counters WHERE name = 'events' FOR UPDATE"
_ADD_EVENTS = (
    "INSERT INTO monitoring_events (number, key, portfolio, rule, company, until, document) "
    "SELECT * FROM unnest(%s::bigint[], %s::bytea[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::bytea[])"
)
_NEWEST = (
    "SELECT number, portfolio, rule, company, document FROM monitoring_events WHERE number IN "
    "(SELECT MAX(number) FROM monitoring_events WHERE portfolio = %s AND company = ANY(%s) GROUP BY company)"
)
_EVENTS = (
    "SELECT number, portfolio, rule, company, document FROM monitoring_events WHERE number > %s "
    "AND portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = %s) "
    "AND %s IN ('', portfolio) AND %s IN ('', rule) AND %s IN ('', company) ORDER BY number LIMIT %s"
)
EVENTS_ABOUT = _EVENTS.replace("%s IN ('', company)", "company = %s")
"""By the index of events by company, which `IN ('', company)` cannot use."""
_SHARE = (
    (
        "INSERT INTO shared_values (name, version, document) VALUES (%(name)s, %(version)s, %(document)s) "
        "ON CONFLICT DO NOTHING RETURNING 1"
    ),
    (
        "UPDATE shared_values SET version = %(version)s, document = %(document)s "
        "WHERE name = %(name)s AND version = %(version)s - 1 RETURNING 1"
    ),
)
_RESERVE = (
    "INSERT INTO kept_answers (key, until, document) VALUES (%(key)s, %(until)s, %(document)s) "
    "ON CONFLICT (key) DO UPDATE SET until = excluded.until, document = excluded.document "
    "WHERE kept_answers.until <= %(now)s RETURNING 1"
)
_KEEP = (
    "INSERT INTO kept_answers (key, until, document) VALUES (%s, %s, %s) "
    "ON CONFLICT (key) DO UPDATE SET until = excluded.until, document = excluded.document RETURNING 1"
)


async def _store_states(connection: Connection, mark: int, states: Sequence[tuple[str, bytes]]) -> None:
    query = "SELECT version FROM shared_values WHERE name = 'comparison' FOR SHARE"
    if await (await connection.execute(query)).fetchone() != (mark,):
        raise Conflict("comparison")
    ordered = sorted(states)
    query = (
        "UPDATE observations SET state = found.state FROM unnest(%s::text[], %s::bytea[]) "
        "AS found (company, state) WHERE observations.company = found.company"
    )
    await connection.execute(query, ([each[0] for each in ordered], [each[1] for each in ordered]))


async def _next_events(connection: Connection, events: Sequence[NewEvent]) -> int:
    """Number the events that are not stored yet; return how many.

    The row of the counter stays locked until the commit, so numbers become visible in order.
    """
    head = await (await connection.execute(_HEAD)).fetchone()
    if head is None:
        await connection.execute("INSERT INTO counters VALUES ('events', 0) ON CONFLICT DO NOTHING")
        head = await (await connection.execute(_HEAD)).fetchone()
    last = head[0] if head else 0
    distinct = {each.key: each for each in events}
    query = "SELECT key FROM monitoring_events WHERE key = ANY(%s::bytea[])"
    known = {bytes(key) for (key,) in await (await connection.execute(query, (list(distinct),))).fetchall()}
    new = [each for key, each in distinct.items() if key not in known]
    columns = zip(
        *((each.key, each.portfolio, each.rule, each.company, each.until, each.document) for each in new), strict=True
    )
    if new:
        numbers = list(range(last + 1, last + 1 + len(new)))
        await connection.execute(_ADD_EVENTS, (numbers, *map(list, columns)))
        await connection.execute("UPDATE counters SET last = %s WHERE name = 'events'", (last + len(new),))
        await tell_webhooks(connection, list(zip(numbers, new, strict=True)))
    return len(new)


class PostgresMonitoring(PostgresWatched, PostgresWebhooks, PostgresAlerts):
    """The part of the PostgreSQL store that is about monitoring."""

    _connections: Connections

    @override
    async def portfolio(self, identity: str) -> Portfolio | None:
        if not is_storable(identity):
            return None
        row = await self._connections.one("SELECT document FROM portfolios WHERE id = %s", (identity,))
        return _portfolio(row[0]) if row else None

    @override
    async def portfolios_of(self, client_id: str, after: str, limit: int) -> list[Portfolio]:
        rows = await self._connections.rows(_PORTFOLIOS_OF, (client_id, after, limit))
        return [_portfolio(document) for (document,) in rows]

    @override
    async def portfolios(self) -> list[Portfolio]:
        rows = await self._connections.rows("SELECT document FROM portfolios ORDER BY id")
        return [_portfolio(document) for (document,) in rows]

    @override
    async def save_portfolio(self, portfolio: Portfolio, most: int | None = None) -> None:
        values = {
            "id": portfolio.id,
            "owner": portfolio.owner,
            "version": portfolio.version,
            "document": _encode(portfolio),
        }
        readers = sorted({portfolio.owner, *portfolio.shared_with})
        async with self._connections.transaction() as connection:
            if most is not None:
                await connection.execute(ONE_AT_A_TIME, (portfolio.owner,))
            before = await portfolio_of(connection, portfolio.id)
            saved = await connection.execute(_INSERT if portfolio.version == 1 else _UPDATE, values)
            if not await saved.fetchall():
                raise Conflict(portfolio.id)
            await connection.execute("DELETE FROM portfolio_readers WHERE portfolio = %s", (portfolio.id,))
            query = "INSERT INTO portfolio_readers SELECT reader, %s FROM unnest(%s::text[]) AS reader"
            await connection.execute(query, (portfolio.id, readers))
            if most is not None:
                await require_room(connection, _COUNT_OF, portfolio.owner, most)
            if policies_of(portfolio) - policies_of(before):
                query = "SELECT company FROM watched_companies WHERE portfolio = %s"
                found = await (await connection.execute(query, (portfolio.id,))).fetchall()
                await connection.execute(WISH, ([company for (company,) in found],))

    @override
    async def delete_portfolio(self, portfolio: Portfolio) -> None:
        values = (portfolio.id, portfolio.version)
        async with self._connections.transaction() as connection:
            query = "DELETE FROM portfolios WHERE id = %s AND version = %s RETURNING 1"
            if not await (await connection.execute(query, values)).fetchall():
                raise Conflict(portfolio.id)
            query = "DELETE FROM portfolio_readers WHERE portfolio = %s AND client_id != %s"
            await connection.execute(query, (portfolio.id, portfolio.owner))
            query = "DELETE FROM watched_companies WHERE portfolio = %s RETURNING company"
            gone = await (await connection.execute(query, (portfolio.id,))).fetchall()
            await delete_observations(connection, [company for (company,) in gone])

    @override
    async def observations(self, after: str, limit: int) -> list[tuple[str, bytes]]:
        return _pairs(await self._connections.rows(_OBSERVATIONS, (after, limit)))

    @override
    async def states(self, companies: Sequence[str]) -> dict[str, bytes]:
        query = "SELECT company, state FROM observations WHERE state IS NOT NULL AND company = ANY(%s)"
        return dict(_pairs(await self._connections.rows(query, (list(companies),))))

    @override
    async def unobserved(self, limit: int) -> list[tuple[str, int]]:
        query = "SELECT company, wishes FROM observations WHERE state IS NULL ORDER BY company LIMIT %s"
        return [(company, wishes) for company, wishes in await self._connections.rows(query, (limit,))]

    @override
    async def incomplete(self, limit: int) -> list[tuple[str, int]]:
        query = (
            "SELECT company, wishes FROM observations WHERE wishes > 0 AND state IS NOT NULL ORDER BY company LIMIT %s"
        )
        return [(company, wishes) for company, wishes in await self._connections.rows(query, (limit,))]

    @override
    async def complete(
        self, mark: int, companies: Sequence[tuple[str, int]], states: Sequence[tuple[str, bytes]]
    ) -> None:
        names, wishes = [each[0] for each in companies], [each[1] for each in companies]
        query = (
            "UPDATE observations SET wishes = 0 FROM unnest(%s::text[], %s::bigint[]) AS seen (company, wishes) "
            "WHERE observations.company = seen.company AND observations.wishes = seen.wishes"
        )
        async with self._connections.transaction() as connection:
            await _store_states(connection, mark, states)
            await connection.execute(query, (names, wishes))

    @override
    async def watchers(self, companies: Sequence[str]) -> list[tuple[str, str]]:
        rows = await self._connections.rows(_WATCHERS, (list(companies),))
        return [(company, portfolio) for company, portfolio in rows]

    @override
    async def record(self, mark: int, states: Sequence[tuple[str, bytes]], events: Sequence[NewEvent]) -> int:
        async with self._connections.transaction() as connection:
            await _store_states(connection, mark, states)
            return await _next_events(connection, events)

    @override
    async def events(self, client_id: str, after: int, limit: int, only: EventFilter) -> list[NumberedEvent]:
        asked = (only.portfolio, only.rule, only.company)
        if not all(map(is_storable, asked)):
            return []
        statement = EVENTS_ABOUT if only.company else _EVENTS
        rows = await self._connections.rows(statement, (after, client_id, *asked, limit))
        return [NumberedEvent(*row) for row in rows]

    @override
    async def newest_events(self, portfolio: str, companies: Sequence[str]) -> dict[str, NumberedEvent]:
        found = (NumberedEvent(*row) for row in await self._connections.rows(_NEWEST, (portfolio, list(companies))))
        return {each.company: each for each in found}

    @override
    async def last_event(self) -> int:
        row = await self._connections.one("SELECT last FROM counters WHERE name = 'events'")
        return int(row[0]) if row else 0

    @override
    async def shared_value(self, name: str) -> tuple[int, bytes] | None:
        row = await self._connections.one("SELECT version, document FROM shared_values WHERE name = %s", (name,))
        return (row[0], bytes(row[1])) if row else None

    @override
    async def save_shared_value(self, name: str, version: int, document: bytes) -> None:
        values = {"name": name, "version": version, "document": document}
        if await self._connections.one(_SHARE[version > 1], values) is None:
            raise Conflict(name)

    @override
    async def reserve_answer(self, key: bytes, document: bytes, now: Milliseconds, until: Milliseconds) -> bytes | None:
        values = {"key": key, "document": document, "now": now, "until": until}
        while await self._connections.one(_RESERVE, values) is None:
            row = await self._connections.one("SELECT document FROM kept_answers WHERE key = %s", (key,))
            if row is not None:
                return bytes(row[0])
            # It has expired, and another node has deleted it, between the two statements.
        return None

    @override
    async def kept_answer(self, key: bytes, now: Milliseconds) -> bytes | None:
        statement = "SELECT document FROM kept_answers WHERE key = %s AND until > %s"
        row = await self._connections.one(statement, (key, now))
        return bytes(row[0]) if row else None

    @override
    async def keep_answer(self, key: bytes, document: bytes, until: Milliseconds) -> None:
        await self._connections.rows(_KEEP, (key, until, document))


def _pairs(rows: Sequence[Row]) -> list[tuple[str, bytes]]:
    return [(company, bytes(state)) for company, state in rows]
