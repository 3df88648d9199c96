"""`python -m bench.capacity`: what a number of logins a day needs, from measured cost; and where the model can be checked.

The costs come from the newest records in `results/`. What is assumed and not measured is a field of `Assumed`, so that it
can be seen and changed. `docs/capacity.md` explains the plan.
"""

import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from bench.record import RESULTS

DAY_SECONDS = 86_400

SCALES = (1_000_000, 100_000_000, 1_000_000_000)

MANY_NODES = "many nodes on one database"

CONNECTIONS = 64
"""Of the load generator in every record."""

RECORDS = {
    "cold login": "cold password",
    "refresh": "refresh over PostgreSQL, ES256",
    "introspection": "introspection",
    "report": "report, many companies",
}
"""What a request is called here -> the measurement that has its rate on one busy core."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """What is not measured."""

    refreshes: float = 8
    """For each login: a day of work with access tokens of an hour."""
    introspections: float = 20
    reports: float = 5
    peak: float = 4
    """The busiest second, as a multiple of the day's mean."""
    use: float = 0.5
    """How busy a core may be in that second; above it the wait grows fast."""
    cores: int = 2
    """Of one node."""
    lifetime_days: float = 30
    """How long a family is kept (D4)."""
    row_octets: float = 512
    """Of a family in PostgreSQL, with its index entry and the free space of the page; SQLite takes 256, measured."""
    log_octets: float = 1_000
    """Of the write-ahead log for each write; 8 kB with SQLite, measured for families at random."""
    writes_of_database: float = 4_000
    """Writes per second that one PostgreSQL takes: it took 4,267 rotations with a core that it shared with the load."""


USUAL = Assumed()


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement under 64 connections: requests per second, and the median of their time in milliseconds."""

    rate: float
    p50: float

    @property
    def seconds(self) -> float:
        """Processor time of one request: the core has nothing else to do."""
        return 1 / self.rate


@dataclass(frozen=True, slots=True)
class Plan:
    """What one number of logins a day needs."""

    logins: float
    nodes: int
    """In one region: one more than the peak needs. With two regions each has as many, so that either carries all."""
    busiest: Mapping[str, float]
    """Cores by kind of request in the busiest second."""
    writes: float
    """Per second, in the busiest second."""
    databases: int
    gigabytes: float
    log_megabytes: float
    """Per second, in the busiest second."""


def newest_points(folder: Path = RESULTS) -> dict[str, Point]:
    """Return the newest measured rate of each kind of request; LookupError without one.

    Other measurements may have the same name: that beside the floor is in processor time of a request.
    """
    found: dict[str, Point] = {}
    for file in sorted(folder.glob("*.json")):
        for each in json.loads(file.read_text()).get("measurements", ()):
            for kind, name in RECORDS.items():
                if each["name"] == name and each["unit"] == "per second":
                    found[kind] = Point(each["median"], _p50(each["ours"]))
    missing = RECORDS.keys() - found.keys()
    if missing:
        raise LookupError(f"no record in {folder} measures: {', '.join(sorted(missing))}")
    return found


def newest_nodes() -> list[dict[str, float]]:
    """Return the newest record of many nodes on one database, by their number; empty without one."""
    found: dict[float, dict[str, float]] = {}
    for file in sorted(RESULTS.glob("*.json")):
        for each in json.loads(file.read_text()).get("measurements", ()):
            if each["name"].startswith(MANY_NODES):
                found[each["more"]["nodes"]] = {**each["more"], "milliseconds": each["median"]}
    return [found[number] for number in sorted(found)]


def _p50(figures: Sequence[Mapping[str, Any]]) -> float:
    return sorted(float(figure["p50"]) for figure in figures)[len(figures) // 2]


def plan(logins: float, points: Mapping[str, Point], assumed: Assumed) -> Plan:
    """Return what so many logins a day need in one region."""
    of_each = {
        "cold login": 1.0,
        "refresh": assumed.refreshes,
        "introspection": assumed.introspections,
        "report": assumed.reports,
    }
    mean = logins / DAY_SECONDS
    busiest = {kind: mean * assumed.peak * number * points[kind].seconds for kind, number in of_each.items()}
    writes = mean * assumed.peak * (1 + assumed.refreshes)
    return Plan(
        logins=logins,
        nodes=math.ceil(sum(busiest.values()) / assumed.use / assumed.cores) + 1,
        busiest=busiest,
        writes=writes,
        databases=math.ceil(writes / assumed.writes_of_database),
        gigabytes=logins * assumed.lifetime_days * assumed.row_octets / 1e9,
        log_megabytes=writes * assumed.log_octets / 1e6,
    )


def closed_loop(seconds: float, connections: int, requests: int = 20_000) -> Point:
    """Simulate one core and callers who each wait for their answer before they ask again, as the load generator does.

    The time of a request varies as an exponential does around its mean, the widest that is likely.
    """
    chance = random.Random(1)  # noqa: S311 - a simulation that is to repeat itself
    asked, now, times = [0.0] * connections, 0.0, []
    for number in range(requests):
        caller = number % connections
        now = max(now, asked[caller]) + chance.expovariate(1 / seconds)
        times.append(now - asked[caller])
        asked[caller] = now
    return Point(requests / now, sorted(times)[requests // 2] * 1000)


def open_arrivals(seconds: float, use: float, requests: int = 200_000) -> float:
    """Simulate one core whose callers come at random; return the time of the slowest hundredth, in requests' own times."""
    chance = random.Random(1)  # noqa: S311 - as above
    arrives = free = 0.0
    times = []
    for _ in range(requests):
        arrives += chance.expovariate(use / seconds)
        free = max(free, arrives) + chance.expovariate(1 / seconds)
        times.append(free - arrives)
    return sorted(times)[requests * 99 // 100] / seconds


def main(
    refreshes: Annotated[float, typer.Option(min=0, help="Refreshes for each login.")] = USUAL.refreshes,
    introspections: Annotated[float, typer.Option(min=0, help="Likewise.")] = USUAL.introspections,
    reports: Annotated[float, typer.Option(min=0, help="Likewise.")] = USUAL.reports,
    peak: Annotated[float, typer.Option(min=1, help="The busiest second over the mean.")] = USUAL.peak,
    use: Annotated[float, typer.Option(min=0.05, max=0.95, help="How busy a core may be then.")] = USUAL.use,
) -> None:
    """Print a plan for three numbers of logins a day, and compare a simulation with what was measured."""
    points = newest_points()
    assumed = Assumed(refreshes, introspections, reports, peak, use)
    console = Console(width=132)
    console.print(_plans([plan(logins, points, assumed) for logins in SCALES]))
    console.print(_checks(points))
    for each in newest_nodes():
        console.print(
            f"{each['nodes']:.0f} nodes on one database: {each['milliseconds']:.1f} ms of it for a revocation, "
            f"{each['connections']:.0f} connections, {each['idle_transactions_a_second']:.0f} transactions a second at rest."
        )
    console.print(
        f"At {use:.0%} use the slowest hundredth of requests takes {open_arrivals(0.001, use):.1f} times its own time."
    )


def _plans(plans: Sequence[Plan]) -> Table:
    shown = Table("logins a day", title="One region")
    for heading in ("nodes", "cores of cold logins", "of refreshes", "of the rest", "writes/s"):
        shown.add_column(heading, justify="right")
    for heading in ("databases", "GB of rows", "log MB/s"):
        shown.add_column(heading, justify="right")
    for each in plans:
        login, refresh = each.busiest["cold login"], each.busiest["refresh"]
        cores = (login, refresh, sum(each.busiest.values()) - login - refresh)
        shown.add_row(
            f"{each.logins:,.0f}",
            f"{each.nodes:,}",
            *(f"{number:,.1f}" for number in cores),
            f"{each.writes:,.0f}",
            f"{each.databases:,}",
            f"{each.gigabytes:,.0f}",
            f"{each.log_megabytes:,.1f}",
        )
    return shown


def _checks(points: Mapping[str, Point]) -> Table:
    shown = Table("measured under 64 connections", title="The simulation beside the records")
    for heading in ("rate measured", "simulated", "p50 ms measured", "simulated", "off by"):
        shown.add_column(heading, justify="right")
    for kind, point, simulated in checks(points):
        off = simulated.p50 / point.p50 - 1
        row = (
            f"{point.rate:,.0f}",
            f"{simulated.rate:,.0f}",
            f"{point.p50:.1f}",
            f"{simulated.p50:.1f}",
            f"{off:+.0%}",
        )
        shown.add_row(kind, *row)
    return shown


def checks(points: Mapping[str, Point]) -> Iterator[tuple[str, Point, Point]]:
    """Yield each kind of request with its measured and its simulated point."""
    for kind, point in points.items():
        connections = 16 if kind == "cold login" else CONNECTIONS
        yield kind, point, closed_loop(point.seconds, connections)


if __name__ == "__main__":
    typer.run(main)
