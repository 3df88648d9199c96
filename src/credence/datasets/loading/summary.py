"""The counts of a load; each row is kept, dropped or rejected, and the rejects file lists the rejected ones."""

import csv
import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import msgspec

from credence.companies.codes import KNOWN_STATUSES

Progress = Callable[[int], None]
"""Called with the number of rows, documents or notices read so far."""

_MAX_UNKNOWN_STATUSES = 20


class LoadSummary(msgspec.Struct, frozen=True):
    """The result of a load: `rows` is the sum of `kept`, `forgotten`, `duplicates` and all of `refused`."""

    source: str
    rows: int
    kept: int
    replaced: int
    """Kept documents that replaced an earlier version."""
    forgotten: int
    """Rows of personal data that ended before the retention period (credit §10)."""
    duplicates: int
    """Documents that occurred again within the load; the last one is kept. The register rejects a second row instead."""
    refused: dict[str, int]
    """Reason code -> rejected rows, such as `row.columns`, `number.malformed`, `name.missing`, `number.duplicate`."""
    warnings: dict[str, int]
    """Reason code -> values left unknown, such as `date.unreadable`, `number.unreadable`, `sic.unreadable`."""
    unknown_statuses: dict[str, int]
    """Company status without a known meaning -> rows of the register, at most 20 texts. No code treats one as active."""
    companies: int
    """Companies in the new data set."""
    unknown_companies: int | None
    """Companies without a register entry; None if no register is loaded."""
    as_of: dt.date | None
    """The day of the snapshot, or of the newest document."""
    rejects: Path
    """A CSV file with place and reason code of each rejected row; it contains no personal data."""


class LoadCounts:
    """The counts of a load in progress."""

    def __init__(self, rejects: IO[str], columns: Iterable[str], progress: Progress | None, progress_rows: int) -> None:
        """Write the header of the rejects file. `progress` is called every `progress_rows` rows and at the end."""
        self.rows = self.stored = self.replaced = self.duplicates = self.forgotten = 0
        self.newest: dt.date | None = None
        self.stays_due = False
        """Whether the files are to be loaded again, because a date in them is still to come."""
        self.warnings: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._unknown_statuses: Counter[str] = Counter()
        self._rejects = csv.writer(rejects)
        self._rejects.writerow((*columns, "reason"))
        self._progress, self._progress_rows = progress or (lambda _: None), progress_rows

    @property
    def kept(self) -> int:
        """The number of kept rows."""
        return self.rows - self.refused.total() - self.forgotten - self.duplicates

    def read(self, rows: int = 1) -> None:
        """Count rows as read; the progress is reported every `progress_rows` rows."""
        reported = self.rows // self._progress_rows
        self.rows += rows
        for number in range(reported + 1, self.rows // self._progress_rows + 1):
            self._progress(number * self._progress_rows)

    def finish(self) -> None:
        """Report the final progress."""
        self._progress(self.rows)

    def refuse(self, reason: str, *place: object) -> None:
        """Count a row as rejected and write its place to the rejects file."""
        self.refused[reason] += 1
        self._rejects.writerow((*place, reason))

    def count_statuses(self, statuses: Iterable[str]) -> None:
        """Count the company statuses without a known meaning."""
        for status, rows in Counter(statuses).items():
            known = status.lower() in KNOWN_STATUSES
            if not known and (status in self._unknown_statuses or len(self._unknown_statuses) < _MAX_UNKNOWN_STATUSES):
                self._unknown_statuses[status] += rows

    def summary(
        self, source: str, rejects: Path, as_of: dt.date | None, companies: int, unknown_companies: int | None
    ) -> LoadSummary:
        """Return the result of the finished load."""
        return LoadSummary(
            source=source,
            rows=self.rows,
            kept=self.kept,
            replaced=self.replaced,
            forgotten=self.forgotten,
            duplicates=self.duplicates,
            refused=dict(self.refused),
            warnings=dict(self.warnings),
            unknown_statuses=dict(self._unknown_statuses),
            companies=companies,
            unknown_companies=unknown_companies,
            as_of=as_of,
            rejects=rejects,
        )
