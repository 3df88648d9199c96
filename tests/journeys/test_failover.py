"""One fail-over under load, by hand. The long form, by Patroni and many times over, is `python -m tests.long.failover`."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from tests.long import history
from tests.long.clients import Clients
from tests.long.failover import KNOWN_AFTER, LONGEST_OUTAGE, nodes_over
from tests.replication import Pair, replicated
from tests.running import RunningServer

CLIENTS = 6
CALM = 2.0
"""Seconds of load before the primary is killed, and again after."""


async def fail_over(pair: Pair, nodes: Sequence[RunningServer], *, behind: float = 0) -> tuple[Clients, float]:
    """Kill the primary under load and let the standby take its place; return what clients were told, and when.

    For the last `behind` seconds the standby has heard nothing.
    """
    clients, over = Clients(nodes, seed=20261121), asyncio.Event()
    living = [asyncio.create_task(clients.live(over)) for _ in range(CLIENTS)]
    await asyncio.sleep(CALM)
    with pair.apart() if behind else nullcontext():
        await asyncio.sleep(behind)
        broken = time.monotonic()
        await asyncio.to_thread(pair.fail_over)
    await asyncio.sleep(CALM)
    over.set()
    await asyncio.gather(*living)
    await clients.audit([login for login in clients.logins if login.access])
    await clients.close()
    return clients, broken


def test_a_fail_over_loses_nothing_acknowledged_and_shows_clients_5xx_alone(tmp_path: Path) -> None:
    """threats F4, I1, I2, I4 and I5 over every answer that the clients received."""
    with replicated() as pair, nodes_over(tmp_path, [pair.url] * 2) as nodes:
        clients, broken = asyncio.run(fail_over(pair, nodes))
    assert history.faults(clients.answers, KNOWN_AFTER) == []
    assert history.failures_outside(clients.answers, [broken], LONGEST_OUTAGE) == []
    late = [each for each in clients.answers if each.status == 200 and each.began > broken + CALM]
    assert {each.kind for each in late} >= {"refresh", "report"}


def test_the_loss_of_a_standby_that_nobody_waits_for_is_found(tmp_path: Path) -> None:
    """What is looked for above is there to be found: without synchronous replication the last second is lost."""
    with replicated(synchronous=False) as pair, nodes_over(tmp_path, [pair.url] * 2) as nodes:
        clients, _ = asyncio.run(fail_over(pair, nodes, behind=1))
    assert any("refused what was acknowledged" in fault for fault in history.faults(clients.answers, KNOWN_AFTER))
