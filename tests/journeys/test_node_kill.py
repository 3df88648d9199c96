"""A node is killed during requests: what it acknowledged is kept, and clients repeat the rest elsewhere (threats F1, F4)."""

import asyncio
import os
import random
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg

from tests.nodes import nodes
from tests.running import RunningServer
from tests.sweeps import LONG

CLIENTS = 48 if LONG else 24
UNDER_WAY = 10 if LONG else 5
"""Rotations of each client, on average, when the node dies."""

UNTHROTTLED = dict.fromkeys(
    ("CREDENCE_SPIKE_PER_MINUTE", "CREDENCE_SPIKE_ACCOUNT_PER_MINUTE", "CREDENCE_SPIKE_ADDRESS_PER_MINUTE"), "0"
)


@dataclass
class Holder:
    """A client with one login."""

    access: str
    refresh: str
    rotations: int = 0
    unanswered: bool = False
    """Its last request died with the node: it may have taken effect."""


@dataclass
class Crowd:
    nodes: Sequence[RunningServer]
    clients: Sequence[httpx.AsyncClient]
    chance: random.Random = field(default_factory=lambda: random.Random(20261121))
    holders: list[Holder] = field(default_factory=list)

    async def refresh(self, holder: Holder, node: int) -> None:
        headers = {**self.nodes[0].client_headers, "grant_type": "refresh_token", "refresh_token": holder.refresh}
        reply = await self.clients[node].post("/oauth2/v1/token", headers=headers)
        assert reply.status_code == 200, reply.text
        pair = reply.json()
        holder.access, holder.refresh = pair["access_token"], pair["refresh_token"]
        holder.rotations += 1

    async def live(self, holder: Holder) -> None:
        """Refresh at any node until one does not answer."""
        while True:
            try:
                await self.refresh(holder, self.chance.randrange(len(self.clients)))
            except httpx.TransportError:
                holder.unanswered = True
                return


async def killed_under_load(nodes: Sequence[RunningServer]) -> list[Holder]:
    """Kill the first node while all refresh at all, then let each whose request died ask the others."""
    clients = [httpx.AsyncClient(base_url=node.base_url, trust_env=False, timeout=20) for node in nodes]
    crowd = Crowd(nodes, clients)
    crowd.holders = [Holder(pair["access_token"], pair["refresh_token"]) for pair in _log_in(nodes[0])]
    living = [asyncio.create_task(crowd.live(holder)) for holder in crowd.holders]
    while sum(holder.rotations for holder in crowd.holders) < UNDER_WAY * CLIENTS:  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0.01)
    os.killpg(nodes[0].process.pid, signal.SIGKILL)
    async with asyncio.timeout(30):
        await asyncio.gather(*living)
    assert all(holder.unanswered for holder in crowd.holders)
    for holder in crowd.holders:
        await crowd.refresh(holder, crowd.chance.choice((1, 2)))
    for client in clients:
        await client.aclose()
    return crowd.holders


def _log_in(node: RunningServer) -> list[dict[str, str]]:
    return [node.tokens() for _ in range(CLIENTS)]


def test_what_a_killed_node_left_unanswered_is_answered_by_another_and_nothing_twice(
    migrated_postgres: str, tmp_path: Path
) -> None:
    """threats L1, L2: the retry gets the lost pair, or makes it, so a login has rotated as often as its client knows."""
    with nodes(tmp_path, migrated_postgres, 3, **UNTHROTTLED) as running:
        holders = asyncio.run(killed_under_load(running))
        with psycopg.connect(migrated_postgres) as connection:
            kept = connection.execute("SELECT generation FROM families").fetchall()
        assert sorted(generation for (generation,) in kept) == sorted(holder.rotations for holder in holders)
        for node in running[1:]:
            assert {node.report(holder.access).status_code for holder in holders} == {200}
