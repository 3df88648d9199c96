"""Spike arrest shared between nodes, on a real server (D16, threats A6, A12)."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from credence.ratelimit import redis_counters
from credence.ratelimit.limiter import Claim, Key, LocalCounters, SpikeArrest, pace
from credence.ratelimit.redis_counters import SharedCounters
from tests.counters import PASSWORD, CountersServer, counters_server

NOW = 1_800_000_000_000

OpenNode = Callable[..., Awaitable["Node"]]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[CountersServer]:
    with counters_server(tmp_path / "counters") as running:
        yield running


@pytest.fixture(autouse=True)
def _knock_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_counters, "KNOCK_EVERY", 0.02)


class Node:
    """A node's counters and what it said of the server; ten seconds is a deadline that no busy machine misses."""

    def __init__(self, url: str, deadline: float = 10.0) -> None:
        self.said: list[str | None] = []
        self.shared = SharedCounters(url, _name, self.said.append, deadline)
        self.spikes = SpikeArrest(LocalCounters(), self.shared)

    async def admits(self, *claims: Claim) -> bool:
        verdict = await self.spikes.admit(claims, [], NOW)
        assert verdict is not None
        return verdict.admitted

    async def until(self, *, up: bool) -> None:
        async with asyncio.timeout(30):
            while self.shared.up is not up:  # noqa: ASYNC110 - looks from outside, as the metrics do
                await asyncio.sleep(0.01)


def _name(kind: str, key: Key) -> str:
    return f"{kind} {key!r}"


def claim(kind: str, key: str, burst: int) -> Claim:
    """So many at once, and after that one a minute."""
    limit = pace(kind, 1, 1) if burst == 1 else pace(kind, burst, burst)
    assert limit is not None
    return limit, key


ADA = claim("account", "ada", 1)


@pytest.fixture
async def open_node() -> AsyncIterator[OpenNode]:
    """Opens nodes that share the counters at this address; they are closed at the end of the test."""
    nodes: list[Node] = []

    async def open_one(url: str, deadline: float = 10.0) -> Node:
        nodes.append(Node(url, deadline))
        await nodes[-1].shared.open()
        return nodes[-1]

    yield open_one
    for node in nodes:
        await node.spikes.close()


@pytest.fixture
async def one(open_node: OpenNode, server: CountersServer) -> Node:
    return await open_node(server.url)


@pytest.fixture
async def other(open_node: OpenNode, server: CountersServer) -> Node:
    return await open_node(server.url)


async def test_two_nodes_count_together(one: Node, other: Node) -> None:
    assert await one.admits(ADA)
    assert not await other.admits(ADA)
    assert not await one.admits(ADA)


async def test_of_many_at_once_on_two_nodes_exactly_the_burst_is_admitted(one: Node, other: Node) -> None:
    """One of 60 a minute: a busy machine may take a second over it, and so admit one or two more."""
    limit = claim("application", "ledger", 60)
    admitted = await asyncio.gather(*(node.admits(limit) for _ in range(500) for node in (one, other)))
    assert 60 <= sum(admitted) <= 90


async def test_a_request_that_one_key_refuses_is_counted_under_none(one: Node, other: Node) -> None:
    ledger = claim("application", "ledger", 2)
    assert await one.admits(ledger, ADA)
    for node in (other, one, other):
        assert not await node.admits(ledger, ADA)
    assert await other.admits(ledger, claim("account", "bob", 1))


async def test_a_key_that_is_only_consulted_refuses_and_is_not_counted(one: Node, other: Node) -> None:
    address = claim("address", "192.0.2.7/32", 60)
    for node in (one, other):
        verdict = await node.spikes.admit([address], [ADA], NOW)
        assert verdict is not None
        assert verdict.admitted
    assert await one.admits(ADA)
    verdict = await other.spikes.admit([address], [ADA], NOW)
    assert verdict is not None
    assert (verdict.admitted, verdict.pace.kind) == (False, "account")


async def test_the_verdict_is_that_of_the_rule(one: Node, other: Node) -> None:
    """Room and wait as one node alone would find them; the server's time has gone on a little."""
    await one.admits(ADA, claim("application", "ledger", 3))
    verdict = await other.spikes.admit([claim("application", "ledger", 3)], [], NOW)
    assert verdict is not None
    assert (verdict.admitted, verdict.pace.kind, verdict.room) == (True, "application", 1)
    refused = await other.spikes.admit([ADA], [], NOW)
    assert refused is not None
    assert (refused.admitted, refused.room) == (False, 0)
    assert 30_000_000_000 < refused.wait <= 60_000_000_000


async def test_what_lies_in_the_server_goes_by_itself(one: Node, other: Node) -> None:
    """threats A12: a key lives until its burst is whole again."""
    await one.admits(ADA)
    await other.admits(claim("application", "ledger", 2))
    left = [await one.shared._redis.pttl(_name(*each)) for each in (("account", "ada"), ("application", "ledger"))]
    assert 30_000 < left[0] <= 60_000
    assert 1 <= left[1] <= 30_000


async def test_a_lowered_debt_is_put_right(one: Node, other: Node) -> None:
    """A limit that is raised counts at once, as it does in one node alone."""
    await one.admits(ADA)
    raised = pace("account", 6_000, 1)
    assert raised is not None
    refused = await other.spikes.admit([(raised, "ada")], [], NOW)
    assert refused is not None
    assert refused.wait <= 10_000_000
    await asyncio.sleep(refused.wait / 1e9)
    assert await other.admits((raised, "ada"))


async def test_a_node_whose_server_goes_away_counts_alone_and_comes_back(
    one: Node, other: Node, server: CountersServer
) -> None:
    assert await one.admits(ADA)
    server.stop()
    assert await other.admits(ADA)  # it knows nothing of the first
    assert not await other.admits(ADA)
    assert not await one.admits(ADA)  # it has counted beside the server
    await one.until(up=False)
    server.start()
    for node in (one, other):
        await node.until(up=True)
    bob = claim("account", "bob", 1)
    assert await one.admits(bob)
    assert not await other.admits(bob)
    assert one.said == other.said == ["ConnectionError", None]


async def test_nobody_waits_twice_for_a_server_that_hangs(
    open_node: OpenNode, server: CountersServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More wait than go together; the deadline passes once for all of them, and then nobody asks."""
    one = await open_node(server.url, deadline=0.2)
    trips = 0
    trip = one.shared._round_trip

    async def counted(asked: Any) -> list[Any]:
        nonlocal trips
        trips += 1
        return await trip(asked)

    monkeypatch.setattr(one.shared, "_round_trip", counted)
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        limit = claim("application", "ledger", 60)
        admitted = await asyncio.gather(*(one.admits(limit) for _ in range(600)))
        assert sum(admitted) == 60
        assert (trips, one.shared.up, one.said) == (1, False, ["TimeoutError"])
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    await one.until(up=True)
    assert one.said == ["TimeoutError", None]
    assert not await one.admits(limit)


async def test_a_server_that_forgot_the_script_is_given_it_again(one: Node, other: Node) -> None:
    await one.shared._redis.script_flush()
    assert await one.admits(ADA)
    await one.until(up=True)
    assert await other.admits(claim("account", "bob", 1))


@pytest.mark.parametrize("answer", ["5", "'no'", "{1}", "{1, 'no'}", "{1, -1}", "{1, 60000000001}", "{}", "false"])
async def test_a_server_that_answers_nonsense_is_one_that_is_away(
    open_node: OpenNode, server: CountersServer, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """Nobody is left waiting: not the one who asked, and not those who come later."""
    monkeypatch.setattr(redis_counters, "_SCRIPT", f"return {answer}")
    node = await open_node(server.url)
    async with asyncio.timeout(10):
        assert await node.admits(ADA)
        assert not await node.admits(ADA)
        assert await node.admits(claim("account", "bob", 1))
    assert node.said[0] == "ValueError"


async def test_a_caller_who_leaves_while_he_waits_takes_nobody_with_him(one: Node) -> None:
    leaving = asyncio.ensure_future(one.admits(claim("account", "bob", 1)))
    staying = asyncio.ensure_future(one.admits(ADA))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying


async def test_a_unix_socket_does(open_node: OpenNode, server: CountersServer) -> None:
    one, other = await open_node(server.socket_url), await open_node(server.socket_url)
    assert await one.admits(ADA)
    assert not await other.admits(ADA)
    assert one.said == []


async def test_a_wrong_password_is_a_server_that_is_away(open_node: OpenNode, server: CountersServer) -> None:
    """I9: the reason is the kind of fault and nothing of the address."""
    node = await open_node(server.url.replace(PASSWORD, "wrong"))
    assert await node.admits(ADA)
    assert not await node.admits(ADA)
    assert node.said == ["AuthenticationError"]
