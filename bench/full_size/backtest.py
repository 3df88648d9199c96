"""`python -m bench.full_size.backtest`: a backtest of a made-up register, and what one of full size would take.

Registers of companies of which one in two hundred fails, and real filings under their numbers, in monthly products. The
whole thing runs at a fraction of the full size and says what each step took; the steps grow with the companies or with the
filings, so the time of the full size is computed from them: the seconds as they were, and the processor time divided by the
cores, which is what a quiet machine would take at best. Memory is measured at both sizes of a run with `--also-half`.
"""

import datetime as dt
import json
import os
import random
import time
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from bench.full_size import snapshot
from bench.full_size.watched import Spent, watched
from bench.machine import machine
from bench.measurement import Figure, Measurement, Target
from bench.record import RESULTS, keep
from bench.table import table
from credence.backtest.plan import Plan, plan
from credence.backtest.run import backtest
from credence.clock import system_clock
from tests.datasets.accounts.filings import FILINGS

FULL_COMPANIES, FULL_FILINGS = 5_600_000, 3_000_000
AT, UNTIL = dt.date(2025, 11, 1), dt.date(2026, 11, 1)
ONE_FAILS_OF = 200
_NOTICES_A_PAGE = 10_000
_PRODUCTS = ("August", "September", "October")


def main(
    fraction: Annotated[int, typer.Option(min=1, help="The full size is divided by this.")] = 20,
    also_half: Annotated[
        bool, typer.Option("--also-half", help="Run half of it first, to compare the memory.")
    ] = False,
) -> None:
    """Measure a backtest at a fraction of the full size."""
    RESULTS.mkdir(exist_ok=True)
    found = []
    with TemporaryDirectory(prefix="backtest-", suffix=".tmp", dir=RESULTS) as name:
        facts = machine(Path(name))
        for part in (2 * fraction, fraction) if also_half else (fraction,):
            folder = Path(name) / f"{part}"
            found += _measured(folder, FULL_COMPANIES // part, FULL_FILINGS // part, part)
    Console(width=132).print(table(found))
    print(f"Kept in {keep(facts, {'fraction': fraction}, found, 'backtest')}")


def _measured(folder: Path, companies: int, filings: int, part: int) -> list[Measurement]:
    made = _made_up(folder, companies, filings)
    spent = watched(_run, made, folder / "backtest")
    steps: dict[str, float] = json.loads((folder / "backtest" / "steps.json").read_text())
    more = {"companies": companies, "filings": filings, "processor_seconds": spent.processor_seconds, **steps}
    size = sum(file.stat().st_size for file in (folder / "backtest").rglob("*.sqlite"))
    name = f"backtest, 1/{part} of full size"
    return [
        Measurement(name, "seconds", (Figure(spent.seconds),), more=more),
        Measurement(f"{name}, memory", "MB", (Figure(spent.peak_mb),), target=Target(2_000, at="most")),
        Measurement(f"{name}, disk", "bytes per company", (Figure(size / companies),)),
        _at_full_size(name, spent, part),
    ]


def _at_full_size(name: str, spent: Spent, part: int) -> Measurement:
    """Return the hours of the full size: every step grows with the companies or the filings, and both grow alike."""
    hours = Figure(spent.seconds * part / 3_600)
    cores = len(os.sched_getaffinity(0))
    more = {"by_processor_time_of_all_cores": spent.processor_seconds * part / cores / 3_600}
    return Measurement(f"{name}, computed for full size", "hours", (hours,), target=Target(2, at="most"), more=more)


def _run(made: Plan, folder: Path) -> None:
    """Run the backtest and keep the seconds of each step."""
    begun, step, steps = time.monotonic(), "", dict[str, float]()

    def progress(what: str, _done: int, _all: int | None) -> None:
        nonlocal begun, step
        what = what.partition(",")[0]
        if what != step:
            now = time.monotonic()
            if step:
                steps[step] = steps.get(step, 0) + now - begun
            begun, step = now, what

    backtest(made, folder, system_clock(), progress)
    progress("", 0, None)
    (folder / "steps.json").write_text(json.dumps({f"{name} (seconds)": taken for name, taken in steps.items()}))


def _made_up(folder: Path, companies: int, filings: int) -> Plan:
    before = snapshot.write(folder / "registers", companies)
    after = [file.with_name(file.name.replace(snapshot.SNAPSHOT, f"{AT}")) for file in before]
    for file, other in zip(before, after, strict=True):
        other.hardlink_to(file)
    chance = random.Random(1)  # noqa: S311 - the same filings at each run
    serials = chance.sample([serial for serial in range(companies) if serial % 8], filings)
    numbers = [f"{serial + 1_000_000:08}" for serial in serials]
    accounts = folder / "accounts"
    accounts.mkdir()
    for place, month in enumerate(_PRODUCTS):
        _product(accounts / f"Accounts_Monthly_Data-{month}2025.zip", numbers[place :: len(_PRODUCTS)])
    notices = folder / "notices"
    notices.mkdir()
    failing = chance.sample(numbers, companies // ONE_FAILS_OF)
    for page in range(0, len(failing), _NOTICES_A_PAGE):
        entries = [_notice(number) for number in failing[page : page + _NOTICES_A_PAGE]]
        file = notices / f"gazette-{page}.json"
        file.write_text(json.dumps({"f:total": str(len(entries)), "entry": entries}))
    return plan(AT, 12, registers=[folder / "registers"], accounts=[accounts], notices=[notices])


def _notice(number: str) -> dict[str, str]:
    return {
        "id": f"https://www.thegazette.co.uk/id/notice/{number}",
        "f:status": "published",
        "f:notice-code": "2452",
        "published": "2026-03-02T00:00:00",
        "content": f"<p>MADE UP LIMITED (Company Number {number})</p>",
    }


def _product(file: Path, numbers: list[str]) -> None:
    """Write a product of real filings, each under the number of a made-up company."""
    documents = list(_documents())
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as product:
        for place, number in enumerate(numbers):
            its, day, suffix, data = documents[place % len(documents)]
            product.writestr(f"Prod224_1_{number}_{day}{suffix}", data.replace(its, number.encode()))


def _documents() -> list[tuple[bytes, str, str, bytes]]:
    """Return number, day, suffix and content of the filings of the tests."""
    found = []
    with zipfile.ZipFile(FILINGS / "varied-filings.zip") as archive:
        for name in archive.namelist():
            parts = Path(name).stem.split("_")
            if len(parts) > 3:
                found.append((parts[2].encode(), parts[3], Path(name).suffix, archive.read(name)))
    return found


if __name__ == "__main__":
    typer.run(main)
