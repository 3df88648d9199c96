"""Writes the records of a source to the data set of its kind of fact (credit §11)."""

import datetime as dt
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from credence.datasets import catalogue, register_schema
from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.data_set import read_only_uri
from credence.datasets.fact_kinds import MISSING, REGISTER, FactKind
from credence.datasets.fact_reader import NIL, UNREADABLE_FACT, tables_of
from credence.datasets.loading import events, gathering, history
from credence.datasets.loading.events import renew_mentions
from credence.datasets.loading.merging import merge, number_of
from credence.datasets.loading.staging import open_staging, reasons
from credence.datasets.loading.summary import LoadCounts, Progress
from credence.datasets.sources.source import FilesRejected, Source

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
    with open_staging(staged, opening_script(source.kind, base)) as new:
        counts = LoadCounts(rejects, ("place",), progress, _PROGRESS_ROWS)
        unreadable = gathering.gather(new, source, files, counts, keep_from, today)
        counts.finish()
        if not counts.stored and not _says_other(new, source.kind, extends=base is not None):
            hint = f" {source.number_hint}" if MISSING in counts.refused and source.number_hint else ""
            raise FilesRejected(f"The files hold nothing that can be kept: {reasons(counts.refused)}.{hint}")
        merge(new, source, counts, unreadable, today, base.as_of if base else None)
        if source.kind.history:
            history.mark(new, unreadable, UNREADABLE_FACT)
        else:
            marks = [(number, UNREADABLE_FACT) for number in unreadable]
            new.executemany("INSERT OR REPLACE INTO fact VALUES (?, '', ?)", marks)
        if base is not None:
            drop_ended(new, source.kind, keep_from)
        return Written(counts, *count_facts(new, source.kind), _count_unknown_companies(new, folder))


def _says_other(new: sqlite3.Connection, kind: FactKind, *, extends: bool) -> bool:
    """Return whether files without a readable fact change the loaded data set."""
    if extends and number_of(new, "SELECT count(*) FROM staged_event"):
        return True
    return history.says_other(new, kind, extends=extends)


def opening_script(kind: FactKind, base: CatalogueEntry | None) -> str:
    """Return the SQL that prepares a staging file: a new one, or a copy of the data set of the entry `base`."""
    if base is None:
        return _SECURE + gathering.TABLES + tables_of(kind) + events.LAST
    upgrade = history.UPGRADE + f"PRAGMA user_version = {kind.layout};" if base.layout != kind.layout else ""
    return _SECURE + gathering.TABLES + upgrade + events.LAST


_SECURE = "PRAGMA secure_delete = ON;"

_PRESENT = " AND until = 0 AND number != ''"
"""What makes a row of a data set with a history a present one."""


def count_facts(new: sqlite3.Connection, kind: FactKind) -> tuple[int, int]:
    """Return the number of facts in a staging file, and of companies."""
    present = _PRESENT if kind.history else ""
    query = f"SELECT count(*) FROM fact WHERE id != '' AND value != ?{present}"  # noqa: S608 - constants
    ((facts,),) = new.execute(query, (UNREADABLE_FACT,)).fetchall()
    return facts, number_of(new, f"SELECT count(DISTINCT number) FROM fact WHERE true{present}")  # noqa: S608 - constants


def drop_ended(new: sqlite3.Connection, kind: FactKind, since: dt.date | None) -> int:
    """Delete personal data that ended before `since`, and its mentions; return the number of deleted facts."""
    if kind.ended is None or since is None:
        return 0
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(kind.fact).decode
    ended = []
    query = "SELECT number, id, value FROM fact WHERE id != '' AND value != ?"
    for number, id_, value in new.execute(query, (UNREADABLE_FACT,)):
        end = kind.ended(decode(value))
        if end and end < since:
            ended.append((number, id_))
    new.executemany("DELETE FROM fact WHERE number = ? AND id = ?", ended)
    new.executemany("INSERT OR IGNORE INTO fact VALUES (?, '', ?)", [(number, NIL) for number, _ in ended])
    renew_mentions(new, kind, {number for number, _ in ended})
    return len(ended)


def _count_unknown_companies(new: sqlite3.Connection, folder: Path) -> int | None:
    register = catalogue.read(folder).sources.get(REGISTER)
    if register is None or register.layout != register_schema.LAYOUT or not (folder / register.file).exists():
        return None
    new.commit()
    new.execute("ATTACH ? AS register", (read_only_uri(folder / register.file),))
    try:
        return number_of(
            new,
            "SELECT count(*) FROM (SELECT DISTINCT number FROM fact WHERE number != '') AS loaded"
            " WHERE NOT EXISTS (SELECT 1 FROM register.company WHERE company.number = loaded.number)",
        )
    finally:
        new.execute("DETACH register")
