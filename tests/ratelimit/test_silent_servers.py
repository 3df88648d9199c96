"""A server of shared counters that accepts and does not answer delays no request for longer than documented (threats A12).

Each bound is compared with a timer of the same event loop that ends eight times as late: on a busy machine both are late.
"""

import asyncio
import os
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from credence.ratelimit import redis_counters
from credence.ratelimit.redis_counters import answer_within, open_redis_counters
from tests.counters import counters_server
from tests.deployment import OpenDeployment

ROUND_TRIP_SECONDS = 0.1
"""docs/operating.md: slower than 100 ms is unavailable."""

EIGHT_TIMES = 8
TURNS = 100
"""Turns of the event loop in which what is due at one moment ends."""


async def ends_by(seconds: float, waiting: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Return the task of a coroutine, which has ended when a timer of eight times these seconds has."""
    task = asyncio.create_task(waiting)
    try:
        await asyncio.sleep(EIGHT_TIMES * seconds)
        for _ in range(TURNS):
            await asyncio.sleep(0)
        assert task.done()
    finally:
        task.cancel()
    return task


async def test_a_request_is_answered_while_the_server_hangs(open_deployment: OpenDeployment, tmp_path: Path) -> None:
    with counters_server(tmp_path / "counters") as server:
        deployment = await open_deployment(counters_url=server.url, spike_address_per_minute=60)
        assert deployment.service.rate_limiter.shared_available
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            answered = await ends_by(ROUND_TRIP_SECONDS, deployment.send("GET", "/nowhere"))
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        assert answered.result().status == 404
        assert not deployment.service.rate_limiter.shared_available


async def test_a_start_and_a_check_end_although_the_server_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """`serve` waits for a probe, and `credence config check` for an answer."""
    monkeypatch.setattr(redis_counters, "PROBE_TIMEOUT_SECONDS", 0.05)

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1_024):
            pass
        writer.close()

    async with await asyncio.start_server(say_nothing, "127.0.0.1", 0) as silent:
        url = f"redis://127.0.0.1:{silent.sockets[0].getsockname()[1]}"
        opened = (await ends_by(0.05, open_redis_counters(url, b""))).result()
        assert not opened.available
        assert (await ends_by(0.05, answer_within(url, 0.05))).result() is False
        await opened.close()
