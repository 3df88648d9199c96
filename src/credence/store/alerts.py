"""What a store holds for alerts, which are events as people work on them, and for the digest of a day (D31)."""

from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.store.errors import Conflict
from credence.store.events import KEPT_MS, OF_READER, EventFilter, NumberedEvent
from credence.store.statements import Statements


class AlertState(msgspec.Struct, frozen=True):
    """What people have made of one event; those who may read the event share it. Version 0: nothing yet."""

    number: int
    """The number of the event."""
    version: int = 0
    read_at: Milliseconds = 0
    """0 while it is unread."""
    assigned_to: str = ""
    """The person responsible, as free text of the application; empty for none."""
    note: str = ""
    snoozed_until: str = ""
    """The day on which it is due again, as an ISO date; empty for an alert that does not rest."""


class Alert(NamedTuple):
    """An event and what people have made of it."""

    event: NumberedEvent
    state: AlertState


class DigestLine(NamedTuple):
    """The number of events that one rule of one portfolio made in a period."""

    portfolio: str
    rule: str
    events: int
    companies: int
    first: int
    """The lowest number of these events; `last` is the highest."""
    last: int


class AlertFilter(msgspec.Struct, frozen=True):
    """The conditions on alerts in a list; the defaults select every alert."""

    events: EventFilter = EventFilter()
    unread: bool = False
    """Without those that rest until a day after `today`."""
    assigned_to: str = ""
    """The person responsible; empty for no condition."""
    today: str = ""
    """The day as an ISO date; without it every alert that has been put off rests."""


_ALERTS = f"""
SELECT events.number, portfolio, rule, company, document, coalesce(version, 0), coalesce(read_at, 0),
       coalesce(assigned_to, ''), coalesce(note, ''), coalesce(snoozed_until, '')
FROM monitoring_events AS events LEFT JOIN alert_states ON alert_states.number = events.number
WHERE events.number > :after AND company <> '' AND {OF_READER} AND :portfolio IN ('', portfolio) AND :rule IN ('', rule)
  AND :company IN ('', company) AND NOT (:unread AND (coalesce(read_at, 0) > 0 OR coalesce(snoozed_until, '') > :today))
  AND :assigned_to IN ('', coalesce(assigned_to, ''))
ORDER BY events.number LIMIT :limit
"""  # noqa: S608 - constants, here and below
ALERTS_ABOUT = _ALERTS.replace(":company IN ('', company)", "company = :company")
"""By the index of events by company, which `IN ('', company)` cannot use."""
NEWEST_ABOUT = (
    "SELECT number, portfolio, rule, company, document FROM monitoring_events "  # noqa: S608 - constants
    f"WHERE company = :company AND {OF_READER} ORDER BY number DESC LIMIT :limit"
)
FIRST_STATE = (
    "INSERT INTO alert_states (number, until, version, read_at, assigned_to, note, snoozed_until) "
    "SELECT number, until, :version, :read_at, :assigned_to, :note, :snoozed_until FROM monitoring_events "
    "WHERE number = :number ON CONFLICT DO NOTHING RETURNING 1"
)
NEXT_STATE = (
    "UPDATE alert_states SET version = :version, read_at = :read_at, assigned_to = :assigned_to, "
    "note = :note, snoozed_until = :snoozed_until WHERE number = :number AND version = :version - 1 RETURNING 1"
)
_OF_DAY = "until >= :begins AND until < :ends AND company <> ''"
_DIGEST = (
    "SELECT portfolio, rule, count(*), count(DISTINCT company), min(number), max(number) FROM monitoring_events "  # noqa: S608 - constants
    f"WHERE {_OF_DAY} AND {OF_READER} GROUP BY portfolio, rule ORDER BY portfolio, rule"
)
_READERS = (
    "SELECT DISTINCT client_id FROM monitoring_events JOIN portfolio_readers USING (portfolio) "  # noqa: S608 - constants
    f"WHERE {_OF_DAY} ORDER BY client_id"
)


class Alerts(Statements):
    """The part of a store that is about alerts. An event without a company (a daily digest) is not an alert."""

    async def alerts(self, client_id: str, after: int, limit: int, only: AlertFilter) -> list[Alert]:
        """Return the alerts of portfolios that an application may read with numbers above `after`, in order."""
        rows = await self._rows(
            ALERTS_ABOUT if only.events.company else _ALERTS,
            client_id=client_id,
            after=after,
            limit=limit,
            unread=only.unread,
            today=only.today,
            assigned_to=only.assigned_to,
            **msgspec.structs.asdict(only.events),
        )
        return [Alert(NumberedEvent(*row[:5]), AlertState(row[0], *row[5:])) for row in rows]

    async def newest_about(self, client_id: str, company: str, limit: int) -> list[NumberedEvent]:
        """Return the events about a company that an application may read, the newest first."""
        rows = await self._rows(NEWEST_ABOUT, client_id=client_id, company=company, limit=limit)
        return [NumberedEvent(*row) for row in rows]

    async def save_alert(self, state: AlertState) -> None:
        """Optimistic write: store if the stored version is `state.version - 1`; it lives as long as the event.

        Raises Conflict, also for an event that is no longer there.
        """
        if not await self._write(FIRST_STATE if state.version == 1 else NEXT_STATE, **msgspec.structs.asdict(state)):
            raise Conflict(str(state.number))

    async def digest(self, client_id: str, begins: Milliseconds, ends: Milliseconds) -> list[DigestLine]:
        """Return the counts of the events made from `begins` to before `ends` that an application may read, in order."""
        rows = await self._rows(_DIGEST, client_id=client_id, begins=begins + KEPT_MS, ends=ends + KEPT_MS)
        return [DigestLine(*row) for row in rows]

    async def readers_of_events(self, begins: Milliseconds, ends: Milliseconds) -> list[str]:
        """Return the applications that may read an event made from `begins` to before `ends`, in order."""
        rows = await self._rows(_READERS, begins=begins + KEPT_MS, ends=ends + KEPT_MS)
        return [client_id for (client_id,) in rows]
