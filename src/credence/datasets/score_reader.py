"""The data set of the scoring runs: one SQLite file, written by each run.

Each company is one row: its scores by earlier runs, the newest first, as MessagePack. A line of a score is stored as the
position of its code in the run's list of codes, and its points. The table `spread` holds the distribution of the last run's
values, a row for each section and measure; `figures` holds the figures of each run, so that two runs are compared without
reading every company (credit §7, §10). A file by an earlier version has no figures.
"""

import datetime as dt
from pathlib import Path
from typing import Any

import msgspec

from credence.companies.facts.scores import PastScore, Scores, Spread
from credence.datasets.data_set import DataSetFile


class InputFigures(msgspec.Struct, frozen=True, array_like=True):
    """The number of scored companies by the range of one input's value."""

    edges: tuple[float, ...]
    """The ranges of the points table: an edge belongs to the range above it."""
    companies: tuple[int, ...]
    """The number of companies in each range; one range more than there are edges."""


class Moves(msgspec.Struct, frozen=True):
    """The changes of scores between an earlier run and this one. Companies no longer in the register are not counted.

    The score in the earlier run is the last one up to it: the data set does not keep in which run a company had none.
    """

    bands: tuple[tuple[str, str, int], ...]
    """Band in the earlier run, band now, number of companies."""
    differences: tuple[int, ...]
    """The number of companies by the difference of the score, in the ranges of `scoring.runs.figures.DIFFERENCES`."""
    first: int = 0
    """Companies that neither the earlier run nor any before it scored."""
    ended: int = 0
    """Companies that the earlier run or one before it scored, and that have no score now."""
    unknown: int = 0
    """Companies whose stored scores do not go back to the earlier run."""


class RunFigures(msgspec.Struct, frozen=True):
    """The figures of one run."""

    companies: int
    scored: int
    unscored: dict[str, int]
    """Code of the reason -> companies."""
    bands: dict[str, int]
    """Band -> companies."""
    inputs: dict[str, InputFigures]
    """Code of the input -> its distribution."""
    moves: dict[int, Moves]
    """Id of an earlier run -> the changes of scores since."""


encode_figures = msgspec.msgpack.Encoder().encode
decode_figures = msgspec.msgpack.Decoder(RunFigures).decode


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
CREATE TABLE figures (run INTEGER PRIMARY KEY, figures BLOB NOT NULL);
PRAGMA user_version = {LAYOUT};
"""

_REMOVE = f"`credence data remove {SCORES}`"


class ScoringRun(msgspec.Struct, frozen=True):
    """One run that scored every company: its days, and the model that it used."""

    id: int
    run: dt.date
    """The day of the run; facts with a later date are ignored."""
    day: dt.date
    """The day of the register's snapshot."""
    version: str
    hash: str
    codes: tuple[str, ...]
    """The codes of all lines that a score of this run can have."""
    legal: frozenset[str]
    """The codes of the rules about the legal state."""


class StoredScore(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A score as it is stored."""

    run: int
    score: int
    limit: int | None
    lines: tuple[int, ...]
    """The position of a code and its points, alternating."""


encode = msgspec.msgpack.Encoder().encode
decode_spread = msgspec.msgpack.Decoder(Spread).decode
decode_scores = msgspec.msgpack.Decoder(tuple[StoredScore, ...]).decode


class ScoreReader(DataSetFile):
    """Reads the scores of earlier runs."""

    def __init__(self, path: Path) -> None:
        """Open the file. Raises FileNotFoundError, UnusableDataSet."""
        super().__init__(path, LAYOUT, f"{_REMOVE}, then score again", f"{_REMOVE} gives the history up")
        try:
            self.runs = {run.id: run for run in map(_run, self.rows("SELECT * FROM run ORDER BY id"))}
            self._spreads = {
                (section, measure): self.decoded(decode_spread, spread)
                for section, measure, spread in self.rows("SELECT section, measure, spread FROM spread")
            }
        except BaseException:
            self.close()
            raise

    def scores(self, number: str) -> Scores | None:
        """Return the scores of one company; None if no run scored it."""
        stored = self.stored_scores(number)
        if not stored:
            return None
        return Scores(
            tuple(self._past_score(each) for each in stored), self.last_run.run, self._spreads, self.last_run.day
        )

    def stored_scores(self, number: str) -> tuple[StoredScore, ...]:
        """Return the scores of one company as they are stored."""
        rows = self.rows("SELECT held FROM score WHERE number = ?", number)
        return self.decoded(decode_scores, rows[0][0]) if rows else ()

    def figures(self) -> dict[int, RunFigures]:
        """Return the figures of each run by its id; runs of earlier versions have none."""
        if not self.rows("SELECT name FROM sqlite_master WHERE name = 'figures'"):
            return {}
        found = self.rows("SELECT run, figures FROM figures")
        return {run: self.decoded(decode_figures, figures) for run, figures in found}

    @property
    def last_run(self) -> ScoringRun:
        """The newest run."""
        return self.runs[max(self.runs)]

    def _past_score(self, stored: StoredScore) -> PastScore:
        run = self.runs[stored.run]
        lines = score_lines(stored, run)
        return PastScore(
            run=run.run,
            day=run.day,
            version=run.version,
            hash=run.hash,
            score=stored.score,
            limit=stored.limit,
            lines=lines,
            overridden=not run.legal.isdisjoint([code for code, _ in lines]),
        )


def score_lines(stored: StoredScore, run: ScoringRun) -> tuple[tuple[str, int], ...]:
    """Return code and points of each line of a stored score."""
    return tuple(
        [(run.codes[code], points) for code, points in zip(stored.lines[::2], stored.lines[1::2], strict=True)]
    )


def run_row(run: ScoringRun) -> tuple[object, ...]:
    """Return the row of a run for the table `run`."""
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
