"""How long does a score of the whole register take, first and beside what the run before found (credit §7)?"""

from collections.abc import Iterator
from pathlib import Path

from bench.full_size.watched import watched
from bench.measurement import Figure, Measurement, Target
from credence.clock import system_clock
from credence.datasets import catalogue
from credence.datasets.score_reader import SCORES
from credence.scoring.runs.run import score_all

A_DAY = 86_400_000


def ask(folder: Path) -> Iterator[Measurement]:
    """Yield minutes of both runs, and of the second one memory and disk."""
    now = system_clock()
    for name, at in (("first run", now), ("with what is held", now + A_DAY)):
        spent = watched(score_all, folder, at)
        more = {"processor_seconds": spent.processor_seconds}
        minutes = Figure(spent.seconds / 60)
        yield Measurement(f"score-run, {name}", "minutes", (minutes,), target=Target(2, at="most"), more=more)
    yield Measurement("score-run, memory", "MB", (Figure(spent.peak_mb),))
    entry = catalogue.read(folder).sources[SCORES]
    size = (folder / entry.file).stat().st_size
    yield Measurement("score-run, disk", "bytes per scored company", (Figure(size / entry.companies),))
