"""Fail-overs under load: `python -m tests.long.failover`, which stops by itself and keeps what it saw as JSON.

Three nodes over a PostgreSQL that Patroni looks after; the primary is killed again and again, every fourth time with the
Patroni beside it, as a machine dies. Needs the Debian packages that it names when they are missing.
"""

import argparse
import asyncio
import datetime as dt
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.machine import machine, versions
from bench.record import RESULTS
from tests.long import history
from tests.long.clients import Clients, Login
from tests.long.patroni import LEASE, Patroni, missing, patroni
from tests.nodes import shared
from tests.postgres import open_folder
from tests.running import RunningServer, start

LONGEST_OUTAGE = 15.0
"""Seconds in which clients may be answered 5xx, a fail-over."""

KNOWN_AFTER = 6.0
"""Seconds after which a revocation is known to every node: within one, or a node that hears nothing refuses after five
(`CREDENCE_MAX_REVOCATION_STALENESS_SECONDS`)."""

MACHINE_EVERY = 4

AUDITED = 3_000
"""Logins at most that are looked at in the end, those that a fail-over met first."""

UNTHROTTLED = {
    "CREDENCE_SPIKE_PER_MINUTE": "0",
    "CREDENCE_SPIKE_ACCOUNT_PER_MINUTE": "0",
    "CREDENCE_SPIKE_ADDRESS_PER_MINUTE": "0",
    "CREDENCE_ALGORITHM": "ES256",
}


def main() -> int:
    options = _options()
    if packages := missing():
        print(f"Needs the Debian packages {' '.join(packages)}.", file=sys.stderr)
        return 2
    with open_folder() as folder, patroni(folder) as cluster:
        addresses = [cluster.through_proxy, cluster.direct, cluster.through_proxy]
        with nodes_over(folder, addresses) as nodes:
            found = asyncio.run(_run(cluster, nodes, options))
    print(json.dumps(found, indent=2))
    file = RESULTS / f"{dt.datetime.now(dt.UTC):%Y-%m-%d-%H%M}-fail-overs.json"
    file.write_text(json.dumps({"machine": machine(Path.cwd()), "versions": versions(), **found}, indent=2) + "\n")
    print(file)
    good = not found["faults"] and max(found["outages"]) <= LONGEST_OUTAGE
    return 0 if good else 1


@contextmanager
def nodes_over(folder: Path, addresses: Sequence[str]) -> Iterator[list[RunningServer]]:
    """A node for each address of one database."""
    with ExitStack() as stopping:
        started = []
        for number, address in enumerate(addresses):
            output = folder / f"node-{number}.txt"
            node = start(folder / "nodes", output, "--http", **shared(address), **UNTHROTTLED)
            stopping.callback(node.stop)
            started.append(node)
        yield started


async def _run(cluster: Patroni, nodes: Sequence[RunningServer], options: argparse.Namespace) -> dict[str, Any]:
    clients = Clients(nodes, options.seed)
    over = asyncio.Event()
    living = [asyncio.create_task(clients.live(over)) for _ in range(options.clients)]
    began, broken = time.monotonic(), []
    for number in range(options.rounds):
        await asyncio.sleep(options.calm)
        machine = number % MACHINE_EVERY == MACHINE_EVERY - 1
        broken.append(time.monotonic())
        await asyncio.to_thread(cluster.fail_over, machine=machine)
        await asyncio.sleep(LEASE + 2 if machine else 2)
        await asyncio.to_thread(cluster.wait_until_redundant)
        print(f"{number + 1} of {options.rounds}, {time.monotonic() - began:.0f} s", file=sys.stderr)
    await asyncio.sleep(options.calm)
    over.set()
    await asyncio.gather(*living)
    loaded = time.monotonic() - began
    await _audit(clients, broken, options.seed)
    await clients.close()
    return {**judged(clients, broken), "seconds_of_load": round(loaded, 1), "seed": options.seed}


async def _audit(clients: Clients, broken: Sequence[float], seed: int) -> None:
    """Look at logins once more when all is calm: those that were in use around a fail-over first."""
    near = [login for login in clients.logins if login.access and _distance(login, broken) < LONGEST_OUTAGE]
    rest = [login for login in clients.logins if login.access and _distance(login, broken) >= LONGEST_OUTAGE]
    random.Random(seed).shuffle(rest)
    await clients.audit([*near, *rest][:AUDITED])


def _distance(login: Login, broken: Sequence[float]) -> float:
    return min((abs(login.touched - at) for at in broken), default=float("inf"))


def judged(clients: Clients, broken: Sequence[float]) -> dict[str, Any]:
    """What came of it: every fault, how long each outage was, and how much was asked."""
    answers = clients.answers
    outages = history.outages(answers, broken)
    faults = history.faults(answers, KNOWN_AFTER) + history.failures_outside(answers, broken, LONGEST_OUTAGE)
    counts = Counter(f"{each.kind} {each.status}" for each in answers)
    return {
        "faults": faults,
        "fail_overs": len(broken),
        "outages": [round(each, 2) for each in outages],
        "late_reports": [round(each, 2) for each in history.late_reports(answers)],
        "answers": dict(sorted(counts.items())),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="fail-overs")
    parser.add_argument("--clients", type=int, default=10, help="clients at once")
    parser.add_argument("--calm", type=float, default=6.0, help="seconds of load before each")
    parser.add_argument("--seed", type=int, default=20261121)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
