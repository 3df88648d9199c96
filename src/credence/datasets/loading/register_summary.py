"""What a load did, counted row by row; each row is kept or refused, and a refused one is written down."""

import csv
import datetime as dt
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import msgspec

from credence.companies.codes import KNOWN_STATUSES

_STATUSES_NAMED = 20


class Summary(msgspec.Struct, frozen=True):
    """What a load did: `rows` is `kept` and the sum of `refused`."""

    rows: int
    kept: int
    refused: dict[str, int]
    """Reason -> rows: `row.columns`, `number.malformed`, `name.missing`, `number.duplicate`."""
    warnings: dict[str, int]
    """Reason -> cells left unknown: `date.unreadable`, `number.unreadable`, `sic.unreadable`."""
    unknown_statuses: dict[str, int]
    """Status texts without a known meaning -> rows; kept as they are, never taken for Active. At most 20 texts."""
    snapshot: dt.date | None
    rejects: Path
    """A CSV file of the refused rows: place in the load (the first row is 1), company number, reason; no addresses."""


class Tally:
    """The counts of a load under way."""

    def __init__(self, rejects: IO[str]) -> None:
        self.rows = 0
        self.warnings: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._unknown_statuses: Counter[str] = Counter()
        self._rejects = csv.writer(rejects)
        self._rejects.writerow(("row", "company_number", "reason"))

    @property
    def kept(self) -> int:
        """Rows that are in the data set."""
        return self.rows - self._refused.total()

    @property
    def refused(self) -> dict[str, int]:
        """Reason -> rows."""
        return dict(self._refused)

    def refuse(self, row: int, number: str, reason: str) -> None:
        """Count a row as refused and write down where it stands."""
        self._refused[reason] += 1
        self._rejects.writerow((row, number[:20], reason))

    def see_statuses(self, statuses: Iterable[str]) -> None:
        """Count those that have no known meaning."""
        for status, rows in Counter(statuses).items():
            known = status.lower() in KNOWN_STATUSES
            if not known and (status in self._unknown_statuses or len(self._unknown_statuses) < _STATUSES_NAMED):
                self._unknown_statuses[status] += rows

    def summary(self, snapshot: dt.date | None, rejects: Path) -> Summary:
        """Return the counts as they stand."""
        return Summary(
            rows=self.rows,
            kept=self.kept,
            refused=self.refused,
            warnings=dict(self.warnings),
            unknown_statuses=dict(self._unknown_statuses),
            snapshot=snapshot,
            rejects=rejects,
        )
