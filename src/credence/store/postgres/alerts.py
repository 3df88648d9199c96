"""Alerts and digests in a PostgreSQL store."""

from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.alerts import Alert, AlertFilter, AlertState, DigestLine
from credence.store.contract import Conflict, Store
from credence.store.monitoring import KEPT_MS, NumberedEvent
from credence.store.postgres.connections import Connections, is_storable

_OF = "portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = %(client_id)s)"
_ALERTS = f"""
SELECT events.number, portfolio, rule, company, document, coalesce(version, 0), coalesce(read_at, 0),
       coalesce(assigned_to, ''), coalesce(note, '')
FROM monitoring_events AS events LEFT JOIN alert_states ON alert_states.number = events.number
WHERE events.number > %(after)s AND company <> '' AND {_OF} AND %(portfolio)s IN ('', portfolio) AND %(rule)s IN ('', rule)
  AND %(company)s IN ('', company) AND NOT (%(unread)s AND coalesce(read_at, 0) > 0)
  AND %(assigned_to)s IN ('', coalesce(assigned_to, ''))
ORDER BY events.number LIMIT %(limit)s
"""  # noqa: S608 - constants, here and below
ALERTS_ABOUT = _ALERTS.replace("%(company)s IN ('', company)", "company = %(company)s")
"""By the index of events by company, which `IN ('', company)` cannot use."""
NEWEST_ABOUT = (
    "SELECT number, portfolio, rule, company, document FROM monitoring_events "  # noqa: S608 - constants
    f"WHERE company = %(company)s AND {_OF} ORDER BY number DESC LIMIT %(limit)s"
)
_FIRST = (
    "INSERT INTO alert_states (number, until, version, read_at, assigned_to, note) "
    "SELECT number, until, %(version)s, %(read_at)s, %(assigned_to)s, %(note)s FROM monitoring_events "
    "WHERE number = %(number)s ON CONFLICT DO NOTHING RETURNING 1"
)
_NEXT = (
    "UPDATE alert_states SET version = %(version)s, read_at = %(read_at)s, assigned_to = %(assigned_to)s, "
    "note = %(note)s WHERE number = %(number)s AND version = %(version)s - 1 RETURNING 1"
)
_DIGEST = f"""
SELECT portfolio, rule, count(*), count(DISTINCT company), min(number), max(number) FROM monitoring_events
WHERE until >= %(begins)s AND until < %(ends)s AND company <> '' AND {_OF} GROUP BY portfolio, rule ORDER BY portfolio, rule
"""  # noqa: S608
_READERS = (
    "SELECT DISTINCT client_id FROM monitoring_events JOIN portfolio_readers USING (portfolio) "
    "WHERE until >= %s AND until < %s AND company <> '' ORDER BY client_id"
)


class PostgresAlerts(Store):
    """The part of the PostgreSQL store that is about alerts."""

    _connections: Connections

    @override
    async def alerts(self, client_id: str, after: int, limit: int, only: AlertFilter) -> list[Alert]:
        asked = {
            "portfolio": only.events.portfolio,
            "rule": only.events.rule,
            "company": only.events.company,
            "assigned_to": only.assigned_to,
        }
        if not all(map(is_storable, asked.values())):
            return []
        values = {**asked, "client_id": client_id, "after": after, "limit": limit, "unread": only.unread}
        rows = await self._connections.rows(ALERTS_ABOUT if only.events.company else _ALERTS, values)
        return [Alert(NumberedEvent(*row[:5]), AlertState(row[0], *row[5:])) for row in rows]

    @override
    async def newest_about(self, client_id: str, company: str, limit: int) -> list[NumberedEvent]:
        values = {"client_id": client_id, "company": company, "limit": limit}
        return [NumberedEvent(*row) for row in await self._connections.rows(NEWEST_ABOUT, values)]

    @override
    async def save_alert(self, state: AlertState) -> None:
        values = {name: getattr(state, name) for name in state.__struct_fields__}
        if await self._connections.one(_FIRST if state.version == 1 else _NEXT, values) is None:
            raise Conflict(str(state.number))

    @override
    async def digest(self, client_id: str, begins: Milliseconds, ends: Milliseconds) -> list[DigestLine]:
        values = {"client_id": client_id, "begins": begins + KEPT_MS, "ends": ends + KEPT_MS}
        return [DigestLine(*row) for row in await self._connections.rows(_DIGEST, values)]

    @override
    async def readers_of_events(self, begins: Milliseconds, ends: Milliseconds) -> list[str]:
        rows = await self._connections.rows(_READERS, (begins + KEPT_MS, ends + KEPT_MS))
        return [client_id for (client_id,) in rows]
