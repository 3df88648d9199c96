"""The load of the Companies House register: a snapshot's files become a new data set (credit §2.2, `dataset.py`).

The new data set is written beside the old one and takes its place at the end, so that readers see one or the other and
a load that dies leaves the old one serving. Rows stream through: memory does not grow with the register.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from credence.clock import Milliseconds
from credence.credit import dataset
from credence.credit.sources import LoadError
from credence.credit.sources.alone import alone
from credence.credit.sources.entry import RowError, read_entry
from credence.credit.sources.snapshot import rows, snapshot_date
from credence.credit.sources.summary import Summary, Tally
from credence.credit.words import name_words, postcode_words, words
from credence.files import replacing

SOURCE = "Companies House, Free Company Data Product"

SAMPLE = Path(__file__).parent.parent / "data" / "register-sample-2020-05-01.zip"
"""4,537 real rows to try the service with; not a current register (see the README beside it)."""

_PROGRESS_EVERY = 10_000

# Until it is complete the file is a draft that nobody reads, so it may be written carelessly. The cache is 64 MiB.
_CARELESS = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;"


def load(
    files: Sequence[Path], into: Path, now_ms: Milliseconds, progress: Callable[[int], None] | None = None
) -> Summary:
    """Replace the data set `into` by what the snapshot's files hold; `progress` is told the rows read so far.

    Of two rows with one number the first is kept. Raises LoadError for files that are no snapshot or hold no row to
    keep, for a disk that does not take the data set, and while another process loads; then, as after any other error,
    the old data set stays.
    """
    snapshot = snapshot_date(files)
    rejects = into.with_name(f"{into.name}.rejects.csv")
    into.parent.mkdir(parents=True, exist_ok=True)
    with alone(into), replacing(rejects) as rejects_draft, replacing(into) as draft:
        with rejects_draft.open("w", encoding="utf-8", newline="") as stream, closing(sqlite3.connect(draft)) as new:
            tally = Tally(stream)
            try:
                new.executescript(_CARELESS + dataset.TABLES)
                new.execute("INSERT INTO about VALUES (?, ?, ?)", (SOURCE, snapshot and snapshot.isoformat(), now_ms))
                _fill(new, files, tally, progress or (lambda _: None))
                new.commit()
            except sqlite3.Error as error:
                raise LoadError(f"The data set cannot be written to {into.parent}: {error}.") from error
        if not tally.kept:
            raise LoadError("The files hold no row that can be kept.")
    return tally.summary(snapshot, rejects)


def _fill(new: sqlite3.Connection, files: Sequence[Path], tally: Tally, progress: Callable[[int], None]) -> None:
    new.executemany("INSERT INTO company VALUES (?, ?, ?)", _companies(files, tally, progress))
    new.execute(dataset.NUMBER_INDEX)
    _refuse_duplicates(new, tally)
    new.executemany(
        "INSERT INTO search (rowid, whole, former_whole, name, former, town, postcode) VALUES (?, ?, ?, ?, ?, ?, ?)",
        _searchable(new),
    )
    new.execute("INSERT INTO search (search) VALUES ('optimize')")


def _companies(
    files: Sequence[Path], tally: Tally, progress: Callable[[int], None]
) -> Iterator[tuple[int, str, bytes]]:
    for cells in rows(files):
        tally.rows += 1
        if tally.rows % _PROGRESS_EVERY == 0:
            progress(tally.rows)
        if cells is None:
            tally.refuse(tally.rows, "", "row.columns")
            continue
        try:
            entry = read_entry(cells, tally.warnings)
        except RowError as refused:
            tally.refuse(tally.rows, cells["CompanyNumber"], str(refused))
            continue
        tally.see_status(entry.status)
        yield tally.rows, entry.number, dataset.encode_entry(entry)
    progress(tally.rows)


def _refuse_duplicates(new: sqlite3.Connection, tally: Tally) -> None:
    # Remembering 5.6 million numbers would cost more than asking the index afterwards.
    new.execute(
        "CREATE TEMP TABLE later AS SELECT id, number FROM"
        " (SELECT id, number, lag(number) OVER (ORDER BY number, id) AS before FROM company) WHERE number = before"
    )
    for row, number in new.execute("SELECT id, number FROM later"):
        tally.refuse(row, number, "number.duplicate")
    new.execute("DELETE FROM company WHERE id IN (SELECT id FROM later)")


def _searchable(new: sqlite3.Connection) -> Iterator[tuple[int, str, str, str, str, str, str]]:
    for row, stored in new.execute("SELECT id, entry FROM company ORDER BY id"):
        entry = dataset.decode_entry(stored)
        name = name_words(entry.name)
        former = [name_words(former.name) for former in entry.former_names]
        yield (
            row,
            "".join(name),
            " ".join("".join(each) for each in former),
            " ".join(name),
            " ".join(word for each in former for word in each),
            " ".join(words(entry.office.town)),
            " ".join(postcode_words(entry.office.postcode)),
        )
