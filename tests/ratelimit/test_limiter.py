"""What a request from outside may cause, by its address (D16, threats A6)."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest
from structlog.testing import capture_logs

from credence.ratelimit import redis_counters
from credence.ratelimit.limiter import RateLimiter, RateLimits
from credence.ratelimit.local_counters import LocalCounters
from credence.ratelimit.redis_counters import answer_within, open_redis_counters
from credence.refusals.refusal import Refused
from credence.store.records import Application
from tests.counters import counters_server
from tests.store.records import application

FETCHES = 20
"""Documents of clients in a minute, for one address and for one host."""
DEVICES = 30
"""Device authorizations in a minute, for one address."""
REGISTRATIONS = 5
"""docs/agents.md: "One address may register five in a minute"."""


class Limiter:
    """A limiter without other limits, at a time that the test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self._limiter = RateLimiter(RateLimits((0, 1), (0, 1), (0, 1)), b"key", LocalCounters(), lambda: self.now)

    async def fetches(self, address: str, host: str) -> str:
        return await _outcome(self._limiter.require_fetch, address, host)

    async def fetches_again(self, client_id: str) -> str:
        return await _outcome(self._limiter.require_fetch_again, client_id)

    async def has_document(self, host: str) -> None:
        await self._limiter.count_document(host)

    async def connects(self, address: str) -> str:
        return await _outcome(self._limiter.require_row, "device", address)

    def left_for(self, client: Application) -> object:
        return self._limiter.left_for(client)

    async def registers(self, address: str) -> str:
        return await _outcome(self._limiter.require_row, "registration", address)


async def _outcome(asked: Callable[..., Awaitable[None]], *arguments: str) -> str:
    try:
        await asked(*arguments)
    except Refused as refused:
        return f"{refused.reason} {refused.retry_after}"
    return "done"


async def test_one_address_has_twenty_documents_fetched_in_a_minute_whatever_the_host() -> None:
    limiter = Limiter()
    found = [await limiter.fetches("192.0.2.0/32", f"{number}.example") for number in range(FETCHES + 1)]
    assert found == ["done"] * FETCHES + ["spike.fetch 3"]
    assert await limiter.fetches("192.0.2.1/32", "21.example") == "done"
    limiter.now += 3_000
    assert await limiter.fetches("192.0.2.0/32", "22.example") == "done"


async def test_of_one_host_twenty_new_documents_are_taken_in_a_minute_whatever_the_address() -> None:
    """threats A5: a fetch that finds no document counts for the address that caused it, and not for the host."""
    limiter = Limiter()
    assert [await limiter.fetches(f"192.0.2.{number}/32", "one.example") for number in range(50)] == ["done"] * 50
    for _ in range(FETCHES):
        await limiter.has_document("one.example")
    assert await limiter.fetches("192.0.2.51/32", "one.example") == "spike.fetch 3"
    assert await limiter.fetches("192.0.2.51/32", "other.example") == "done"


async def test_a_known_client_has_twenty_fetches_a_minute_of_its_own() -> None:
    limiter = Limiter()
    for _ in range(FETCHES):
        await limiter.has_document("one.example")
    found = [await limiter.fetches_again("https://one.example/a") for _ in range(FETCHES + 1)]
    assert found == ["done"] * FETCHES + ["spike.fetch 3"]
    assert await limiter.fetches_again("https://one.example/b") == "done"


async def test_the_networks_around_an_ipv6_address_have_twice_and_four_times_as_much() -> None:
    """threats A4: /56 and /48 are one customer of a provider."""
    limiter, found = Limiter(), []
    for group in ("1", "2", "3", "101", "102", "201"):
        devices = [await limiter.connects(f"2001:db8:0:{group}::/64") for _ in range(DEVICES + 1)]
        found.append(devices.count("done"))
    assert found == [DEVICES, DEVICES, 0, DEVICES, DEVICES, 0]
    assert await limiter.connects("2001:db8:1::/64") == "done"


async def test_one_address_registers_five_times_in_a_minute() -> None:
    limiter = Limiter()
    found = [await limiter.registers("192.0.2.0/32") for _ in range(REGISTRATIONS + 1)]
    assert found == ["done"] * REGISTRATIONS + ["spike.registration 12"]
    assert await limiter.registers("192.0.2.1/32") == "done"
    limiter.now += 12_000
    assert await limiter.registers("192.0.2.0/32") == "done"


async def test_what_is_left_for_an_application_is_said_without_counting() -> None:
    ledger, counters = application(), LocalCounters()
    limiter = RateLimiter(RateLimits((60, 2), (0, 1), (0, 1)), b"key", counters, lambda: 1_000_000)
    left = []
    for _ in range(3):
        found = [limiter.left_for(ledger) for _ in range(2)]
        assert found[0] == found[1]
        left.append(found[0] and found[0][1])
        await limiter.limit_client("192.0.2.0/32", ledger, None)
    assert left == [2, 1, 0]
    assert Limiter().left_for(ledger) is None


async def test_counters_of_different_kinds_and_of_different_deployments_are_apart(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """They share a server, where one name for two of them would let one use up the other."""
    with counters_server(tmp_path_factory.mktemp("counters")) as server:
        ours, theirs = [await open_redis_counters(server.url, key) for key in (b"our key", b"their key")]
        limits = RateLimits((1, 1), (1, 1), (1, 1))
        application, address = limits.application(None), limits.address
        assert application is not None
        assert address is not None
        for counters in (ours, theirs):
            for limit in (application, address):
                first, second = [await counters.admit([(limit, "one")], []) for _ in range(2)]
                assert first is not None
                assert second is not None
                assert (first.admitted, second.admitted) == (True, False)
        await ours.close()
        await theirs.close()


async def test_counters_that_are_away_at_the_start_are_logged(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with counters_server(tmp_path_factory.mktemp("counters")) as server:
        url = server.url
    with capture_logs() as logged:
        counters = await open_redis_counters(url, b"key")
        assert not counters.available
        await counters.close()
    assert [(each["event"], each["fault"], each["counting"], each["log_level"]) for each in logged] == [
        ("shared_counters_unavailable", "ConnectionError", "locally", "warning")
    ]


async def test_counters_that_are_back_are_logged(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_counters, "PROBE_INTERVAL_SECONDS", 0.02)
    with counters_server(tmp_path_factory.mktemp("counters")) as server, capture_logs() as logged:
        server.stop()
        counters = await open_redis_counters(server.url, b"key")
        server.start()
        async with asyncio.timeout(60):
            while not counters.available:  # noqa: ASYNC110 - looks from outside, as the metrics do
                await asyncio.sleep(0.01)
            await counters.close()
    assert [each["event"] for each in logged] == ["shared_counters_unavailable", "shared_counters_available"]


async def test_a_server_that_hangs_up_is_asked_once() -> None:
    connections: list[asyncio.StreamWriter] = []

    def hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert not await answer_within(f"redis://127.0.0.1:{port}", 60)
    assert len(connections) == 1


async def test_a_server_that_accepts_and_says_nothing_does_not_answer_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with asyncio.timeout(60):
            assert not await answer_within(f"redis://127.0.0.1:{silent.getsockname()[1]}", 0.05)
