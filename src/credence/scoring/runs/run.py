"""Scores every company of the register and puts the scores into service (credit §7, §11).

Workers score shares of the register; this process only writes, and its memory does not grow with the register. The data
set is a staging file until the catalogue names it, as with a load: an interrupted run leaves the old scores in service
and can be started again. A run repeated on the same day with the same model changes nothing.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import accumulate, groupby
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, london_day, seconds
from credence.companies.facts.scores import Spread
from credence.datasets import catalogue
from credence.datasets.catalogue import Catalogue, CatalogueEntry
from credence.datasets.data_set import read_only_uri
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.holds import put_unless_held, require_released
from credence.datasets.loading.load import milliseconds_since
from credence.datasets.loading.staging import open_staging, staging_file
from credence.datasets.loading.workers import map_in_workers
from credence.datasets.publish import Publish, publish_nowhere
from credence.datasets.register import open_register
from credence.datasets.score_reader import (
    LAYOUT,
    SCORES,
    TABLES,
    RunFigures,
    ScoreReader,
    ScoringRun,
    encode,
    encode_figures,
    run_row,
)
from credence.datasets.sources.source import LoadRefused
from credence.scoring.basis.day import register_day
from credence.scoring.model import Model, current_model
from credence.scoring.runs.figures import FigureCounts
from credence.scoring.runs.share import (
    SCORED_KINDS,
    Share,
    ShareResult,
    Task,
    begin,
    codes_of,
    decode_result,
    figure_counts,
)

Progress = Callable[[int, int], None]
"""Receives the number of companies scored so far, and the number of all companies."""

SHARE_COMPANIES = 10_000
"""Companies in one share."""

_MAX_WITHOUT_WORKERS = 20_000
"""Up to this number of companies, this process scores alone, because starting workers would take longer."""

_UNSORTED = "CREATE TEMP TABLE unsorted (number TEXT, held BLOB);"


class RunSummary(msgspec.Struct, frozen=True):
    """The result of a run."""

    day: str
    """The day of the register's snapshot; the scores are those of the day of the run."""
    model: str
    """Version, and the first 12 digits of the hash."""
    model_changed: bool
    """Whether the previous run used another model, which may have changed scores by itself."""
    companies: int
    scored: int
    unscored: dict[str, int]
    """Code of the reason -> companies."""
    changed: int
    """The number of companies scored before whose score, limit or lines have changed."""
    left: int
    """The number of companies that only earlier runs scored; their scores are kept."""


def score_all(
    folder: Path, now: Milliseconds, progress: Progress | None = None, publish: Publish = publish_nowhere
) -> RunSummary:
    """Score every company of the register in `folder`.

    Raises LoadError without a register, during another run, if a worker fails and if the data set cannot be written;
    UnusableDataSet for a data set that cannot be read; SourceHeld if the scores are held. The old scores then stay in
    service.
    """
    started = seconds()
    require_released(folder, SCORES)
    with staging_file(folder, SCORES) as draft:
        found, model = catalogue.read(folder), current_model()
        if REGISTER not in found.sources:
            raise LoadRefused("No register is loaded, and only companies of the register are scored.")
        runs, figures = _runs(folder, found)
        run = _this_run(runs, model, found, now)
        last = _last_id(folder, found)
        task = encode(Task(str(folder.absolute()), found, run))
        report_progress = progress or (lambda _done, _all: None)
        total = _Total(figure_counts(model, runs, run))
        try:
            with open_staging(draft, TABLES + _UNSORTED) as new:
                new.executemany(
                    "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)", map(run_row, {**runs, run.id: run}.values())
                )
                for done in _results(task, last):
                    new.executemany("INSERT INTO unsorted VALUES (?, ?)", done.rows)
                    total.add(done)
                    report_progress(total.companies, found.sources[REGISTER].companies)
                figures[run.id] = total.figures.figures(total.companies, dict(total.unscored))
                new.executemany(
                    "INSERT INTO figures VALUES (?, ?)",
                    ((each, encode_figures(what)) for each, what in figures.items()),
                )
                left = _finish(new, total, folder, found)
        except FileNotFoundError as error:
            raise LoadRefused("A data set was replaced while the run started: start it again.") from error
        entry = _entry(run, total, left, now, milliseconds_since(started))
        put_unless_held(folder, SCORES, draft, entry, publish)
    return RunSummary(
        day=run.day.isoformat(),
        model=f"{run.version} {run.hash[:12]}",
        model_changed=any(runs) and runs[max(runs)].hash != run.hash,
        companies=total.companies,
        scored=total.scored,
        unscored=dict(total.unscored),
        changed=total.changed,
        left=left,
    )


class _Total:
    """The sums over all shares."""

    def __init__(self, figures: FigureCounts) -> None:
        self.figures = figures
        self.companies = self.changed = 0
        self.unscored: Counter[str] = Counter()
        self.spread: Counter[tuple[str, str, float]] = Counter()

    @property
    def scored(self) -> int:
        return self.companies - self.unscored.total()

    def add(self, done: ShareResult) -> None:
        self.companies += done.companies
        self.changed += done.changed
        self.unscored.update(done.unscored)
        self.figures.add(done.figures)
        for section, measure, value, companies in done.spread:
            self.spread[section, measure, value] += companies


def _runs(folder: Path, found: Catalogue) -> tuple[dict[int, ScoringRun], dict[int, RunFigures]]:
    """Return the earlier runs and their figures by id. Raises UnusableDataSet if they cannot be read: no run discards
    history.
    """
    if SCORES not in found.sources:
        return {}, {}
    with closing(ScoreReader(folder / found.sources[SCORES].file)) as past:
        return past.runs, past.figures()


def _this_run(runs: dict[int, ScoringRun], model: Model, found: Catalogue, now: Milliseconds) -> ScoringRun:
    codes, legal = codes_of(model)
    today = london_day(now)
    last = runs[max(runs)] if runs else None
    again = last is not None and (last.run, last.hash) == (today, model.hash)
    return ScoringRun(
        id=max(runs, default=0) + (not again),
        run=today,
        day=register_day(found.sources[REGISTER].as_of, today),
        version=model.version,
        hash=model.hash,
        codes=codes,
        legal=legal,
    )


def _last_id(folder: Path, found: Catalogue) -> int:
    with closing(open_register(folder, found.sources[REGISTER])) as register:
        return register.last_id()


def _results(task: bytes, last: int) -> Iterator[ShareResult]:
    shares = (encode(Share(first, first + SHARE_COMPANIES - 1)) for first in range(1, last + 1, SHARE_COMPANIES))
    with ExitStack() as opened:
        score = begin(
            task, opened
        )  # also in this process: a data set that cannot be opened is reported before workers start
        if last <= _MAX_WITHOUT_WORKERS:
            yield from map(decode_result, map(score, shares))
            return
    with closing(map_in_workers(shares, begin, task)) as done:
        yield from map(decode_result, done)


def _finish(new: sqlite3.Connection, total: _Total, folder: Path, found: Catalogue) -> int:
    """Sort the scores, copy those of companies that left the register, store the spreads; return the number copied."""
    new.execute("INSERT INTO score SELECT number, held FROM unsorted ORDER BY number")
    new.execute("DROP TABLE unsorted")
    new.executemany("INSERT INTO spread VALUES (?, ?, ?)", _spreads(total.spread))
    if SCORES not in found.sources:
        return 0
    new.commit()
    new.execute("ATTACH ? AS old", (read_only_uri(folder / found.sources[SCORES].file),))
    left = new.execute("INSERT OR IGNORE INTO score SELECT number, held FROM old.score").rowcount
    new.commit()
    new.execute("DETACH old")
    return left


def _spreads(counts: Counter[tuple[str, str, float]]) -> Iterator[tuple[str, str, bytes]]:
    for (section, measure), group in groupby(sorted(counts.items()), key=lambda each: each[0][:2]):
        values, companies = zip(*((value, companies) for (_, _, value), companies in group), strict=True)
        yield section, measure, encode(Spread(values, tuple(accumulate(companies))))


def _entry(run: ScoringRun, total: _Total, left: int, now: Milliseconds, load_ms: int) -> CatalogueEntry:
    return CatalogueEntry(
        publisher=f"Scored with {', '.join([REGISTER, *(part.source for part in SCORED_KINDS)])}",
        licence="",
        as_of=run.day,
        loaded_at=now,
        layout=LAYOUT,
        companies=total.companies - total.unscored.total() + left,
        facts=total.scored,
        rows=total.companies,
        load_ms=load_ms,
    )
