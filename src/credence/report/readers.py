"""Which applications read which reports: the decision of a dispute concerns them (D36, `docs/adr/report-readers.md`).

A request adds to a set in memory, and a periodic task writes what is new. What is kept: application, company, month. Not
kept: the person who signed in, the address, the time, how often.
"""

import datetime as dt
from collections.abc import Mapping

from credence.clock import Milliseconds, date_of
from credence.store.contract import Store
from credence.store.records import ReportRead

READ_WITHIN_DAYS = 183
"""Days before a decision within which a reader is concerned."""

LISTED_DAYS = 183
"""Days for which a decision is listed."""

KEPT_MONTHS = 13
"""Months for which a read is kept: both periods and the rest of the month of the read."""

_BATCH_ROWS = 1_000

_MAX_WAITING = 100_000
"""Reads that wait for the store; while it does not answer, further ones are not recorded."""

_MAX_WRITTEN = 200_000
"""Reads of this month that are known to be stored, so that they are not written again."""


def kept_until(day: dt.date) -> Milliseconds:
    """Return the instant at which a read of this day is deleted: the same for every day of a month."""
    month = day.year * 12 + day.month - 1 + KEPT_MONTHS
    end = dt.datetime(month // 12, month % 12 + 1, 1, tzinfo=dt.UTC)
    return int(end.timestamp() * 1000)


class Readers:
    """The reads of this process that are not stored yet."""

    def __init__(self) -> None:
        self._waiting: set[tuple[str, str]] = set()
        self._written: set[tuple[str, str]] = set()
        self._until: Milliseconds = 0

    def note(self, client_id: str, company: str) -> None:
        """Note that an application was sent the report on a company."""
        if len(self._waiting) < _MAX_WAITING:
            self._waiting.add((client_id, company))

    async def store(self, store: Store, now: Milliseconds) -> None:
        """Store what was noted. Raises StoreUnavailable; what is not stored then is stored by the next call."""
        until = kept_until(date_of(now))
        if until != self._until or len(self._written) > _MAX_WRITTEN:
            self._until, self._written = until, set()
        self._waiting -= self._written
        while self._waiting:
            batch = sorted(self._waiting)[:_BATCH_ROWS]
            await store.note_report_reads([ReportRead(client_id, company, until) for client_id, company in batch])
            self._written.update(batch)
            self._waiting.difference_update(batch)

    async def concerned(
        self, store: Store, client_id: str, decided: Mapping[str, dt.date], now: Milliseconds
    ) -> frozenset[str]:
        """Return those of these companies whose report an application read in the months before the decision, or later.

        `decided` is company -> day of its newest decision.
        """
        reads = dict[str, Milliseconds]()
        companies = sorted(decided)
        for first in range(0, len(companies), _BATCH_ROWS):
            reads |= await store.report_reads(client_id, companies[first : first + _BATCH_ROWS])
        waiting = kept_until(date_of(now))
        reads |= {each: waiting for each in companies if (client_id, each) in self._waiting}
        within = dt.timedelta(days=READ_WITHIN_DAYS)
        return frozenset(each for each, until in reads.items() if until >= kept_until(decided[each] - within))
