"""Writes the records of a source to the data set of its kind of fact (credit §11).

Facts go to temporary tables first and are sorted at the end, which is many times faster than inserting them in order.
"""

import datetime as dt
import sqlite3
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from credence.datasets import catalogue, register_schema
from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.data_set import read_only_uri
from credence.datasets.fact_kinds import MISSING, REGISTER, FactKind
from credence.datasets.fact_reader import CUT, NIL, TABLES, UNREADABLE_FACT, encode
from credence.datasets.loading.staging import open_staging, reasons
from credence.datasets.loading.summary import LoadCounts, Progress
from credence.datasets.sources.sanitize import sanitize
from credence.datasets.sources.source import FilesRejected, Record, Renewal, Source, UnreadableValue

_STAGING_TABLES = """
PRAGMA secure_delete = ON;
CREATE TEMP TABLE staged_fact (number TEXT, id TEXT, value BLOB);
CREATE TEMP TABLE staged_mention (mentioned TEXT, number TEXT);
"""

_BATCH_ROWS = 5_000

_PROGRESS_ROWS = 1_000


class Written(NamedTuple):
    """The content of a staging file."""

    counts: LoadCounts
    facts: int
    companies: int
    unknown_companies: int | None


def write_facts(
    source: Source,
    files: Sequence[Path],
    staged: Path,
    rejects: IO[str],
    folder: Path,
    today: dt.date,
    base: CatalogueEntry | None,
    keep_from: dt.date | None,
    progress: Progress | None,
) -> Written:
    """Write the facts of files to a staging file, which is empty or a copy of the data set `base` to be extended.

    Raises LoadError, and FilesRejected if no fact can be kept.
    """
    with open_staging(staged, opening_script(source.kind, new=base is None)) as new:
        counts = LoadCounts(rejects, ("place",), progress, _PROGRESS_ROWS)
        unreadable = _gather(new, source, files, counts, keep_from, today)
        counts.finish()
        if not counts.stored:
            hint = f" {source.number_hint}" if MISSING in counts.refused and source.number_hint else ""
            raise FilesRejected(f"The files hold nothing that can be kept: {reasons(counts.refused)}.{hint}")
        _merge(new, source, counts)
        marks = [(number, UNREADABLE_FACT) for number in unreadable]
        new.executemany("INSERT OR REPLACE INTO fact VALUES (?, '', ?)", marks)
        if base is not None:
            drop_ended(new, source.kind, keep_from)
        return Written(counts, *count_facts(new), _count_unknown_companies(new, folder))


def opening_script(kind: FactKind, *, new: bool) -> str:
    """Return the SQL that prepares a staging file; a new one has no tables yet."""
    return _STAGING_TABLES + (f"{TABLES} PRAGMA user_version = {kind.layout};" if new else "")


def count_facts(new: sqlite3.Connection) -> tuple[int, int]:
    """Return the number of facts in a staging file, and of companies."""
    facts = _number(new, "SELECT count(*) FROM fact WHERE id != ''")
    return facts, _number(new, "SELECT count(DISTINCT number) FROM fact")


def drop_ended(new: sqlite3.Connection, kind: FactKind, since: dt.date | None) -> int:
    """Delete personal data that ended before `since`, and its mentions; return the number of deleted facts."""
    if kind.ended is None or since is None:
        return 0
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(kind.fact).decode
    ended = []
    for number, id_, value in new.execute("SELECT number, id, value FROM fact WHERE id != ''"):
        end = kind.ended(decode(value))
        if end and end < since:
            ended.append((number, id_))
    new.executemany("DELETE FROM fact WHERE number = ? AND id = ?", ended)
    new.executemany("INSERT OR IGNORE INTO fact VALUES (?, '', ?)", [(number, NIL) for number, _ in ended])
    _renew_mentions(new, kind, {number for number, _ in ended})
    return len(ended)


def _gather(
    new: sqlite3.Connection,
    source: Source,
    files: Sequence[Path],
    counts: LoadCounts,
    keep_from: dt.date | None,
    today: dt.date,
) -> set[str]:
    """Write the facts to the temporary tables and return the companies with an unreadable fact."""
    facts: list[tuple[str, str, bytes]] = []
    mentions: list[tuple[str, str]] = []

    def flush() -> None:
        new.executemany("INSERT INTO staged_fact VALUES (?, ?, ?)", facts)
        new.executemany("INSERT INTO staged_mention VALUES (?, ?)", mentions)
        facts.clear()
        mentions.clear()

    ended, dated, changes_entries = source.kind.ended, source.dated, source.renewal is Renewal.ENTRY
    unreadable: set[str] = set()
    for each in sanitize(source.read(files), today):
        if isinstance(each, UnreadableValue):
            counts.warnings[each.reason] += 1
            continue
        if isinstance(each, Record) and each.fact is None:
            facts.append((each.company, each.id, CUT if each.cut else NIL))
            counts.stored += 1
            continue
        counts.read()
        if not isinstance(each, Record):
            counts.refuse(each.reason, each.where)
            if not changes_entries or source.kind.all_or_nothing:
                unreadable.add(each.company)
            continue
        if dated and (day := dated(each.fact)):
            counts.newest = max(day, counts.newest or day)
        end = ended(each.fact) if ended else None
        if end and keep_from and end < keep_from:
            counts.forgotten += 1
            # The mark that the source was queried about the company is not personal data.
            facts.append((each.company, each.id if changes_entries else "", NIL))
        else:
            facts.append((each.company, each.id, encode(each.fact)))
            mentions.extend((mentioned, each.company) for mentioned in source.kind.mentions(each.fact))
        counts.stored += 1
        if len(facts) >= _BATCH_ROWS:
            flush()
    flush()
    return unreadable - {""}


def _merge(new: sqlite3.Connection, source: Source, counts: LoadCounts) -> None:
    """Move the gathered facts to their tables; of several documents with one id the last is kept."""
    if source.renewal is Renewal.ENTRY:
        _apply(new, source, counts)
        return
    if source.renewal is Renewal.COMPANY:
        counts.replaced = _number(
            new, "SELECT count(*) FROM fact WHERE id != '' AND (number, id) IN (SELECT number, id FROM staged_fact)"
        )
        new.execute("DELETE FROM fact WHERE number IN (SELECT DISTINCT number FROM staged_fact)")
        new.execute("DELETE FROM mention WHERE number IN (SELECT DISTINCT number FROM staged_fact)")
    if source.renewal is Renewal.DOCUMENT:
        counts.replaced = _number(
            new, "SELECT count(*) FROM fact WHERE (number, id) IN (SELECT number, id FROM staged_fact WHERE id != '')"
        )
    staged = _number(new, "SELECT count(*) FROM staged_fact WHERE id != ''")
    different = _number(new, "SELECT count(*) FROM (SELECT DISTINCT number, id FROM staged_fact WHERE id != '')")
    counts.duplicates = staged - different
    new.execute("INSERT OR REPLACE INTO fact SELECT number, id, value FROM staged_fact ORDER BY number, id, rowid")
    new.execute("INSERT OR IGNORE INTO mention SELECT mentioned, number FROM staged_mention ORDER BY mentioned, number")


def _apply(new: sqlite3.Connection, source: Source, counts: LoadCounts) -> None:
    """Change and delete single facts of events.

    A company that was not in the data set may have other facts than these, so it is marked as truncated.
    """
    staged = new.execute("SELECT number, id, value FROM staged_fact WHERE id != '' ORDER BY rowid").fetchall()
    known = {
        number for (number,) in new.execute("SELECT number FROM fact WHERE number IN (SELECT number FROM staged_fact)")
    }
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(source.kind.fact).decode
    for number, id_, value in staged:
        held = new.execute("SELECT value FROM fact WHERE number = ? AND id = ?", (number, id_)).fetchone()
        counts.replaced += held is not None
        if value == NIL:
            new.execute("DELETE FROM fact WHERE number = ? AND id = ?", (number, id_))
            continue
        kept = value if held is None else encode(source.keeps(decode(held[0]), decode(value)))
        new.execute("INSERT OR REPLACE INTO fact VALUES (?, ?, ?)", (number, id_, kept))
        if number not in known and not (source.kind.exhaustive or source.kind.single):
            new.execute("INSERT OR IGNORE INTO fact VALUES (?, '', ?)", (number, CUT))
    _renew_mentions(new, source.kind, {number for number, _, _ in staged})


def _renew_mentions(new: sqlite3.Connection, kind: FactKind, numbers: Collection[str]) -> None:
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(kind.fact).decode
    for number in numbers:
        rows = new.execute("SELECT value FROM fact WHERE number = ? AND id != ''", (number,))
        mentions = [(each, number) for (value,) in rows for each in kind.mentions(decode(value))]
        new.execute("DELETE FROM mention WHERE number = ?", (number,))
        new.executemany("INSERT OR IGNORE INTO mention VALUES (?, ?)", mentions)


def _count_unknown_companies(new: sqlite3.Connection, folder: Path) -> int | None:
    register = catalogue.read(folder).sources.get(REGISTER)
    if register is None or register.layout != register_schema.LAYOUT or not (folder / register.file).exists():
        return None
    new.commit()
    new.execute("ATTACH ? AS register", (read_only_uri(folder / register.file),))
    try:
        return _number(
            new,
            "SELECT count(*) FROM (SELECT DISTINCT number FROM fact) AS loaded"
            " WHERE NOT EXISTS (SELECT 1 FROM register.company WHERE company.number = loaded.number)",
        )
    finally:
        new.execute("DETACH register")


def _number(connection: sqlite3.Connection, statement: str) -> int:
    ((value,),) = connection.execute(statement).fetchall()
    return int(value)
