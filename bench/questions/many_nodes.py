"""What do further nodes cost the one database that they share: idle, and for each revocation, which all of them read?

One, five and ten nodes over one PostgreSQL, with no core of their own: all figures are processor time, transactions and
connections, which other work on the machine hardly changes. The database works for the change log of every node, so its time
for a revocation grows with the nodes, and says where one database ends.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import psycopg

from bench.deployment import NO_SPIKE_ARREST
from bench.measurement import Figure, Measurement
from bench.rounds import Plan
from credence import paths
from tests.nodes import shared
from tests.postgres import PostgresServer, database, postgres_server
from tests.running import RunningServer, start

COUNTS = (1, 5, 10)
IDLE_SECONDS = 10.0
SETTLED_WITHIN, SETTLED_SECONDS = 60, 8
"""Seconds until the database is taken as it is, and in a row in which it uses less than its share before that."""

SETTLED_SHARE = 0.1
"""Of a core. Ten nodes that idle use a twentieth."""

REVOCATIONS = 300
AT_ONCE = 16

NAME = "many nodes on one database"


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield milliseconds of the database's processor time for a revocation, by number of nodes."""
    folder = plan.deployment.folder / "many-nodes"
    folder.mkdir()
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server(max_connections="200"))
        url = stack.enter_context(database(server.url))
        running: list[RunningServer] = []
        for count in COUNTS:
            while len(running) < count:
                variables = shared(url) | NO_SPIKE_ARREST | {"CREDENCE_NODE_NAME": f"node-{len(running)}"}
                node = start(folder / "data", folder / f"output-{len(running)}.txt", "--http", **variables)
                stack.callback(node.stop)
                running.append(node)
            _settle(server)
            idle = _idle(server, url)
            asyncio.run(_revoked(running, server, url, 0))  # partitions and caches
            rounds = [asyncio.run(_revoked(running, server, url, idle["idle_ms_a_second"])) for _ in range(plan.rounds)]
            yield Measurement(
                f"{NAME}, {count}",
                "ms of the database for a revocation",
                tuple(Figure(each.pop("milliseconds")) for each in rounds),
                note=f"{REVOCATIONS} revocations a round, {AT_ONCE} at once",
                more={
                    "nodes": float(count),
                    **idle,
                    **{name: median(each[name] for each in rounds) for name in rounds[0]},
                },
            )


def _settle(server: PostgresServer) -> None:
    """Wait until a new sandbox has made its data and new nodes have fetched theirs."""
    quiet, until = 0, time.monotonic() + SETTLED_WITHIN
    while quiet < SETTLED_SECONDS and time.monotonic() < until:
        used = _processor_seconds(server)
        time.sleep(1)
        quiet = quiet + 1 if _processor_seconds(server) - used < SETTLED_SHARE else 0


def _idle(server: PostgresServer, url: str) -> dict[str, float]:
    before, used = _transactions(url), _processor_seconds(server)
    time.sleep(IDLE_SECONDS)
    return {
        "idle_transactions_a_second": (_transactions(url) - before) / IDLE_SECONDS,
        "idle_ms_a_second": (_processor_seconds(server) - used) / IDLE_SECONDS * 1_000,
    }


async def _revoked(nodes: list[RunningServer], server: PostgresServer, url: str, idle_ms: float) -> dict[str, float]:
    """Revoke tokens at all nodes in turn, and return what each cost and how long the last took to be known everywhere."""
    first = nodes[0]
    async with httpx.AsyncClient(trust_env=False, timeout=30, limits=httpx.Limits(max_connections=AT_ONCE)) as client:
        body = {"username": first.username, "password": first.password}

        async def post(node: RunningServer, path: str, **arguments: Any) -> Any:
            return (await client.post(f"{node.base_url}{path}", **arguments)).raise_for_status()

        tokens = []
        for _ in range(REVOCATIONS):
            reply = await post(first, paths.TOKEN, headers=first.client_headers, json=body)
            tokens.append(reply.json()["access_token"])
        turn, used, began = asyncio.Semaphore(AT_ONCE), _processor_seconds(server), time.perf_counter()

        async def revoke(number: int, token: str) -> None:
            async with turn:
                await post(
                    nodes[number % len(nodes)], paths.REVOCATION, headers={**first.client_headers, "token": token}
                )

        await asyncio.gather(*(revoke(number, token) for number, token in enumerate(tokens)))
        answered = time.perf_counter()
        address = f"{paths.report('v1')}/{first.company_number}"

        async def refused(node: RunningServer) -> float:
            bearer = {"Authorization": f"Bearer {tokens[-1]}"}
            while (await client.get(f"{node.base_url}{address}", headers=bearer)).status_code == httpx.codes.OK:
                pass
            return time.perf_counter()

        known = max(await asyncio.gather(*map(refused, nodes)))
        await asyncio.sleep(1)  # what the listeners have still to read
        spent = (_processor_seconds(server) - used) * 1_000 - idle_ms * (time.perf_counter() - began)
        return {
            "milliseconds": spent / REVOCATIONS,
            "revocations_a_second": REVOCATIONS / (answered - began),
            "known_everywhere_ms": (known - answered) * 1_000,
            "connections": float(_one(url, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")),
        }


def _transactions(url: str) -> float:
    return _one(url, "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")


def _one(url: str, query: str) -> float:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    if row is None:
        raise LookupError(query)
    return float(row[0])


def _processor_seconds(server: PostgresServer) -> float:
    ticks = 0
    for process in server.processes():
        with suppress(FileNotFoundError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
