"""Portfolios, observations and events in a SQLite store."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Full
from credence.store.monitoring import (
    EventFilter,
    NewEvent,
    NumberedEvent,
    Portfolio,
    WatchedCompany,
    policies_of,
)
from credence.store.sqlite.alerts import SqliteAlerts
from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.reading import decoded
from credence.store.sqlite.watched import LEAVE_UNOBSERVED, SqliteWatched, portfolio_in
from credence.store.sqlite.webhooks import SqliteWebhooks, tell_webhooks

_PORTFOLIO = msgspec.json.Decoder(Portfolio)
_COMPANY = msgspec.json.Decoder(WatchedCompany)
_encode = msgspec.json.Encoder().encode

_OF = "SELECT portfolio FROM portfolio_readers WHERE client_id = ?"
_PORTFOLIOS_OF = f"SELECT document FROM portfolios WHERE id IN ({_OF}) AND id > ? ORDER BY id LIMIT ?"  # noqa: S608 - constants
_COUNT_OF = f"SELECT count(*) FROM portfolios WHERE id IN ({_OF})"  # noqa: S608 - constants
_WISH_ALL = (
    "UPDATE observations SET wishes = wishes + 1 "
    "WHERE company IN (SELECT company FROM watched_companies WHERE portfolio = ?)"
)
_EVENTS = (
    "SELECT number, portfolio, rule, company, document FROM monitoring_events "
    "WHERE number > ?2 AND portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = ?1) "
    "AND ?4 IN ('', portfolio) AND ?5 IN ('', rule) AND ?6 IN ('', company) ORDER BY number LIMIT ?3"
)
EVENTS_ABOUT = _EVENTS.replace("?6 IN ('', company)", "company = ?6")
"""By the index of events by company, which `IN ('', company)` cannot use."""
_NEWEST = (
    "SELECT number, portfolio, rule, company, document FROM monitoring_events WHERE number IN "
    "(SELECT MAX(number) FROM monitoring_events WHERE portfolio = ? "
    "AND company IN (SELECT value FROM json_each(?)) GROUP BY company)"
)
_ADD_EVENT = (
    "INSERT INTO monitoring_events (number, key, portfolio, rule, company, until, document) "
    "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING RETURNING 1"
)
_COUNT = "INSERT INTO counters (name, last) VALUES ('events', ?) ON CONFLICT (name) DO UPDATE SET last = excluded.last"
_RESERVE = (
    "INSERT INTO kept_answers (key, until, document) VALUES (?1, ?2, ?3) "
    "ON CONFLICT (key) DO UPDATE SET until = ?2, document = ?3 WHERE until <= ?4 RETURNING 1"
)
_KEEP = (
    "INSERT INTO kept_answers (key, until, document) VALUES (?1, ?2, ?3) "
    "ON CONFLICT (key) DO UPDATE SET until = ?2, document = ?3"
)


def save_portfolio(connection: sqlite3.Connection, portfolio: Portfolio, most: int | None) -> None:
    """Store a version of a portfolio; Conflict if the stored version is not the one before, Full if there are too many."""
    identity, version, before = portfolio.id, portfolio.version, portfolio_in(connection, portfolio.id)
    if version == 1:
        statement = (
            "INSERT INTO portfolios (owner, version, document, id) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING RETURNING 1"
        )
        values: tuple[object, ...] = (portfolio.owner, 1, _encode(portfolio), identity)
    else:
        statement = (
            "UPDATE portfolios SET owner = ?, version = ?, document = ? WHERE id = ? AND version = ? RETURNING 1"
        )
        values = (portfolio.owner, version, _encode(portfolio), identity, version - 1)
    if connection.execute(statement, values).fetchone() is None:
        raise Conflict(identity)
    connection.execute("DELETE FROM portfolio_readers WHERE portfolio = ?", (identity,))
    readers = sorted({portfolio.owner, *portfolio.shared_with})
    connection.executemany("INSERT INTO portfolio_readers VALUES (?, ?)", [(each, identity) for each in readers])
    if most is not None and connection.execute(_COUNT_OF, (portfolio.owner,)).fetchone()[0] > most:
        raise Full(portfolio.owner)
    if policies_of(portfolio) - policies_of(before):
        connection.execute(_WISH_ALL, (identity,))


def delete_portfolio(connection: sqlite3.Connection, portfolio: Portfolio) -> None:
    """Delete a portfolio with its companies; Conflict if it has changed."""
    deletion = "DELETE FROM portfolios WHERE id = ? AND version = ? RETURNING 1"
    found = connection.execute(deletion, (portfolio.id, portfolio.version)).fetchone()
    if found is None:
        raise Conflict(portfolio.id)
    values = (portfolio.id, portfolio.owner)
    connection.execute("DELETE FROM portfolio_readers WHERE portfolio = ? AND client_id != ?", values)
    gone = connection.execute("DELETE FROM watched_companies WHERE portfolio = ? RETURNING company", (portfolio.id,))
    connection.executemany(LEAVE_UNOBSERVED, gone.fetchall())


def record(
    connection: sqlite3.Connection, mark: int, states: Sequence[tuple[str, bytes]], events: Sequence[NewEvent]
) -> int:
    """Store states, and number the new events; return how many."""
    _store_states(connection, mark, states)
    last = _last_event(connection)
    new: list[tuple[int, NewEvent]] = []
    for each in events:
        number = last + len(new) + 1
        row = (number, each.key, each.portfolio, each.rule, each.company, each.until, each.document)
        if connection.execute(_ADD_EVENT, row).fetchone() is not None:
            new.append((number, each))
    connection.execute(_COUNT, (last + len(new),))
    tell_webhooks(connection, new)
    return len(new)


def complete(
    connection: sqlite3.Connection, mark: int, companies: Sequence[tuple[str, int]], states: Sequence[tuple[str, bytes]]
) -> None:
    """Store states, and reset the `wishes` of their companies (see `MonitoringStore.complete`)."""
    _store_states(connection, mark, states)
    connection.executemany("UPDATE observations SET wishes = 0 WHERE company = ? AND wishes = ?", companies)


def _store_states(connection: sqlite3.Connection, mark: int, states: Sequence[tuple[str, bytes]]) -> None:
    found = connection.execute("SELECT version FROM shared_values WHERE name = 'comparison'").fetchone()
    if found is None or found[0] != mark:
        raise Conflict("comparison")
    values = [(state, company) for company, state in states]
    connection.executemany("UPDATE observations SET state = ? WHERE company = ?", values)


def _last_event(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT last FROM counters WHERE name = 'events'").fetchone()
    return int(row[0]) if row else 0


def _save_shared(connection: sqlite3.Connection, name: str, version: int, document: bytes) -> None:
    insert = "INSERT INTO shared_values (version, document, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1"
    update = "UPDATE shared_values SET version = ?, document = ? WHERE name = ? AND version = ? RETURNING 1"
    values = (version, document, name)
    saved = connection.execute(*((insert, values) if version == 1 else (update, (*values, version - 1))))
    if saved.fetchone() is None:
        raise Conflict(name)


def _reserve(
    connection: sqlite3.Connection, key: bytes, document: bytes, now: Milliseconds, until: Milliseconds
) -> bytes | None:
    if connection.execute(_RESERVE, (key, until, document, now)).fetchone() is not None:
        return None
    return bytes(connection.execute("SELECT document FROM kept_answers WHERE key = ?", (key,)).fetchone()[0])


class SqliteMonitoring(SqliteWatched, SqliteWebhooks, SqliteAlerts):
    """The part of the SQLite store that is about monitoring."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def portfolio(self, identity: str) -> Portfolio | None:
        rows = self._read("SELECT document FROM portfolios WHERE id = ?", identity)
        return decoded(_PORTFOLIO, rows[0][0]) if rows else None

    @override
    async def portfolios_of(self, client_id: str, after: str, limit: int) -> list[Portfolio]:
        return [decoded(_PORTFOLIO, each) for (each,) in self._read(_PORTFOLIOS_OF, client_id, after, limit)]

    @override
    async def portfolios(self) -> list[Portfolio]:
        return [decoded(_PORTFOLIO, each) for (each,) in self._read("SELECT document FROM portfolios ORDER BY id")]

    @override
    async def save_portfolio(self, portfolio: Portfolio, most: int | None = None) -> None:
        await self._writer.run(lambda connection: save_portfolio(connection, portfolio, most))

    @override
    async def delete_portfolio(self, portfolio: Portfolio) -> None:
        await self._writer.run(lambda connection: delete_portfolio(connection, portfolio))

    @override
    async def observations(self, after: str, limit: int) -> list[tuple[str, bytes]]:
        query = (
            "SELECT company, state FROM observations WHERE state IS NOT NULL AND company > ? ORDER BY company LIMIT ?"
        )
        return [(company, bytes(state)) for company, state in self._read(query, after, limit)]

    @override
    async def states(self, companies: Sequence[str]) -> dict[str, bytes]:
        query = (
            "SELECT company, state FROM json_each(?) CROSS JOIN observations ON company = json_each.value "
            "WHERE state IS NOT NULL"
        )
        return {company: bytes(state) for company, state in self._read(query, _encode(companies).decode())}

    @override
    async def unobserved(self, limit: int) -> list[tuple[str, int]]:
        query = "SELECT company, wishes FROM observations WHERE state IS NULL ORDER BY company LIMIT ?"
        return [(company, wishes) for company, wishes in self._read(query, limit)]

    @override
    async def incomplete(self, limit: int) -> list[tuple[str, int]]:
        query = (
            "SELECT company, wishes FROM observations WHERE wishes > 0 AND state IS NOT NULL ORDER BY company LIMIT ?"
        )
        return [(company, wishes) for company, wishes in self._read(query, limit)]

    @override
    async def complete(
        self, mark: int, companies: Sequence[tuple[str, int]], states: Sequence[tuple[str, bytes]]
    ) -> None:
        await self._writer.run(lambda connection: complete(connection, mark, companies, states))

    @override
    async def watchers(self, companies: Sequence[str]) -> list[tuple[str, str]]:
        query = (
            "SELECT company, portfolio FROM json_each(?) CROSS JOIN watched_companies ON company = json_each.value "
            "ORDER BY company, portfolio"
        )
        return [(company, portfolio) for company, portfolio in self._read(query, _encode(companies).decode())]

    @override
    async def record(self, mark: int, states: Sequence[tuple[str, bytes]], events: Sequence[NewEvent]) -> int:
        return await self._writer.run(lambda connection: record(connection, mark, states, events))

    @override
    async def events(self, client_id: str, after: int, limit: int, only: EventFilter) -> list[NumberedEvent]:
        rows = self._read(
            EVENTS_ABOUT if only.company else _EVENTS, client_id, after, limit, *msgspec.structs.astuple(only)
        )
        return [NumberedEvent(*row) for row in rows]

    @override
    async def newest_events(self, portfolio: str, companies: Sequence[str]) -> dict[str, NumberedEvent]:
        found = (NumberedEvent(*row) for row in self._read(_NEWEST, portfolio, _encode(companies).decode()))
        return {each.company: each for each in found}

    @override
    async def last_event(self) -> int:
        rows = self._read("SELECT last FROM counters WHERE name = 'events'")
        return int(rows[0][0]) if rows else 0

    @override
    async def shared_value(self, name: str) -> tuple[int, bytes] | None:
        rows = self._read("SELECT version, document FROM shared_values WHERE name = ?", name)
        return (rows[0][0], bytes(rows[0][1])) if rows else None

    @override
    async def save_shared_value(self, name: str, version: int, document: bytes) -> None:
        await self._writer.run(lambda connection: _save_shared(connection, name, version, document))

    @override
    async def reserve_answer(self, key: bytes, document: bytes, now: Milliseconds, until: Milliseconds) -> bytes | None:
        return await self._writer.run(lambda connection: _reserve(connection, key, document, now, until))

    @override
    async def kept_answer(self, key: bytes, now: Milliseconds) -> bytes | None:
        rows = self._read("SELECT document FROM kept_answers WHERE key = ? AND until > ?", key, now)
        return bytes(rows[0][0]) if rows else None

    @override
    async def keep_answer(self, key: bytes, document: bytes, until: Milliseconds) -> None:
        await self._writer.run(lambda connection: connection.execute(_KEEP, (key, until, document)).rowcount)
