"""The file of the cohort: score and outcome of each scored company, in the order of the register, and what was counted.

The rows of a share of the register and its counts are written in one transaction, so an interrupted backtest goes on with
the next share.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from credence.errors import UnusableContent
from credence.scoring.model import Model

LAYOUT = 1

_TABLES = f"""
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS about (identity TEXT NOT NULL, plan BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS share (first INTEGER PRIMARY KEY, counts BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS parent (number TEXT PRIMARY KEY, parent TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS member (
    number TEXT NOT NULL, kind TEXT NOT NULL, day TEXT, score INTEGER NOT NULL, points INTEGER NOT NULL,
    base REAL NOT NULL, section TEXT NOT NULL, age TEXT NOT NULL, size TEXT NOT NULL, form TEXT NOT NULL,
    accounts_age TEXT NOT NULL, ratios TEXT NOT NULL, overdue REAL, z REAL, taffler REAL, zmijewski REAL, inputs BLOB
);
PRAGMA user_version = {LAYOUT};
"""


class Member(NamedTuple):
    """One scored company: a row of the file."""

    number: str
    kind: str
    """Of its outcome (`outcomes.KINDS`)."""
    day: str | None
    score: int
    points: int
    """The sum of base, ratios and conduct, before ceilings and the ends of the scale."""
    base: float
    """The failure rate of the sector."""
    section: str
    age: str
    size: str
    form: str
    accounts_age: str
    ratios: str
    """The last table of ratios that gave a line."""
    overdue: float | None
    """Days by which the accounts were late."""
    z: float | None
    taffler: float | None
    zmijewski: float | None
    inputs: bytes
    """The values of `codes_of`, as a MessagePack array with null for unknown ones."""


INSERT = f"INSERT INTO member VALUES ({', '.join('?' * len(Member._fields))})"  # noqa: S608 - question marks


class Counts(msgspec.Struct, array_like=True):
    """What was counted in one share, or in all."""

    companies: int = 0
    """Of the register."""
    excluded: dict[str, int] = {}
    """Reason -> companies that are not measured."""
    inputs: dict[str, dict[int, int]] = {}
    """Code of a factor -> place of a range -> companies, for the drift."""


def codes_of(model: Model) -> tuple[str, ...]:
    """Return the codes of the inputs, in the order of `Member.inputs`."""
    return tuple(factor.code for table in (*model.ratios, model.conduct) for factor in table.factors)


@contextmanager
def open_cohort(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the file, which is made if it is not there. Raises UnusableContent if it cannot be read or written."""
    try:
        with closing(sqlite3.connect(file)) as rows:
            rows.executescript(_TABLES)
            yield rows
    except sqlite3.DatabaseError as error:
        raise UnusableContent(f"{file} cannot be used ({error}): remove it, and the backtest begins again.") from error


@contextmanager
def readable(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the file of a backtest to read it. Raises UnusableContent if it does not exist or is damaged."""
    if not file.is_file():
        raise UnusableContent(f"There is no backtest in {file.parent}: `credence score backtest --into` makes one.")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as rows:
            yield rows
    except sqlite3.DatabaseError as error:
        raise UnusableContent(f"{file} cannot be read: {error}.") from error


def counts(rows: sqlite3.Connection) -> Counts:
    """Return the counts of all shares."""
    total, excluded, inputs = 0, Counter[str](), dict[str, Counter[int]]()
    for (held,) in rows.execute("SELECT counts FROM share"):
        found = msgspec.msgpack.decode(held, type=Counts)
        total += found.companies
        excluded.update(found.excluded)
        for code, places in found.inputs.items():
            inputs.setdefault(code, Counter()).update(places)
    return Counts(total, dict(excluded), {code: dict(places) for code, places in inputs.items()})


def add_share(
    rows: sqlite3.Connection,
    first: int,
    members: Iterable[Sequence[object]],
    parents: Iterable[tuple[str, str]],
    held: bytes,
) -> None:
    """Add a share in one transaction."""
    with rows:
        rows.executemany(INSERT, members)
        rows.executemany("INSERT OR REPLACE INTO parent VALUES (?, ?)", parents)
        rows.execute("INSERT INTO share VALUES (?, ?)", (first, held))
