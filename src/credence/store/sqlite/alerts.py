"""Alerts and digests in a SQLite store."""

import sqlite3
from typing import Any

from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.alerts import Alert, AlertFilter, AlertState, DigestLine
from credence.store.contract import Conflict, Store
from credence.store.monitoring import KEPT_MS, NumberedEvent
from credence.store.sqlite.group_commit import GroupCommit

_OF = "portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = ?1)"
_ALERTS = f"""
SELECT monitoring_events.number, portfolio, rule, company, document, coalesce(version, 0), coalesce(read_at, 0),
       coalesce(assigned_to, ''), coalesce(note, '')
FROM monitoring_events LEFT JOIN alert_states ON alert_states.number = monitoring_events.number
WHERE monitoring_events.number > ?2 AND company <> '' AND {_OF}
  AND ?4 IN ('', portfolio) AND ?5 IN ('', rule) AND ?6 IN ('', company)
  AND NOT (?7 AND coalesce(read_at, 0) > 0) AND ?8 IN ('', coalesce(assigned_to, ''))
ORDER BY monitoring_events.number LIMIT ?3
"""  # noqa: S608 - constants, here and below
ALERTS_ABOUT = _ALERTS.replace("?6 IN ('', company)", "company = ?6")
"""By the index of events by company, which `IN ('', company)` cannot use."""
NEWEST_ABOUT = (
    "SELECT number, portfolio, rule, company, document FROM monitoring_events "  # noqa: S608 - constants
    f"WHERE company = ?2 AND {_OF} ORDER BY number DESC LIMIT ?3"
)
_FIRST = (
    "INSERT INTO alert_states (number, until, version, read_at, assigned_to, note) "
    "SELECT number, until, ?, ?, ?, ? FROM monitoring_events WHERE number = ? ON CONFLICT DO NOTHING RETURNING 1"
)
_NEXT = (
    "UPDATE alert_states SET version = ?1, read_at = ?2, assigned_to = ?3, note = ?4 "
    "WHERE number = ?5 AND version = ?1 - 1 RETURNING 1"
)
_DIGEST = f"""
SELECT portfolio, rule, count(*), count(DISTINCT company), min(number), max(number) FROM monitoring_events
WHERE until >= ?2 AND until < ?3 AND company <> '' AND {_OF} GROUP BY portfolio, rule ORDER BY portfolio, rule
"""  # noqa: S608
_READERS = (
    "SELECT DISTINCT client_id FROM monitoring_events JOIN portfolio_readers USING (portfolio) "
    "WHERE until >= ? AND until < ? AND company <> '' ORDER BY client_id"
)


def _save(connection: sqlite3.Connection, state: AlertState) -> None:
    values = (state.version, state.read_at, state.assigned_to, state.note, state.number)
    if connection.execute(_FIRST if state.version == 1 else _NEXT, values).fetchone() is None:
        raise Conflict(str(state.number))


class SqliteAlerts(Store):
    """The part of the SQLite store that is about alerts."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def alerts(self, client_id: str, after: int, limit: int, only: AlertFilter) -> list[Alert]:
        asked = (only.events.portfolio, only.events.rule, only.events.company, only.unread, only.assigned_to)
        rows = self._read(ALERTS_ABOUT if only.events.company else _ALERTS, client_id, after, limit, *asked)
        return [Alert(NumberedEvent(*row[:5]), AlertState(row[0], *row[5:])) for row in rows]

    @override
    async def newest_about(self, client_id: str, company: str, limit: int) -> list[NumberedEvent]:
        return [NumberedEvent(*row) for row in self._read(NEWEST_ABOUT, client_id, company, limit)]

    @override
    async def save_alert(self, state: AlertState) -> None:
        await self._writer.run(lambda connection: _save(connection, state))

    @override
    async def digest(self, client_id: str, begins: Milliseconds, ends: Milliseconds) -> list[DigestLine]:
        return [DigestLine(*row) for row in self._read(_DIGEST, client_id, begins + KEPT_MS, ends + KEPT_MS)]

    @override
    async def readers_of_events(self, begins: Milliseconds, ends: Milliseconds) -> list[str]:
        return [client_id for (client_id,) in self._read(_READERS, begins + KEPT_MS, ends + KEPT_MS)]
