"""The data set of the scoring runs: one SQLite file, written whole by each run and only read from then on.

Each company is one row: the scores that runs found, the newest first, as MessagePack. A line of a score is the place of
its code in the list of its run and its points. `spread` holds the companies of the last run counted by value, a row for
each section and measure.
"""

import datetime as dt
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec

from credence.companies.facts.scores import PastScore, Scores, Spread
from credence.datasets.frozen import open_frozen
from credence.datasets.register import UnusableDataSet

SCORES = "scores"
"""The name of the data set in the catalogue."""

LAYOUT = 1

TABLES = f"""
CREATE TABLE run (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, day TEXT NOT NULL, version TEXT NOT NULL, hash TEXT NOT NULL,
    codes TEXT NOT NULL, legal TEXT NOT NULL
);
CREATE TABLE score (number TEXT PRIMARY KEY, held BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE spread (
    section TEXT NOT NULL, measure TEXT NOT NULL, spread BLOB NOT NULL, PRIMARY KEY (section, measure)
) WITHOUT ROWID;
PRAGMA user_version = {LAYOUT};
"""


class ScoringRun(msgspec.Struct, frozen=True):
    """One scoring run."""

    id: int
    run: dt.date
    """The day of the run, for which it judged: no fact of a later day counts."""
    day: dt.date
    """The day of the register's snapshot."""
    version: str
    hash: str
    codes: tuple[str, ...]
    """Of every line a score of this run can have."""
    legal: frozenset[str]
    """Those of them that are rules on the legal state."""


class StoredScore(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A score as it is stored."""

    run: int
    score: int
    limit: int | None
    lines: tuple[int, ...]
    """Place of a code and points, in turn."""


encode = msgspec.msgpack.Encoder().encode
decode_spread = msgspec.msgpack.Decoder(Spread).decode
decode_scores = msgspec.msgpack.Decoder(tuple[StoredScore, ...]).decode


class ScoreReader:
    """Reads one data set, for one thread at a time. Every read may raise UnusableDataSet."""

    def __init__(self, path: Path) -> None:
        """Open the file; FileNotFoundError when there is none, UnusableDataSet when it is of another layout or damaged."""
        self._path = path
        with ExitStack() as opened:
            self._connection = opened.enter_context(closing(open_frozen(path)))
            ((found,),) = self._rows("PRAGMA user_version")
            if found != LAYOUT:
                raise UnusableDataSet(
                    f"{path.name} has layout {found}, not {LAYOUT}: `credence data remove {SCORES}` gives the history up."
                )
            self.runs = {run.id: run for run in map(_run, self._rows("SELECT * FROM run ORDER BY id"))}
            self._spreads = self._read_spreads()
            opened.pop_all()

    def of(self, number: str) -> Scores | None:
        """Return the scores of one company; None when no run scored it."""
        kept = self.kept(number)
        if not kept:
            return None
        return Scores(tuple(self._past(each) for each in kept), self.last.run, self._spreads)

    def kept(self, number: str) -> tuple[StoredScore, ...]:
        """Return the scores of one company as they are stored."""
        rows = self._rows("SELECT held FROM score WHERE number = ?", number)
        try:
            return decode_scores(rows[0][0]) if rows else ()
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._damaged() from error

    @property
    def last(self) -> ScoringRun:
        """The newest run."""
        return self.runs[max(self.runs)]

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _past(self, kept: StoredScore) -> PastScore:
        run = self.runs[kept.run]
        lines = score_lines(kept, run)
        return PastScore(
            run=run.run,
            day=run.day,
            version=run.version,
            hash=run.hash,
            score=kept.score,
            limit=kept.limit,
            lines=lines,
            overridden=any(code in run.legal for code, _ in lines),
        )

    def _read_spreads(self) -> dict[tuple[str, str], Spread]:
        try:
            rows = self._rows("SELECT section, measure, spread FROM spread")
            return {(section, measure): decode_spread(spread) for section, measure, spread in rows}
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._damaged() from error

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged() from error

    def _damaged(self) -> UnusableDataSet:
        return UnusableDataSet(
            f"{self._path} is damaged or no data set: `credence data remove {SCORES}`, then score again."
        )


def score_lines(kept: StoredScore, run: ScoringRun) -> tuple[tuple[str, int], ...]:
    """Return code and points of each line of a score its run found."""
    return tuple((run.codes[code], points) for code, points in zip(kept.lines[::2], kept.lines[1::2], strict=True))


def run_row(run: ScoringRun) -> tuple[object, ...]:
    """Return the row of a run."""
    codes, legal = (msgspec.json.encode(each).decode() for each in (run.codes, sorted(run.legal)))
    return run.id, run.run.isoformat(), run.day.isoformat(), run.version, run.hash, codes, legal


def _run(row: tuple[Any, ...]) -> ScoringRun:
    id_, run, day, version, hash_, codes, legal = row
    return ScoringRun(
        id=id_,
        run=dt.date.fromisoformat(run),
        day=dt.date.fromisoformat(day),
        version=version,
        hash=hash_,
        codes=msgspec.json.decode(codes, type=tuple[str, ...]),
        legal=msgspec.json.decode(legal, type=frozenset[str]),
    )
