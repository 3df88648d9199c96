"""`python -m bench.credit_sets`: a large data set is published over PostgreSQL and fetched, also beside reports.

It takes five times the data set in disk, all of it gone afterwards, and a few minutes, so `make bench` leaves it out. The
database has the core of the load generator, so its share of the time is an upper bound.
"""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from bench.deployment import Deployment, credence, deploy
from bench.load import press
from bench.loads import one_report
from bench.machine import machine
from bench.measurement import Figure, Measurement, Target
from bench.pinning import LOAD_CORE
from bench.process import Server
from bench.record import RESULTS, keep
from bench.rounds import Plan, take_turns
from credence.datasets import catalogue
from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.fact_kinds import FACT_KINDS
from credence.datasets.fact_reader import tables_of
from credence.datasets.publish import encode_entry
from credence.datasets.replication.publishing import catch_up, publisher
from credence.store.postgres.migrations import migrate_postgres
from tests.nodes import shared
from tests.postgres import database, postgres_server

SOURCE = "charges"
"""As which the data set passes: made up, in the real layout."""

KIND = next(part for part in FACT_KINDS if part.source == SOURCE)

ENTRY = encode_entry(
    CatalogueEntry(publisher="made up", licence="", as_of=None, loaded_at=0, layout=KIND.layout, companies=1, facts=1)
)

WITHIN = 180.0
"""Seconds in which a node that serves reports must have fetched it."""


def main(
    megabytes: Annotated[int, typer.Option(min=1, help="Size of the data set.")] = 2_500,
    seconds: Annotated[float, typer.Option(min=1, help="Of each run of reports.")] = 5,
    rounds: Annotated[int, typer.Option(min=1)] = 3,
) -> None:
    """Measure publication, fetch, and reports without and beside them."""
    with TemporaryDirectory(prefix="credit-sets-", suffix=".tmp", dir=RESULTS) as name, postgres_server() as server:
        for process in server.processes():
            os.sched_setaffinity(process, {LOAD_CORE})
        folder = Path(name)
        facts, found = machine(folder), []
        with database(server.url) as url:
            for measurement in _ask(folder, url, megabytes, seconds, rounds):
                print(f"{measurement.name}: {measurement.median:,.4g} {measurement.unit}, ratio {measurement.ratio}")
                found.append(measurement)
    plan = {"megabytes": megabytes, "seconds": seconds, "rounds": rounds}
    print(f"Kept in {keep(facts, plan, found, 'credit-sets')}")


def _ask(folder: Path, url: str, megabytes: int, seconds: float, rounds: int) -> Iterator[Measurement]:
    asyncio.run(migrate_postgres(url))
    data_set = _made_up(folder / "made-up.sqlite", megabytes)
    size = data_set.stat().st_size / 1e6
    publish = _publisher(url, data_set)
    yield _once("credit data, publish", size, publish)
    yield _once("credit data, fetch", size, lambda: catch_up(url, folder / "fetched"))
    for path in (folder / "fetched").iterdir():
        path.unlink()

    (folder / "one").mkdir()
    (folder / "many").mkdir()
    one, many = deploy(folder / "one"), deploy(folder / "many", **shared(url))
    plan = Plan(many, seconds, rounds)
    with credence(one.folder) as alone, credence(many.folder, **many.variables) as node:
        _until(lambda: _is_current(many))
        ours, beside = take_turns(plan, _reports(many, node), _reports(one, alone))
        target = Target(0.95, "ratio")
        yield Measurement("report, PostgreSQL", "per second", ours, beside, "SQLite deployment", target)

        waits = []

        def busy(run: float) -> Figure:
            publish()
            begun = time.monotonic()
            figure = _reports(many, node)(run)
            _until(lambda: _is_current(many))
            waits.append(time.monotonic() - begun)
            return figure

        ours, beside = take_turns(plan, busy, _reports(many, node))
        more = {"fetched_beside_reports_s": max(waits)}
        yield Measurement("report, while fetching", "per second", ours, beside, "the same, not fetching", more=more)


def _publisher(url: str, data_set: Path) -> Callable[[], None]:
    edition = ""

    def publish() -> None:
        nonlocal edition
        edition = publisher(url)(SOURCE, data_set, ENTRY, edition)

    return publish


def _once(name: str, size: float, act: Callable[[], None]) -> Measurement:
    begun = time.monotonic()
    act()
    spent = time.monotonic() - begun
    return Measurement(name, "seconds", (Figure(spent),), more={"megabytes": size, "megabytes_per_s": size / spent})


def _reports(deployment: Deployment, server: Server) -> Callable[[float], Figure]:
    client = deployment.clients["ES256"]
    return lambda seconds: press(server, one_report(deployment, client, server), seconds)


def _is_current(deployment: Deployment) -> bool:
    held = catalogue.read(deployment.folder / "data" / "credit")
    return SOURCE in held.sources and not held.pending


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WITHIN
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError("the data set was not fetched in time")
        time.sleep(0.2)


def _made_up(path: Path, megabytes: int) -> Path:
    with closing(sqlite3.connect(path)) as new:
        new.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {tables_of(KIND)}")
        for number in range(megabytes):
            new.execute("INSERT INTO fact VALUES (?, '1', ?)", (f"{number:08}", os.urandom(1_000_000)))
        new.commit()
    return path


if __name__ == "__main__":
    typer.run(main)
