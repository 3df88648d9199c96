"""Events of monitoring in a store (D31): the feed that applications read. `observations.py` numbers new ones."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.store.statements import Statements

KEPT_MS = 366 * 86_400_000
"""How long an event stays in the feed: a year, and the day of a leap year."""


class NewEvent(msgspec.Struct, frozen=True):
    """An event without its number. Two events with equal keys are stored once."""

    key: bytes
    portfolio: str
    rule: str
    company: str
    until: Milliseconds
    """When the event is deleted: `KEPT_MS` after it was made."""
    document: bytes


class NumberedEvent(NamedTuple):
    """An event of the feed."""

    number: int
    portfolio: str
    rule: str
    company: str
    document: bytes


class EventFilter(msgspec.Struct, frozen=True):
    """The conditions on events in a list; an empty text is no condition."""

    portfolio: str = ""
    rule: str = ""
    company: str = ""


_COLUMNS = ", ".join(NumberedEvent._fields)
OF_READER = "portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = :client_id)"
"""The condition on events that an application may read."""
_EVENTS = (
    f"SELECT {_COLUMNS} FROM monitoring_events WHERE number > :after AND {OF_READER} AND :portfolio IN ('', portfolio) "  # noqa: S608 - constants, here and below
    "AND :rule IN ('', rule) AND :company IN ('', company) ORDER BY number LIMIT :limit"
)
EVENTS_ABOUT = _EVENTS.replace(":company IN ('', company)", "company = :company")
"""By the index of events by company, which `IN ('', company)` cannot use."""
_NEWEST = (
    f"SELECT {_COLUMNS} FROM monitoring_events WHERE number IN (SELECT max(number) FROM monitoring_events "  # noqa: S608 - constants
    "WHERE portfolio = :portfolio AND company = ANY(:companies::text[]) GROUP BY company)"
)
LAST_EVENT = "SELECT last FROM counters WHERE name = 'events'"


class Events(Statements):
    """The part of a store that has the events."""

    async def events(self, client_id: str, after: int, limit: int, only: EventFilter) -> list[NumberedEvent]:
        """Return the events of portfolios that an application may read with numbers above `after`, in order."""
        statement = EVENTS_ABOUT if only.company else _EVENTS
        values = {"client_id": client_id, "after": after, "limit": limit, **msgspec.structs.asdict(only)}
        return [NumberedEvent(*row) for row in await self._rows(statement, **values)]

    async def newest_events(self, portfolio: str, companies: Sequence[str]) -> dict[str, NumberedEvent]:
        """Return company -> its event with the highest number in a portfolio; companies without an event are left out."""
        rows = await self._rows(_NEWEST, portfolio=portfolio, companies=list(companies))
        return {each.company: each for each in (NumberedEvent(*row) for row in rows)}

    async def last_event(self) -> int:
        """Return the highest number of an event; 0 before the first."""
        rows = await self._rows(LAST_EVENT)
        return int(rows[0][0]) if rows else 0
