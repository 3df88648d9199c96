"""Reads the records of a source into temporary tables of a staging file.

Facts are sorted when they are merged, at the end, which is many times faster than inserting them in order.
"""

import datetime as dt
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from credence.datasets.fact_reader import CUT, NIL, UNREADABLE_FACT, encode
from credence.datasets.loading import events, history
from credence.datasets.loading.summary import LoadCounts
from credence.datasets.sources.sanitize import sanitize
from credence.datasets.sources.source import Record, RejectedPlace, Renewal, Source, UnreadableValue

TABLES = f"""
CREATE TEMP TABLE staged_fact (number TEXT, id TEXT, value BLOB);
CREATE TEMP TABLE staged_mention (mentioned TEXT, number TEXT);
{history.STAGED}
{events.STAGED}
"""

_BATCH_ROWS = 5_000

SOON = dt.timedelta(days=7)
"""A fact whose date comes within these days is loaded again then; a later date is taken for an error."""

_FACT = "INSERT INTO staged_fact VALUES (?, ?, ?)"
_VERSION = "INSERT INTO staged_version VALUES (?, ?, ?, ?, ?, ?, ?)"
_EVENT = "INSERT INTO staged_event VALUES (?, ?, ?, ?, ?)"
_MENTION = "INSERT INTO staged_mention VALUES (?, ?)"


def gather(
    new: sqlite3.Connection,
    source: Source,
    files: Sequence[Path],
    counts: LoadCounts,
    keep_from: dt.date | None,
    today: dt.date,
) -> set[str]:
    """Write the facts to the temporary tables and return the companies with an unreadable fact."""
    return _Gathering(new, source, counts, keep_from, today).read(files)


class _Gathering:
    def __init__(
        self, new: sqlite3.Connection, source: Source, counts: LoadCounts, keep_from: dt.date | None, today: dt.date
    ) -> None:
        self._new, self._source, self._counts = new, source, counts
        self._keep_from, self._today = keep_from, today
        self._rows: list[tuple[object, ...]] = []
        self._mentions: list[tuple[str, str]] = []
        self._unreadable: set[str] = set()
        self._has_history = source.kind.history
        self._changes_entries = source.renewal is Renewal.ENTRY
        self._statement = _VERSION if self._has_history else _EVENT if self._changes_entries else _FACT

    def read(self, files: Sequence[Path]) -> set[str]:
        for each in sanitize(self._source.read(files), self._today):
            if isinstance(each, UnreadableValue):
                self._counts.warnings[each.reason] += 1
            elif isinstance(each, RejectedPlace):
                self._reject(each)
            elif each.fact is None:
                self._counts.stored += 1
                self._stage(each, CUT if each.cut else NIL)
            else:
                self._take(each)
            if len(self._rows) >= _BATCH_ROWS:
                self._flush()
        self._flush()
        return self._unreadable - {""}

    def _reject(self, place: RejectedPlace) -> None:
        self._counts.read()
        self._counts.refuse(place.reason, place.where)
        if place.to_come and place.to_come - self._today <= SOON:
            self._counts.stays_due = True
        if place.id and self._has_history:
            # The publisher says this under the id now; the earlier fact ends, and that of the company is unknown.
            value = UNREADABLE_FACT if place.company else NIL
            self._rows.append(
                (place.company, place.id, *_days(None, place.revised), place.version, place.reason, value)
            )
            return
        if place.id and self._changes_entries and place.company:
            self._rows.append(_event(place, UNREADABLE_FACT))
            return
        self._unreadable.add(place.company)

    def _take(self, record: Record) -> None:
        kind, counts, fact = self._source.kind, self._counts, record.fact
        counts.read()
        if self._source.dated and (day := self._source.dated(fact)):
            counts.newest = max(day, counts.newest or day)
        end = kind.ended(fact) if kind.ended else None
        if end and self._keep_from and end < self._keep_from:
            counts.forgotten += 1
            # The mark that the source was queried about the company is not personal data.
            self._rows.append(_event(record, NIL) if self._changes_entries else (record.company, "", NIL))
        else:
            self._stage(record, encode(fact))
            self._mentions.extend((mentioned, record.company) for mentioned in kind.mentions(fact))
        counts.stored += 1

    def _stage(self, record: Record, value: bytes) -> None:
        if not self._has_history:
            row = (record.company, record.id, value)
            self._rows.append(_event(record, value) if self._changes_entries else row)
            return
        is_fact = record.fact is not None
        known = record.revised or self._today
        since = None if not is_fact or self._source.kind.public(record.fact) else known.toordinal()
        deleted = record.id and not is_fact
        number, reason = ("", history.DELETED) if deleted else (record.company, "")
        self._rows.append((number, record.id, *_days(since, record.revised), record.version, reason, value))

    def _flush(self) -> None:
        self._new.executemany(self._statement, self._rows)
        self._new.executemany(_MENTION, self._mentions)
        self._rows.clear()
        self._mentions.clear()


def _days(since: int | None, revised: dt.date | None) -> tuple[int | None, int | None]:
    return since, revised.toordinal() if revised else None


def _event(found: Record | RejectedPlace, value: bytes) -> tuple[object, ...]:
    return found.company, found.id, found.revised.toordinal() if found.revised else None, found.version, value
