"""Workers over one SQLite file, killed again and again under load: `python -m tests.long.workers`, which stops by itself.

Clients log in, refresh, revoke and read reports, each request at any worker, and one worker is killed every few seconds.
What they were answered is then held against the promises of `history.py`: a revocation holds for the next request, wherever
it goes.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
from collections import Counter
from typing import Any

from tests.journeys.test_workers import workers_of
from tests.long import history
from tests.long.clients import Clients
from tests.long.failover import UNTHROTTLED
from tests.postgres import open_folder
from tests.running import RunningServer, start

KNOWN_AFTER = 0.0
"""Seconds after which a revocation is known to every worker."""

KNOWN = frozenset({0, 200, 401})
"""A request of a worker that is killed has no answer; the others are not disturbed."""


def main() -> int:
    options = _options()
    with open_folder() as folder:
        server = start(
            folder / "data", folder / "output.txt", "--http", CREDENCE_WORKERS=str(options.workers), **UNTHROTTLED
        )
        try:
            found = asyncio.run(_run(server, options))
        finally:
            server.stop()
        found["tracebacks"] = server.output.read_text().count("Traceback")
    print(json.dumps(found, indent=2))
    return 1 if found["faults"] or found["tracebacks"] else 0


async def _run(server: RunningServer, options: argparse.Namespace) -> dict[str, Any]:
    clients, over = Clients([server], options.seed), asyncio.Event()
    living = [asyncio.create_task(clients.live(over)) for _ in range(options.clients)]
    chance = random.Random(options.seed)
    for _ in range(options.kills):
        await asyncio.sleep(options.calm)
        os.kill(chance.choice(workers_of(server)), signal.SIGKILL)
    await asyncio.sleep(options.calm)
    over.set()
    await asyncio.gather(*living)
    await clients.audit([login for login in clients.logins if login.access])
    await clients.close()
    answers = clients.answers
    return {
        "faults": history.faults(answers, KNOWN_AFTER, KNOWN),
        "kills": options.kills,
        "answers": dict(sorted(Counter(f"{each.kind} {each.status}" for each in answers).items())),
        "seed": options.seed,
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=20, help="of one worker each")
    parser.add_argument("--clients", type=int, default=20, help="clients at once")
    parser.add_argument("--calm", type=float, default=6.0, help="seconds of load before each; a worker must live five")
    parser.add_argument("--seed", type=int, default=20261121)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
