"""Spike arrest shared between nodes, on a real server (D16, threats A6, A12)."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from credence.ratelimit import redis_counters
from credence.ratelimit.limiter import RateLimiter, RateLimits
from credence.ratelimit.limits import Key, LimitDecision, LimitKey, rate_limit
from credence.ratelimit.local_counters import LocalCounters
from credence.ratelimit.redis_counters import RedisCounters, answer_within
from tests.counters import PASSWORD, CountersServer, counters_server
from tests.store.records import application

NOW = 1_800_000_000_000


def _ignored(_error: str | None) -> None:
    """What a test that looks at no changes does with them."""


OpenNode = Callable[..., Awaitable["Node"]]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[CountersServer]:
    with counters_server(tmp_path / "counters") as running:
        yield running


@pytest.fixture(autouse=True)
def _probe_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_counters, "PROBE_INTERVAL_SECONDS", 0.02)


class Node:
    """A node's limiter and the changes it reported; no busy machine exceeds a timeout of ten seconds."""

    def __init__(self, url: str, timeout_seconds: float = 10.0) -> None:
        self.changes: list[str | None] = []
        self.shared = RedisCounters(url, _name, self.changes.append, timeout_seconds)
        self.limiter = RateLimiter(RateLimits((0, 1), (0, 1), (0, 1)), b"", LocalCounters(), lambda: NOW, self.shared)

    async def admit(self, counted: Sequence[LimitKey], checked_only: Sequence[LimitKey]) -> LimitDecision | None:
        return await self.limiter._admit_shared(self.shared, counted, checked_only)

    async def admits(self, *keys: LimitKey) -> bool:
        decision = await self.admit(keys, [])
        assert decision is not None
        return decision.admitted

    async def until(self, *, up: bool) -> None:
        async with asyncio.timeout(30):
            while self.shared.available is not up:  # noqa: ASYNC110 - looks from outside, as the metrics do
                await asyncio.sleep(0.01)


def _name(kind: str, key: Key) -> str:
    return f"{kind} {key!r}"


def limit_key(kind: str, key: str, burst: int) -> LimitKey:
    """Return a key that admits `burst` requests at once."""
    limit = rate_limit(kind, 1, 1) if burst == 1 else rate_limit(kind, burst, burst)
    assert limit is not None
    return limit, key


ADA = limit_key("account", "ada", 1)


@pytest.fixture
async def open_node() -> AsyncIterator[OpenNode]:
    """Return a function that opens a node with the shared counters at this address; the fixture closes the nodes."""
    nodes: list[Node] = []

    async def open_one(url: str, timeout_seconds: float = 10.0) -> Node:
        nodes.append(Node(url, timeout_seconds))
        await nodes[-1].shared.open()
        return nodes[-1]

    yield open_one
    for node in nodes:
        await node.limiter.close()


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
    limit = limit_key("application", "ledger", 60)
    admitted = await asyncio.gather(*(node.admits(limit) for _ in range(500) for node in (one, other)))
    assert 60 <= sum(admitted) <= 90


async def test_a_request_that_one_key_refuses_is_counted_under_none(one: Node, other: Node) -> None:
    ledger = limit_key("application", "ledger", 2)
    assert await one.admits(ledger, ADA)
    for node in (other, one, other):
        assert not await node.admits(ledger, ADA)
    assert await other.admits(ledger, limit_key("account", "bob", 1))


async def test_a_key_that_is_only_checked_can_refuse_and_is_not_counted(one: Node, other: Node) -> None:
    address = limit_key("address", "192.0.2.7/32", 60)
    for node in (one, other):
        decision = await node.admit([address], [ADA])
        assert decision is not None
        assert decision.admitted
    assert await one.admits(ADA)
    decision = await other.admit([address], [ADA])
    assert decision is not None
    assert (decision.admitted, decision.limit.kind) == (False, "account")


async def test_the_decision_is_that_of_the_rule(one: Node, other: Node) -> None:
    """The figures of one node alone; the server's clock has moved on a little."""
    await one.admits(ADA, limit_key("application", "ledger", 3))
    decision = await other.admit([limit_key("application", "ledger", 3)], [])
    assert decision is not None
    assert (decision.admitted, decision.limit.kind, decision.remaining) == (True, "application", 1)
    refused = await other.admit([ADA], [])
    assert refused is not None
    assert (refused.admitted, refused.remaining) == (False, 0)
    assert 30_000_000_000 < refused.wait_ns <= 60_000_000_000


async def test_a_request_of_an_application_counts_on_two_nodes_together_by_every_way_in(server: CountersServer) -> None:
    """Its address and a claimed account are met as well: one of each a minute, whichever node counts."""
    ledger, limits = application(), RateLimits((1, 1), (1, 1), (1, 1))
    shared = [RedisCounters(server.url, _name, _ignored) for _ in range(2)]
    one, other = [RateLimiter(limits, b"", LocalCounters(), lambda: NOW, each) for each in shared]
    assert one.shared_available is False
    for each in shared:
        await each.open()
    assert one.shared_available is True

    first = await one.limit_client("192.0.2.7/32", ledger, "ada")
    assert first.decision is not None
    assert first.decision.admitted
    assert [each.kind for each in first.limits] == ["application", "address"]
    for usage, refusing in (
        (await other.limit_client("192.0.2.8/32", ledger, None), "application"),
        (await other.limit_unauthenticated("192.0.2.7/32"), "address"),
        (await other.limit_unauthenticated("192.0.2.9/32", ledger), "application"),
    ):
        assert usage.decision is not None
        assert (usage.decision.admitted, usage.decision.limit.kind) == (False, refusing)
    account = await other.limit_account("ada")  # it was only claimed
    assert account.decision is not None
    assert account.decision.admitted
    claimed = await one.limit_unauthenticated("192.0.2.10/32", None, "ada")
    assert claimed.decision is not None
    assert (claimed.decision.admitted, claimed.decision.limit.kind) == (False, "account")
    for each in (one, other):
        await each.close()
        assert each.shared_available is False


async def test_what_one_node_refuses_by_its_own_count_asks_no_server(one: Node) -> None:
    assert await one.admits(ADA)
    before = await one.shared._redis.info("commandstats")
    assert not await one.admits(ADA)
    after = await one.shared._redis.info("commandstats")
    assert after["cmdstat_evalsha"]["calls"] == before["cmdstat_evalsha"]["calls"] == 1


async def test_what_the_server_refuses_is_not_counted_by_the_node_alone(
    one: Node, other: Node, server: CountersServer
) -> None:
    """It would be refused for longer than its owner has to wait, once the server is away."""
    ledger = limit_key("application", "ledger", 2)
    assert await one.admits(ADA, ledger)
    for _ in range(3):
        assert not await other.admits(ADA, ledger)
    server.stop()
    assert [await other.admits(ledger) for _ in range(3)] == [True, True, False]


async def test_counters_in_the_server_expire(one: Node, other: Node) -> None:
    """threats A12: a counter exists until its burst is restored."""
    await one.admits(ADA)
    await other.admits(limit_key("application", "ledger", 2))
    left = [await one.shared._redis.pttl(_name(*each)) for each in (("account", "ada"), ("application", "ledger"))]
    assert 30_000 < left[0] <= 60_000
    assert 1 <= left[1] <= 30_000


async def test_a_raised_limit_counts_at_once(one: Node, other: Node) -> None:
    """As it does in one node alone."""
    await one.admits(ADA)
    raised = rate_limit("account", 6_000, 1)
    assert raised is not None
    refused = await other.admit([(raised, "ada")], [])
    assert refused is not None
    assert refused.wait_ns <= 10_000_000
    await asyncio.sleep(refused.wait_ns / 1e9)
    assert await other.admits((raised, "ada"))


async def test_a_node_counts_alone_while_its_server_is_unavailable(
    one: Node, other: Node, server: CountersServer
) -> None:
    assert await one.admits(ADA)
    server.stop()
    assert await other.admits(ADA)  # it has not counted the first
    assert not await other.admits(ADA)
    assert not await one.admits(ADA)  # it has counted locally too
    await one.until(up=False)
    server.start()
    for node in (one, other):
        await node.until(up=True)
    bob = limit_key("account", "bob", 1)
    assert await one.admits(bob)
    assert not await other.admits(bob)
    assert one.changes == other.changes == ["ConnectionError", None]


async def test_requests_wait_for_a_hanging_server_once(
    open_node: OpenNode, server: CountersServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More requests than one batch: all wait for one timeout, and later requests do not wait."""
    one = await open_node(server.url, timeout_seconds=0.2)
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
        limit = limit_key("application", "ledger", 60)
        admitted = await asyncio.gather(*(one.admits(limit) for _ in range(600)))
        assert sum(admitted) == 60
        assert (trips, one.shared.available, one.changes) == (1, False, ["TimeoutError"])
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    await one.until(up=True)
    assert one.changes == ["TimeoutError", None]
    assert not await one.admits(limit)


async def test_a_server_that_lost_the_script_receives_it_again(one: Node, other: Node) -> None:
    await one.shared._redis.script_flush()
    assert await one.admits(ADA)
    await one.until(up=True)
    assert await other.admits(limit_key("account", "bob", 1))


@pytest.mark.parametrize("answer", ["5", "'no'", "{1}", "{1, 'no'}", "{1, -1}", "{1, 60000000001}", "{}", "false"])
async def test_a_server_with_invalid_answers_counts_as_unavailable(
    open_node: OpenNode, server: CountersServer, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """No request is left waiting: neither the first nor a later one."""
    monkeypatch.setattr(redis_counters, "_SCRIPT", f"return {answer}")
    node = await open_node(server.url)
    async with asyncio.timeout(10):
        assert await node.admits(ADA)
        assert not await node.admits(ADA)
        assert await node.admits(limit_key("account", "bob", 1))
    assert node.changes[0] == "ValueError"


async def test_an_error_that_nobody_foresaw_stops_neither_these_requests_nor_later_ones(
    server: CountersServer,
) -> None:
    errors = [RuntimeError("a fault of this test")]

    def name(kind: str, key: Key) -> str:
        if errors:
            raise errors.pop()
        return _name(kind, key)

    counters = RedisCounters(server.url, name, _ignored, timeout_seconds=10)
    await counters.open()
    try:
        async with asyncio.timeout(30):
            waiting = [counters.admit([limit_key("client", "a", 1)], []) for _ in range(3)]
            assert await asyncio.gather(*waiting) == [None] * 3
            while not counters.available:  # noqa: ASYNC110 - looks from outside, as the metrics do
                await asyncio.sleep(0.01)
            decision = await counters.admit([limit_key("client", "a", 1)], [])
        assert decision is not None
        assert decision.admitted
    finally:
        await counters.close()


async def test_a_cancelled_request_does_not_cancel_the_others(one: Node) -> None:
    leaving = asyncio.ensure_future(one.admits(limit_key("account", "bob", 1)))
    staying = asyncio.ensure_future(one.admits(ADA))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying


async def test_a_server_is_probed_at_its_interval_and_answers_a_question_of_its_own(
    open_node: OpenNode, server: CountersServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour here: the script is loaded once, however many requests come meanwhile."""
    monkeypatch.setattr(redis_counters, "PROBE_INTERVAL_SECONDS", 3_600)
    node = await open_node(server.url)
    for number in range(20):
        assert await node.admits(limit_key("account", f"ada{number}", 1))
    assert (await node.shared._redis.info("commandstats"))["cmdstat_script|load"]["calls"] == 1
    assert await answer_within(server.url, 60)


async def test_counters_work_over_a_unix_socket(open_node: OpenNode, server: CountersServer) -> None:
    one, other = await open_node(server.socket_url), await open_node(server.socket_url)
    assert await one.admits(ADA)
    assert not await other.admits(ADA)
    assert one.changes == []


async def test_a_server_that_refuses_the_password_counts_as_unavailable(
    open_node: OpenNode, server: CountersServer
) -> None:
    """threats I9: the reason is the type of the error, without the address."""
    node = await open_node(server.url.replace(PASSWORD, "wrong"))
    assert await node.admits(ADA)
    assert not await node.admits(ADA)
    assert node.changes == ["AuthenticationError"]
