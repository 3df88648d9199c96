"""Applies events of a stream to single facts of a data set without a history.

The number of the last event about each entry is kept, so an older one, loaded later, changes nothing.
"""

import datetime as dt
import sqlite3
from collections.abc import Callable
from typing import Any

import msgspec

from credence.datasets.fact_kinds import FactKind
from credence.datasets.fact_reader import CUT, NIL, UNREADABLE_FACT, encode
from credence.datasets.loading.summary import LoadCounts
from credence.datasets.sources.source import Source

STAGED = """
CREATE TEMP TABLE staged_event (number TEXT, id TEXT, revised INTEGER, version INTEGER, value BLOB);
CREATE INDEX temp.staged_event_by_id ON staged_event (number, id);
"""

LAST = """
CREATE TABLE IF NOT EXISTS last_event (
    number TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (number, id)
) WITHOUT ROWID;
"""
"""Makes the table of the last event about each entry; data sets of earlier versions lack it."""

OLDER = "event.older"
"""The reason code of an event that changes nothing, because a later one or a later snapshot is loaded."""


def apply_events(new: sqlite3.Connection, source: Source, counts: LoadCounts, snapshot: dt.date | None) -> None:
    """Change and delete the facts of the staged events; `snapshot` is the day of a loaded snapshot, which has those before.

    A company that was not in the data set may have other facts than these, so it is marked as truncated.
    """
    _drop_older(new, counts, snapshot)
    query = "SELECT number, id, version, value FROM staged_event WHERE id != '' ORDER BY rowid"
    staged = new.execute(query).fetchall()
    known = {
        number for (number,) in new.execute("SELECT number FROM fact WHERE number IN (SELECT number FROM staged_event)")
    }
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(source.kind.fact).decode
    for number, id_, version, value in staged:
        held = new.execute("SELECT value FROM fact WHERE number = ? AND id = ?", (number, id_)).fetchone()
        counts.replaced += held is not None
        if number not in known and not (source.kind.exhaustive or source.kind.single):
            new.execute("INSERT OR IGNORE INTO fact VALUES (?, '', ?)", (number, CUT))
        # An event that cannot be read may be loaded again with a version of the program that reads it.
        last = version - 1 if value == UNREADABLE_FACT else version
        new.execute("INSERT OR REPLACE INTO last_event VALUES (?, ?, ?)", (number, id_, last))
        if value == NIL:
            new.execute("DELETE FROM fact WHERE number = ? AND id = ?", (number, id_))
            continue
        kept = value
        if source.keeps is not None and held not in (None, (UNREADABLE_FACT,)) and value != UNREADABLE_FACT:
            kept = encode(source.keeps(decode(held[0]), decode(value)))
        new.execute("INSERT OR REPLACE INTO fact VALUES (?, ?, ?)", (number, id_, kept))
    renew_mentions(new, source.kind, {number for number, _, _, _ in staged})


def renew_mentions(new: sqlite3.Connection, kind: FactKind, numbers: set[str]) -> None:
    """Make the mentions of these companies again from their facts."""
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(kind.fact).decode
    for number in numbers:
        query = "SELECT value FROM fact WHERE number = ? AND id != '' AND value != ?"
        rows = new.execute(query, (number, UNREADABLE_FACT))
        mentions = [(each, number) for (value,) in rows for each in kind.mentions(decode(value))]
        new.execute("DELETE FROM mention WHERE number = ?", (number,))
        new.executemany("INSERT OR IGNORE INTO mention VALUES (?, ?)", mentions)


def _drop_older(new: sqlite3.Connection, counts: LoadCounts, snapshot: dt.date | None) -> None:
    older = (
        "DELETE FROM staged_event WHERE revised < ? OR version <= "
        "(SELECT version FROM last_event WHERE (number, id) = (staged_event.number, staged_event.id))"
    )
    dropped = new.execute(older, (snapshot.toordinal() if snapshot else 0,)).rowcount
    if dropped:
        counts.warnings[OLDER] += dropped
