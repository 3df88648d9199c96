"""Writes the rows of a snapshot to the data set of the register (credit §2.2). Memory does not grow with the register.

The addresses are in a temporary file of their own, so a thread can sort and count them while the rest is indexed.
"""

import datetime as dt
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain, compress
from pathlib import Path
from typing import IO

import msgspec

from credence.clock import Milliseconds, london_day
from credence.companies.codes import DISSOLVED_STATUSES
from credence.companies.words import dissolved_at
from credence.datasets import register_schema
from credence.datasets.loading.register_rows import PreparedRows, prepare_all
from credence.datasets.loading.staging import open_staging, reasons
from credence.datasets.loading.summary import LoadCounts, Progress
from credence.datasets.sources.register.snapshot import chunks
from credence.datasets.sources.snapshot_files import require_all_parts, require_past_date, snapshot_date
from credence.datasets.sources.source import FilesRejected

_TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;
CREATE TABLE staged (places TEXT NOT NULL);
CREATE TABLE shared (place TEXT NOT NULL, companies INTEGER NOT NULL);
"""

_COUNT = """
INSERT INTO shared SELECT value, count(*) FROM staged, json_each(staged.places) WHERE value != ''
GROUP BY value HAVING count(*) > 1 OR value LIKE '~%' ORDER BY value
"""

_encoded_counts = msgspec.json.Encoder().encode


class AddressCounts:
    """Companies at each address; `add` every address, `begin` the count, then read `shared`. Raises sqlite3.Error."""

    def __init__(self, staged: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._staged, self._thread = staged, thread
        self._counted: Future[object] | None = None

    def add(self, places: Sequence[str]) -> None:
        """Add one company at each of these addresses, written as `words.address_key`; an empty one is unknown."""
        # One JSON text is a twentieth of the work of a row for each address.
        self._staged.execute("INSERT INTO staged VALUES (?)", (_encoded_counts(places).decode(),))

    def begin(self) -> None:
        """Begin to count in the thread."""
        self._counted = self._thread.submit(self._staged.execute, _COUNT)

    def shared(self) -> Iterator[tuple[str, int]]:
        """Wait for the count; yield each address with two companies or more, in ascending order, and their number.

        An address of dissolved companies (`words.dissolved_at`) is yielded with one already.
        """
        if self._counted is not None:
            self._counted.result()
        yield from self._staged.execute("SELECT place, companies FROM shared ORDER BY rowid")


@contextmanager
def address_counts() -> Iterator[AddressCounts]:
    """Yield a count that has no address yet. Its file has no name and is gone at the end, and a count that runs ends."""
    with (
        closing(sqlite3.connect("", check_same_thread=False)) as staged,
        ThreadPoolExecutor(1, "credence addresses") as thread,
    ):
        staged.executescript(_TABLES)
        try:
            yield AddressCounts(staged, thread)
        finally:
            staged.interrupt()


PUBLISHER = "Companies House, Free Company Data Product"

_PROGRESS_ROWS = 10_000

_STAGING_TABLES = """
PRAGMA threads = 2;
INSERT INTO search (search, rank) VALUES ('hashsize', 33554432), ('automerge', 0);
CREATE TEMP TABLE staged (first INTEGER, names TEXT);
CREATE TEMP TABLE staged_former (company INTEGER, name TEXT);
CREATE VIRTUAL TABLE temp.term USING fts5vocab('main', 'search', 'row');
"""
"""Temporary tables: names in the order of the rows, sorted at the end, of which `staged` has a JSON array for each chunk and
the id of its first row; `term` lists the search terms.
"""


def write_register(
    files: Sequence[Path], staged: Path, rejects: IO[str], now_ms: Milliseconds, progress: Progress | None = None
) -> tuple[dt.date | None, LoadCounts]:
    """Write the files of a snapshot to a staging file; return the day of the snapshot and the counts.

    The first of several rows with one number is kept. Raises LoadError for files that are no snapshot or have no row to
    keep, and if the staging file cannot be written.
    """
    snapshot, today = snapshot_date(files), london_day(now_ms)
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
    with address_counts() as addresses, closing(prepare_all(chunks(files), today)) as chunks_of_rows:
        for prepared in chunks_of_rows:
            first = counts.rows
            counts.read(prepared.rows)
            counts.warnings.update(prepared.warnings)
            kept, refused = _first_of_each_number(prepared, numbers)
            for place, number, reason in refused:
                counts.refuse(reason, first + place, number[:20])
            counts.count_statuses(kept.statuses)
            divisions.update(kept.divisions)
            _insert(new, kept, first)
            addresses.add(kept.addresses)
            addresses.add(_of_dissolved(kept))
        counts.finish()
        del divisions[""]
        new.executemany("INSERT INTO division VALUES (?, ?)", sorted(divisions.items()))
        _sort_and_index(new, addresses)


def _first_of_each_number(
    prepared: PreparedRows, numbers: "NumberSet"
) -> tuple[PreparedRows, list[tuple[int, str, str]]]:
    """Return the rows whose numbers are new, and place, number and reason code of the others."""
    is_new = list(map(numbers.add, prepared.numbers))
    if all(is_new):
        return prepared, prepared.refused
    columns = {name: tuple(compress(getattr(prepared, name), is_new)) for name in _COLUMNS}
    places = set(columns["places"])
    former = [each for each in prepared.former if each[0] in places]
    again = [
        (place, number, "number.duplicate")
        for place, number in zip(prepared.places, prepared.numbers, strict=True)
        if place not in places
    ]
    return msgspec.structs.replace(prepared, former=former, **columns), sorted([*prepared.refused, *again])


_COLUMNS = ("places", "numbers", "entries", "terms", "names", "addresses", "statuses", "divisions")


def _insert(new: sqlite3.Connection, kept: PreparedRows, first: int) -> None:
    """Insert the rows of a chunk whose first row has the id `first` + 1.

    SQLite takes many rows from one statement or one JSON array in a third of the time of a statement for each.
    """
    ids = [first + place for place in kept.places]
    companies = list(zip(ids, kept.numbers, kept.entries, strict=True))
    whole = len(companies) - len(companies) % _ROWS_OF_STATEMENT
    for start in range(0, whole, _ROWS_OF_STATEMENT):
        new.execute(_COMPANIES, list(chain.from_iterable(companies[start : start + _ROWS_OF_STATEMENT])))
    new.executemany("INSERT INTO company VALUES (?, ?, ?)", companies[whole:])
    new.execute(_TERMS, (first + 1, _in_places(kept, kept.terms)))
    new.execute("INSERT INTO staged VALUES (?, ?)", (first + 1, _in_places(kept, kept.names)))
    new.executemany("INSERT INTO staged_former VALUES (?, ?)", [(first + place, name) for place, name in kept.former])


def _of_dissolved(kept: PreparedRows) -> list[str]:
    found = zip(kept.addresses, kept.statuses, strict=True)
    return [dissolved_at(address) for address, status in found if address and status.lower() in DISSOLVED_STATUSES]


def _in_places(kept: PreparedRows, texts: Sequence[str]) -> str:
    """Return a JSON array with the text of each row at its place in the chunk, and null for each row that is not kept."""
    if len(texts) == kept.rows:
        return _encode(texts).decode()
    by_place = dict(zip(kept.places, texts, strict=True))
    return _encode([by_place.get(place) for place in range(1, kept.rows + 1)]).decode()


_encode = msgspec.json.Encoder().encode

_ROWS_OF_STATEMENT = 100
_COMPANIES = "INSERT INTO company VALUES (?, ?, ?)" + ", (?, ?, ?)" * (_ROWS_OF_STATEMENT - 1)
_TERMS = "INSERT INTO search (rowid, terms) SELECT ? + key, value FROM json_each(?) WHERE value IS NOT NULL"

_NAMES = """
INSERT INTO name SELECT value, 0, first + key FROM staged, json_each(staged.names) WHERE value != ''
UNION ALL SELECT name, 1, company FROM staged_former ORDER BY 1, 2, 3
"""


def _sort_and_index(new: sqlite3.Connection, addresses: AddressCounts) -> None:
    addresses.begin()
    new.create_function("indexed_skeleton", 1, register_schema.indexed_skeleton, deterministic=True)
    for statement in (
        _NAMES,
        "DROP TABLE staged_former",
        "DROP TABLE staged",
        "INSERT INTO search (search) VALUES ('optimize')",
        "INSERT INTO word SELECT term, doc, indexed_skeleton(term) FROM term WHERE term NOT GLOB '[@#~]*'",
        "DROP TABLE term",
        *register_schema.INDEXES,
    ):
        new.execute(statement)
    new.executemany("INSERT INTO place VALUES (?, ?)", addresses.shared())


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
