"""Writes the rows of a snapshot to the data set of the register (credit §2.2). Memory does not grow with the register."""

import datetime as dt
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import IO

from credence.clock import Milliseconds, date_of
from credence.datasets import register_schema
from credence.datasets.loading.register_rows import Row, prepare_all
from credence.datasets.loading.staging import open_staging, reasons
from credence.datasets.loading.summary import LoadCounts, Progress
from credence.datasets.sources.register.snapshot import chunks
from credence.datasets.sources.snapshot_files import require_all_parts, require_past_date, snapshot_date
from credence.datasets.sources.source import FilesRejected

PUBLISHER = "Companies House, Free Company Data Product"

_PROGRESS_ROWS = 10_000

_STAGING_TABLES = """
PRAGMA threads = 2;
INSERT INTO search (search, rank) VALUES ('hashsize', 33554432), ('automerge', 0);
CREATE TEMP TABLE staged_name (name TEXT, former INTEGER, company INTEGER);
CREATE TEMP TABLE staged_place (place TEXT);
CREATE VIRTUAL TABLE temp.term USING fts5vocab('main', 'search', 'row');
"""
"""Names and addresses in the order of the rows, to be sorted at the end; `term` lists the terms of `search`."""


def write_register(
    files: Sequence[Path], staged: Path, rejects: IO[str], now_ms: Milliseconds, progress: Progress | None = None
) -> tuple[dt.date | None, LoadCounts]:
    """Write the files of a snapshot to a staging file; return the day of the snapshot and the counts.

    Of two rows with one number the first is kept. Raises LoadError for files that are no snapshot or have no row to keep,
    and if the staging file cannot be written.
    """
    snapshot, today = snapshot_date(files), date_of(now_ms)
    require_past_date(snapshot, today)
    require_all_parts(files)
    counts = LoadCounts(rejects, ("row", "company_number"), progress, _PROGRESS_ROWS)
    with open_staging(staged, register_schema.TABLES + _STAGING_TABLES) as new:
        _fill(new, files, counts, today)
        about = (PUBLISHER, snapshot and snapshot.isoformat(), now_ms, counts.kept)
        new.execute("INSERT INTO about VALUES (?, ?, ?, ?)", about)
    if not counts.kept:
        raise FilesRejected(f"The files hold no row that can be kept: {reasons(counts.refused)}.")
    return snapshot, counts


def _fill(new: sqlite3.Connection, files: Sequence[Path], counts: LoadCounts, today: dt.date) -> None:
    numbers = NumberSet()
    divisions: Counter[str] = Counter()
    with closing(prepare_all(chunks(files), today)) as chunks_of_rows:
        for prepared in chunks_of_rows:
            counts.warnings.update(prepared.warnings)
            kept = _kept(prepared.rows, counts, numbers)
            counts.count_statuses(row.status for row in kept.values())
            divisions.update(row.division for row in kept.values())
            _insert(new, kept)
    counts.finish()
    del divisions[""]
    new.executemany("INSERT INTO division VALUES (?, ?)", sorted(divisions.items()))
    _sort_and_index(new)


def _kept(rows: Sequence[Row], counts: LoadCounts, numbers: "NumberSet") -> dict[int, Row]:
    """Count every row and return the kept ones by their position in the load."""
    kept = {}
    for row in rows:
        counts.row()
        refused = row.refused or ("" if numbers.add(row.number) else "number.duplicate")
        if refused:
            counts.refuse(refused, counts.rows, row.number[:20])
        else:
            kept[counts.rows] = row
    return kept


def _insert(new: sqlite3.Connection, kept: dict[int, Row]) -> None:
    new.executemany("INSERT INTO company VALUES (?, ?, ?)", [(id_, row.number, row.entry) for id_, row in kept.items()])
    new.executemany("INSERT INTO search (rowid, terms) VALUES (?, ?)", [(id_, row.terms) for id_, row in kept.items()])
    names = [(name, n > 0, id_) for id_, row in kept.items() for n, name in enumerate(row.names) if name]
    new.executemany("INSERT INTO staged_name VALUES (?, ?, ?)", names)
    new.executemany("INSERT INTO staged_place VALUES (?)", [(row.place,) for row in kept.values() if row.place])


def _sort_and_index(new: sqlite3.Connection) -> None:
    new.create_function("indexed_skeleton", 1, register_schema.indexed_skeleton, deterministic=True)
    for statement in (
        "INSERT INTO name SELECT * FROM staged_name ORDER BY name, former, company",
        "DROP TABLE staged_name",
        "INSERT INTO place SELECT place, count(*) FROM staged_place GROUP BY place HAVING count(*) > 1",
        "DROP TABLE staged_place",
        "INSERT INTO search (search) VALUES ('optimize')",
        "INSERT INTO word SELECT term, doc, indexed_skeleton(term) FROM term WHERE term NOT GLOB '[@#~]*'",
        "DROP TABLE term",
        *register_schema.INDEXES,
    ):
        new.execute(statement)


_SIX_DIGITS = 1_000_000
_EIGHT_DIGITS = 100_000_000


class NumberSet:
    """A set of normalised company numbers, one bit each: 13 MB for all-digit numbers and 0.1 MB for each prefix.

    A Python set of 5.6 million texts would take several hundred megabytes.
    """

    def __init__(self) -> None:
        self._bits: dict[str, bytearray] = {}
        self._others: set[str] = set()

    def add(self, number: str) -> bool:
        """Add a number; return whether it is new."""
        if number.isdigit():
            prefix, serial = "", int(number)
        elif number[2:].isdigit():
            prefix, serial = number[:2], int(number[2:])
        else:  # such as IP00261C, which ends in a letter
            new = number not in self._others
            self._others.add(number)
            return new
        bits = self._bits.get(prefix)
        if bits is None:
            bits = self._bits[prefix] = bytearray((_SIX_DIGITS if prefix else _EIGHT_DIGITS) // 8)
        place, bit = serial >> 3, 1 << (serial & 7)
        new = bits[place] & bit == 0
        bits[place] |= bit
        return new
