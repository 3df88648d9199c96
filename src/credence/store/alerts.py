"""What a store holds for alerts, which are events as people work on them, and for the digest of a day (D31)."""

from typing import NamedTuple, Protocol

import msgspec

from credence.clock import Milliseconds
from credence.store.monitoring import EventFilter, NumberedEvent


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
    assigned_to: str = ""
    """The person responsible; empty for no condition."""


class AlertStore(Protocol):
    """The part of the store that is about alerts. An event without a company (a daily digest) is not an alert."""

    async def alerts(self, client_id: str, after: int, limit: int, only: AlertFilter) -> list[Alert]:
        """Return the alerts of portfolios that an application may read with numbers above `after`, in order."""

    async def newest_about(self, client_id: str, company: str, limit: int) -> list[NumberedEvent]:
        """Return the events about a company that an application may read, the newest first."""

    async def save_alert(self, state: AlertState) -> None:
        """Optimistic write: store if the stored version is `state.version - 1`; it lives as long as the event.

        Raises Conflict, also for an event that is no longer there.
        """

    async def digest(self, client_id: str, begins: Milliseconds, ends: Milliseconds) -> list[DigestLine]:
        """Return the counts of the events made from `begins` to before `ends` that an application may read, in order."""

    async def readers_of_events(self, begins: Milliseconds, ends: Milliseconds) -> list[str]:
        """Return the applications that may read an event made from `begins` to before `ends`, in order."""
