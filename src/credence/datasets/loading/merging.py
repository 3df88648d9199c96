"""Moves gathered facts to the tables of a staging file, as the renewal of the source says.

Without a history, a fact replaces the earlier one; `history.py` has the others.
"""

import datetime as dt
import sqlite3
from collections.abc import Callable, Collection
from functools import reduce
from typing import Any

import msgspec

from credence.datasets.fact_reader import CUT, encode
from credence.datasets.loading import history
from credence.datasets.loading.events import apply_events
from credence.datasets.loading.summary import LoadCounts
from credence.datasets.sources.source import Renewal, Source


def merge(
    new: sqlite3.Connection,
    source: Source,
    counts: LoadCounts,
    unreadable: Collection[str],
    today: dt.date,
    snapshot: dt.date | None,
) -> None:
    """Merge the gathered facts; of several with one id the last is kept. `snapshot` is the day of the loaded snapshot."""
    if source.kind.history:
        _merge_with_history(new, source, counts, unreadable, today)
    elif source.renewal is Renewal.ENTRY:
        apply_events(new, source, counts, snapshot)
    else:
        _replace(new, source, counts)


def number_of(connection: sqlite3.Connection, statement: str) -> int:
    """Return the one number of a query."""
    ((value,),) = connection.execute(statement).fetchall()
    return int(value)


def _merge_with_history(
    new: sqlite3.Connection, source: Source, counts: LoadCounts, unreadable: Collection[str], today: dt.date
) -> None:
    staged = number_of(new, "SELECT count(*) FROM staged_version WHERE number != '' AND id != '' AND reason = ''")
    key = "id" if source.renewal is Renewal.DOCUMENT else "number, id"
    counts.duplicates = staged - number_of(
        new,
        f"SELECT count(*) FROM (SELECT DISTINCT {key} FROM staged_version "  # noqa: S608 - constants
        "WHERE number != '' AND id != '' AND reason = '')",
    )
    if source.renewal is Renewal.COMPANY:
        counts.replaced = history.replace_answers(new, today, unreadable, world_wide=source.kind.world_wide)
        return
    if source.renewal is Renewal.ENTRY and not source.kind.exhaustive:
        unknown = (
            "SELECT DISTINCT number FROM staged_version WHERE number != '' AND number NOT IN (SELECT number FROM fact)"
        )
        history.mark(new, [number for (number,) in new.execute(unknown).fetchall()], CUT)
    counts.replaced = history.revise(new, today)


def _replace(new: sqlite3.Connection, source: Source, counts: LoadCounts) -> None:
    if source.renewal is Renewal.COMPANY:
        counts.replaced = number_of(
            new, "SELECT count(*) FROM fact WHERE id != '' AND (number, id) IN (SELECT number, id FROM staged_fact)"
        )
        new.execute("DELETE FROM fact WHERE number IN (SELECT DISTINCT number FROM staged_fact)")
        new.execute("DELETE FROM mention WHERE number IN (SELECT DISTINCT number FROM staged_fact)")
    if source.renewal is Renewal.DOCUMENT:
        _unite(new, source)
        _unite_earlier(new, source)
        counts.replaced = number_of(
            new, "SELECT count(*) FROM fact WHERE (number, id) IN (SELECT number, id FROM staged_fact WHERE id != '')"
        )
    staged = number_of(new, "SELECT count(*) FROM staged_fact WHERE id != ''")
    different = number_of(new, "SELECT count(*) FROM (SELECT DISTINCT number, id FROM staged_fact WHERE id != '')")
    counts.duplicates = staged - different
    new.execute("INSERT OR REPLACE INTO fact SELECT number, id, value FROM staged_fact ORDER BY number, id, rowid")
    new.execute("INSERT OR IGNORE INTO mention SELECT mentioned, number FROM staged_mention ORDER BY mentioned, number")


def _unite(new: sqlite3.Connection, source: Source) -> None:
    """Let the last of several documents with one id be what `Source.keeps` makes of all of them, one after the other."""
    if source.keeps is None:
        return
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(source.kind.fact).decode
    several = (
        "SELECT number, id FROM staged_fact WHERE id != '' GROUP BY number, id HAVING count(*) > 1 "
        "UNION SELECT number, id FROM staged_fact JOIN fact USING (number, id) WHERE id != ''"
    )
    for number, id_ in new.execute(several).fetchall():
        query = "SELECT 0, value FROM fact WHERE number = ? AND id = ? UNION ALL SELECT rowid, value FROM staged_fact "
        rows = new.execute(query + "WHERE number = ? AND id = ? ORDER BY 1", (number, id_, number, id_)).fetchall()
        kept = reduce(source.keeps, [decode(value) for _, value in rows])
        new.execute("UPDATE staged_fact SET value = ? WHERE rowid = ?", (encode(kept), rows[-1][0]))


def _unite_earlier(new: sqlite3.Connection, source: Source) -> None:
    """Do the same with facts that an earlier version has stored under another id, and delete these."""
    if source.keeps is None or source.replaces is None:
        return
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(source.kind.fact).decode
    pairs = (
        "SELECT fact.number, fact.id, fact.value, staged_fact.rowid, staged_fact.value "
        "FROM staged_fact JOIN fact USING (number) "
        "WHERE staged_fact.id != '' AND fact.id != '' AND fact.id NOT GLOB ?"
    )
    for number, id_, earlier, row, staged in new.execute(pairs, (source.id_form,)).fetchall():
        if source.replaces(decode(staged), decode(earlier)):
            kept = encode(source.keeps(decode(earlier), decode(staged)))
            new.execute("UPDATE staged_fact SET value = ? WHERE rowid = ?", (kept, row))
            new.execute("DELETE FROM fact WHERE number = ? AND id = ?", (number, id_))
