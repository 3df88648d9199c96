"""How long until a token that one node revoked is refused by the others (threats L3, §7)?

Three nodes over one PostgreSQL, all on the server's core but the database. Callers use the API the whole time, at a rate
that leaves room; two more ask the other nodes about the token one request after the other, so a figure ends with a whole
request. It begins when the node that revoked has answered.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from statistics import quantiles

import httpx
import psycopg

from bench.deployment import NO_SPIKE_ARREST
from bench.measurement import Figure, Measurement, Target
from bench.pinning import LOAD_CORE, SERVER_CORE
from bench.rounds import Plan
from credence import paths
from tests.nodes import nodes
from tests.postgres import database, postgres_server
from tests.running import RunningServer

NODES = 3

ANNOUNCED, UNHEARD = 120, 25
"""Revocations in a round, each of which every other node makes a sample of."""

PAUSE = 0.02
"""Seconds between two requests of each node's other caller."""

TARGET = Target(1_000, at="most")

_DEAFEN = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'credence' AND (query LIKE 'LISTEN%' OR query LIKE '%FROM log_head')
"""

Before = Callable[[], Awaitable[object]]


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield milliseconds, the 99th percentile: as it is, and where the connections that listen break at that moment."""
    folder = plan.deployment.folder / "revocation"
    folder.mkdir()
    with (
        postgres_server() as server,
        database(server.url) as url,
        nodes(folder, url, NODES, **NO_SPIKE_ARREST) as running,
    ):
        for process in server.processes():  # those that it starts later follow
            os.sched_setaffinity(process, {LOAD_CORE})
        for node in running:
            _hold_to_core(node.process.pid)
        for name, count, deafened in (
            ("revocation known everywhere", ANNOUNCED, False),
            ("revocation known everywhere, no notice comes", UNHEARD, True),
        ):
            rounds = [asyncio.run(_round(running, count, url if deafened else None)) for _ in range(plan.rounds)]
            samples = sorted(sample for each in rounds for sample in each)
            yield Measurement(
                name,
                "ms, p99",
                tuple(_figure(each) for each in rounds),
                target=TARGET,
                note=f"{len(samples)} samples over {NODES} nodes",
                more={"p50_ms": _figure(samples).p50 or 0.0, "p99_ms": _figure(samples).value, "most_ms": samples[-1]},
            )


def _figure(samples: list[float]) -> Figure:
    hundredths = quantiles(samples, n=100, method="inclusive")
    return Figure(hundredths[98], hundredths[49], hundredths[98])


async def _round(running: list[RunningServer], count: int, deafened: str | None) -> list[float]:
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=node.base_url, trust_env=False, timeout=10))
            for node in running
        ]
        first = running[0]
        live = (await _log_in(clients[0], first))["access_token"]
        for client in clients:
            await stack.enter_async_context(_used(client, first, live))
        samples: list[float] = []
        for _ in range(count):
            samples += await _revoked(clients, first, deafened)
        return samples


async def _revoked(clients: list[httpx.AsyncClient], first: RunningServer, deafened: str | None) -> list[float]:
    """Revoke a fresh token at the first node and return for each other one how many milliseconds later it refused it."""
    token = (await _log_in(clients[0], first))["access_token"]
    for client in clients:
        (await _report(client, first, token)).raise_for_status()
    if deafened is not None:
        async with await psycopg.AsyncConnection.connect(deafened, autocommit=True) as administrator:
            await administrator.execute(_DEAFEN)
    refused = [asyncio.create_task(_refused(client, first, token)) for client in clients[1:]]
    reply = await clients[0].post(paths.REVOCATION, headers={**first.client_headers, "token": token})
    reply.raise_for_status()
    answered = time.perf_counter()
    return [max(0.0, at - answered) * 1_000 for at in await asyncio.gather(*refused)]


async def _refused(client: httpx.AsyncClient, first: RunningServer, token: str) -> float:
    while (await _report(client, first, token)).status_code == httpx.codes.OK:
        pass
    return time.perf_counter()


async def _report(client: httpx.AsyncClient, first: RunningServer, token: str) -> httpx.Response:
    return await client.get(
        f"{paths.report('v1')}/{first.company_number}", headers={"Authorization": f"Bearer {token}"}
    )


async def _log_in(client: httpx.AsyncClient, first: RunningServer) -> dict[str, str]:
    body = {"username": first.username, "password": first.password}
    reply = await client.post(paths.TOKEN, headers=first.client_headers, json=body)
    tokens: dict[str, str] = reply.raise_for_status().json()
    return tokens


@asynccontextmanager
async def _used(client: httpx.AsyncClient, first: RunningServer, token: str) -> AsyncIterator[None]:
    """Let somebody read reports from this node meanwhile."""

    async def use() -> None:
        while True:
            (await _report(client, first, token)).raise_for_status()
            await asyncio.sleep(PAUSE)

    using = asyncio.create_task(use())
    try:
        yield
    finally:
        using.cancel()
        with suppress(asyncio.CancelledError):
            await using


def _hold_to_core(process: int) -> None:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    for each in (process, *map(int, children)):
        for thread in Path(f"/proc/{each}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {SERVER_CORE})
