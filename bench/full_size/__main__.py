"""`python -m bench.full_size`: makes up a register of full size, loads it, searches it and reads reports from it.

It takes some ten minutes and six gigabytes beside the results, all of it gone afterwards, so `make bench` leaves it out.
"""

import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from bench.full_size import cold_report, load, score_run, search, snapshot
from bench.machine import machine
from bench.measurement import Measurement
from bench.record import RESULTS, keep
from bench.table import table

_DRAWN = 1_000
"""Companies that searches and reports are about."""

console = Console(width=None if sys.stdout.isatty() else 132)


def main(
    companies: Annotated[int, typer.Option(min=10_000, help="Companies in the register.")] = 5_600_000,
    parts: Annotated[Path | None, typer.Option(help="Folder of a snapshot that is there already.")] = None,
) -> None:
    """Measure load, search and cold reports in a register of full size."""
    RESULTS.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix="full-size-", suffix=".tmp", dir=RESULTS) as name:
        folder = Path(name)
        facts = machine(folder)
        files = sorted(parts.glob("*.zip")) if parts else snapshot.write(folder / "snapshot", companies)
        found = []
        for measurement in _ask(files, folder / "data"):
            console.print(f"{measurement.name}: {measurement.median:,.4g} {measurement.unit}", highlight=False)
            found.append(measurement)
    console.print(table(found))
    console.print(f"Kept in {keep(facts, {'companies': companies}, found, 'full-size')}")


def _ask(files: list[Path], folder: Path) -> Iterator[Measurement]:
    yield from load.ask(files, folder)
    data_set = load.data_set(folder)
    with closing(sqlite3.connect(data_set)) as register:
        ((last,),) = register.execute("SELECT max(id) FROM company")
        drawn = random.Random(1).sample(range(1, last + 1), _DRAWN)  # noqa: S311 - the same companies at each run
        every = (register.execute("SELECT number FROM company WHERE id = ?", (each,)).fetchone() for each in drawn)
        numbers = [number for (number,) in filter(None, every)]
    yield from chain(
        search.ask(data_set, numbers), cold_report.ask(folder, data_set, numbers[:300]), score_run.ask(folder)
    )


if __name__ == "__main__":
    typer.run(main)
