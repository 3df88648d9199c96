"""A server over SQLite, killed at random moments of a concurrent load: `python -m tests.long.kills`, which stops by itself.

Each round is one of `tests/journeys/test_kill.py`: clients log in, refresh and revoke, the server is killed with SIGKILL,
started again on the same folder, and asked about what it had acknowledged. With `--workers 2` one of its workers is killed
before. With `--progress FILE` a run that was stopped goes on where it was.
"""

import argparse
import asyncio
import datetime as dt
import json
import random
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from bench.machine import machine, versions
from bench.record import RESULTS
from tests.journeys.test_kill import CLIENTS, ISSUER, SPIKE_ARREST, Told, check, load_until_killed
from tests.long.progress import Progress
from tests.postgres import open_folder
from tests.running import RunningServer, start

ASKED = 200
"""Logins at most that are looked at after a kill."""

VARIABLES = {
    "CREDENCE_BASE_URL": ISSUER,
    "CREDENCE_ALGORITHM": "ES256",
    "CREDENCE_SPIKE_STATUS": str(SPIKE_ARREST),
    "CREDENCE_SPIKE_PER_MINUTE": "0",
    "CREDENCE_SPIKE_ACCOUNT_PER_MINUTE": "0",
    "CREDENCE_SPIKE_ADDRESS_PER_MINUTE": "0",
}


def main() -> int:
    options = _options()
    progress = Progress(options.progress)
    ends = time.monotonic() + options.minutes * 60
    while progress.done("kills") < options.kills and time.monotonic() < ends:
        with open_folder() as folder:
            _series(folder, progress, options, ends)
    record = {
        "seed": options.seed,
        "workers": options.workers,
        "clients": CLIENTS,
        **progress.counts,
        "faults": progress.faults,
    }
    print(json.dumps(record, indent=2))
    if options.keep:
        file = RESULTS / f"{dt.datetime.now(dt.UTC):%Y-%m-%d-%H%M}-kills.json"
        facts: dict[str, Any] = {"machine": machine(Path.cwd()), "versions": versions()}
        file.write_text(json.dumps({**facts, **record}, indent=2) + "\n")
        print(file)
    return 1 if progress.faults else 0


def _series(folder: Path, progress: Progress, options: argparse.Namespace, ends: float) -> None:
    """Kill one deployment again and again; a fresh one begins the next series, so that no store grows without end."""
    kills = min(options.series, options.kills - progress.done("kills"))
    begin = partial(start, folder / "data", folder / "output.txt", CREDENCE_WORKERS=str(options.workers), **VARIABLES)
    server = begin()
    try:
        for _ in range(kills):
            if time.monotonic() > ends:
                break
            chance = random.Random(options.seed + progress.done("kills"))
            told = asyncio.run(load_until_killed(server, chance.random(), chance.randrange(1_000_000)))
            server.process.wait()
            server.client.close()
            server = begin()
            progress.add(kills=1, **_looked_at(server, told, chance, progress))
            print(f"{progress.done('kills')} kills, {len(progress.faults)} faults", file=sys.stderr)
    finally:
        server.stop()


def _looked_at(server: RunningServer, told: Told, chance: random.Random, progress: Progress) -> dict[str, int]:
    asked = chance.sample(told.families, min(ASKED, len(told.families)))
    for family in asked:
        try:
            check(server, family)
        except AssertionError as error:
            progress.faults.append(f"kill {progress.done('kills') + 1}: {error}".splitlines()[0])
    revoked = sum(each.revoked for each in told.families)
    return {"logins": len(told.families), "rotations": told.rotations, "revocations": revoked, "asked": len(asked)}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--series", type=int, default=50, help="kills of one deployment")
    parser.add_argument("--workers", type=int, default=1, help="of the server")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--minutes", type=float, default=120, help="at most")
    parser.add_argument("--progress", type=Path, help="file that keeps what was done; a later run goes on from it")
    parser.add_argument("--keep", action=argparse.BooleanOptionalAction, default=True, help="the figures as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
