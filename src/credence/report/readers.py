"""Which applications read which reports: the decision of a dispute concerns them (D43, `docs/adr/report-readers.md`).

A request adds to a set in memory, and a periodic task writes new reads to the store. A row has application, company and
month; it does not have the person, the address, the time or the number of reads.
"""

import datetime as dt
from collections.abc import Mapping

from credence.clock import Milliseconds, date_of
from credence.store.contract import Store
from credence.store.records import ReportRead

READ_WITHIN_DAYS = 183
"""A decision is listed to applications that read the report within this number of days before it, or later."""

LISTED_DAYS = 183
"""The number of days for which a decision is listed."""

KEPT_MONTHS = 13
"""The months for which a read is stored: both periods above, and the rest of the month of the read."""

_BATCH_ROWS = 1_000

_MAX_WAITING = 100_000
"""Maximum number of unwritten reads; if the store does not answer for long, further ones are lost."""

_MAX_WRITTEN = 200_000
"""Maximum number of reads of this month that are remembered as written, so that they are not written again."""


def kept_until(day: dt.date) -> Milliseconds:
    """Return the instant at which a read of this day is deleted: the same for every day of a month."""
    month = day.year * 12 + day.month - 1 + KEPT_MONTHS
    end = dt.datetime(month // 12, month % 12 + 1, 1, tzinfo=dt.UTC)
    return int(end.timestamp() * 1000)


class UnsavedReads:
    """The reads of this process that are not stored yet."""

    def __init__(self) -> None:
        self._waiting: set[tuple[str, str]] = set()
        self._written: set[tuple[str, str]] = set()
        self._until: Milliseconds = 0

    def note(self, client_id: str, company: str) -> None:
        """Record that the report on a company was sent to an application."""
        if len(self._waiting) < _MAX_WAITING:
            self._waiting.add((client_id, company))

    async def store(self, store: Store, now: Milliseconds) -> None:
        """Write the recorded reads to the store. Raises StoreUnavailable; unwritten reads are retried by the next call."""
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
        """Return those of these companies whose report the application read recently enough before the decision, or later.

        `decided` maps each company to the day of its newest decision.
        """
        reads = dict[str, Milliseconds]()
        companies = sorted(decided)
        for first in range(0, len(companies), _BATCH_ROWS):
            reads |= await store.report_reads(client_id, companies[first : first + _BATCH_ROWS])
        waiting = kept_until(date_of(now))
        reads |= {each: waiting for each in companies if (client_id, each) in self._waiting}
        within = dt.timedelta(days=READ_WITHIN_DAYS)
        return frozenset(each for each, until in reads.items() if until >= kept_until(decided[each] - within))
