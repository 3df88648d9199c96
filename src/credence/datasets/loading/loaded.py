"""What a load of facts did, counted; each row is kept, dropped or refused, and a refused one is written down."""

import csv
import datetime as dt
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import IO

import msgspec

Progress = Callable[[int], None]
"""Told the rows, documents or notices read so far."""

_PROGRESS_EVERY = 1_000


class Loaded(msgspec.Struct, frozen=True):
    """What a load did: `rows` is the sum of `kept`, `forgotten`, `duplicates` and all of `refused`."""

    source: str
    rows: int
    kept: int
    replaced: int
    """Of those kept, the ones whose document was there already."""
    forgotten: int
    """Personal data that ended longer ago than the retention (credit §10)."""
    duplicates: int
    """Documents that came again within the load; the last one counts."""
    refused: dict[str, int]
    """Reason -> rows."""
    warnings: dict[str, int]
    """Reason -> values left unknown."""
    companies: int
    """Companies the data set now speaks of."""
    unknown_companies: int | None
    """Of those, the ones without a register row; None when no register is loaded."""
    as_of: dt.date | None
    rejects: Path
    """A CSV file of what was refused: place and reason; no personal data."""


class FactTally:
    """The counts of a load under way."""

    def __init__(self, rejects: IO[str], progress: Progress) -> None:
        self.rows = self.stored = self.replaced = self.duplicates = self.forgotten = 0
        self.newest: dt.date | None = None
        self._refused: Counter[str] = Counter()
        self._warnings: Counter[str] = Counter()
        self._rejects = csv.writer(rejects)
        self._rejects.writerow(("place", "reason"))
        self._progress = progress

    def row(self) -> None:
        """Count a row as read."""
        self.rows += 1
        if self.rows % _PROGRESS_EVERY == 0:
            self._progress(self.rows)

    def read_all(self) -> None:
        """Tell that the files have been read to their end."""
        self._progress(self.rows)

    def refuse(self, where: str, reason: str) -> None:
        """Count a row as refused and write down where it stands."""
        self._refused[reason] += 1
        self._rejects.writerow((where, reason))

    def doubt(self, reason: str) -> None:
        """Count a value that stays unknown."""
        self._warnings[reason] += 1

    @property
    def refused(self) -> dict[str, int]:
        """Reason -> rows."""
        return dict(self._refused)

    def loaded(self, source: str, companies: int, unknown: int | None, as_of: dt.date | None, rejects: Path) -> Loaded:
        """Return the counts as they stand at the end."""
        return Loaded(
            source=source,
            rows=self.rows,
            kept=self.rows - self._refused.total() - self.forgotten - self.duplicates,
            replaced=self.replaced,
            forgotten=self.forgotten,
            duplicates=self.duplicates,
            refused=self.refused,
            warnings=dict(self._warnings),
            companies=companies,
            unknown_companies=unknown,
            as_of=as_of,
            rejects=rejects,
        )
