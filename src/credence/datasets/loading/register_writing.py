"""The register's data set is written from a snapshot's files; `loading.py` then puts it into service (credit §2.2).

Rows stream through: memory does not grow with the register.
"""

import datetime as dt
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from credence.clock import Milliseconds, date_of
from credence.datasets import register_schema
from credence.datasets.loading.completeness import require_all_parts
from credence.datasets.loading.draft import counted
from credence.datasets.loading.loaded import Progress
from credence.datasets.loading.register_prepared import Row
from credence.datasets.loading.register_readers import prepared
from credence.datasets.loading.register_summary import Summary, Tally
from credence.datasets.sources import FilesRejected, LoadError
from credence.datasets.sources.days_to_come import require_day_of_snapshot
from credence.datasets.sources.register.seen import Seen
from credence.datasets.sources.register.snapshot import chunks, snapshot_date

PUBLISHER = "Companies House, Free Company Data Product"

_PROGRESS_EVERY = 10_000

# Until it is complete the file is a draft that nobody reads, so it may be written carelessly. Each cache is 32 MiB.
_CARELESS = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA threads = 2;
PRAGMA cache_size = -32768; PRAGMA temp.cache_size = -32768; PRAGMA temp_store = FILE;
"""

_SCRATCH = """
INSERT INTO search (search, rank) VALUES ('hashsize', 33554432), ('automerge', 0);
CREATE TEMP TABLE loose_name (name TEXT, former INTEGER, company INTEGER);
CREATE TEMP TABLE loose_place (place TEXT);
CREATE VIRTUAL TABLE temp.term USING fts5vocab('main', 'search', 'row');
"""
"""Names and places as they come, to be sorted at the end; and every term of `search` with its number of companies."""


def write(
    files: Sequence[Path], draft: Path, rejects: Path, now_ms: Milliseconds, progress: Progress | None = None
) -> Summary:
    """Write what the snapshot's files hold to `draft`; `progress` is told the rows read so far.

    Of two rows with one number the first is kept. Raises LoadError for files that are no snapshot or hold no row to
    keep, and for a disk that does not take the data set.
    """
    snapshot, today = snapshot_date(files), date_of(now_ms)
    require_day_of_snapshot(snapshot, today)
    require_all_parts(files)
    with rejects.open("w", encoding="utf-8", newline="") as stream, closing(sqlite3.connect(draft)) as new:
        tally = Tally(stream)
        try:
            new.executescript(_CARELESS + register_schema.TABLES + _SCRATCH)
            _fill(new, files, tally, today, progress or (lambda _: None))
            about = (PUBLISHER, snapshot and snapshot.isoformat(), now_ms, tally.kept)
            new.execute("INSERT INTO about VALUES (?, ?, ?, ?)", about)
            new.commit()
        except sqlite3.Error as error:
            raise LoadError(f"The data set cannot be written to {draft.parent}: {error}.") from error
    if not tally.kept:
        raise FilesRejected(f"The files hold no row that can be kept: {counted(tally.refused)}.")
    return tally.summary(snapshot, rejects)


def _fill(new: sqlite3.Connection, files: Sequence[Path], tally: Tally, today: dt.date, progress: Progress) -> None:
    seen = Seen()
    divisions: Counter[str] = Counter()
    with closing(prepared(chunks(files), today)) as parts:
        for part in parts:
            tally.warnings.update(part.warnings)
            kept = _kept(part.rows, tally, seen, progress)
            tally.see_statuses(row.status for row in kept.values())
            divisions.update(row.division for row in kept.values())
            _insert(new, kept)
    progress(tally.rows)
    del divisions[""]
    new.executemany("INSERT INTO division VALUES (?, ?)", sorted(divisions.items()))
    _finish(new)


def _kept(rows: Sequence[Row], tally: Tally, seen: Seen, progress: Progress) -> dict[int, Row]:
    """Return the rows to keep by their place in the load, and count every one."""
    kept = {}
    for row in rows:
        tally.rows += 1
        if tally.rows % _PROGRESS_EVERY == 0:
            progress(tally.rows)
        refused = row.refused or ("number.duplicate" if seen.again(row.number) else "")
        if refused:
            tally.refuse(tally.rows, row.number, refused)
        else:
            kept[tally.rows] = row
    return kept


def _insert(new: sqlite3.Connection, kept: dict[int, Row]) -> None:
    new.executemany("INSERT INTO company VALUES (?, ?, ?)", [(id_, row.number, row.entry) for id_, row in kept.items()])
    new.executemany("INSERT INTO search (rowid, terms) VALUES (?, ?)", [(id_, row.terms) for id_, row in kept.items()])
    names = [(name, n > 0, id_) for id_, row in kept.items() for n, name in enumerate(row.names) if name]
    new.executemany("INSERT INTO loose_name VALUES (?, ?, ?)", names)
    new.executemany("INSERT INTO loose_place VALUES (?)", [(row.place,) for row in kept.values() if row.place])


def _finish(new: sqlite3.Connection) -> None:
    """Sort what came loose, index what is complete."""
    new.create_function("skeleton_of", 1, register_schema.skeleton_of, deterministic=True)
    for statement in (
        "INSERT INTO name SELECT * FROM loose_name ORDER BY name, former, company",
        "DROP TABLE loose_name",
        "INSERT INTO place SELECT place, count(*) FROM loose_place GROUP BY place HAVING count(*) > 1",
        "DROP TABLE loose_place",
        "INSERT INTO search (search) VALUES ('optimize')",
        "INSERT INTO word SELECT term, doc, skeleton_of(term) FROM term WHERE term NOT GLOB '[@#~]*'",
        "DROP TABLE term",
        *register_schema.INDEXES,
    ):
        new.execute(statement)
