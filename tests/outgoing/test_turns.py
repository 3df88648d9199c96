"""Calls to one host take turns, and waiting for one is no part of a call (D29, threats E3)."""

import asyncio
from pathlib import Path

import pytest

from credence.outgoing.client import Deadlines
from credence.outgoing.turns import MAX_CONCURRENT_PER_HOST, MAX_WAITING_PER_HOST, NoTurn
from tests.outgoing.receivers import Request, calling, receiver
from tests.outgoing.test_client import get, stall
from tests.waiting import until


async def test_two_calls_at_once_go_to_one_host_and_others_wait_their_turn(tmp_path: Path) -> None:
    go = asyncio.Event()
    running = most = 0

    async def count(_request: Request, writer: asyncio.StreamWriter) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await go.wait()
        running -= 1
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with receiver(tmp_path, count) as found, receiver(tmp_path) as other:
        client = calling(tmp_path, deadlines=Deadlines(60, 60, 60)).client
        waiting = [asyncio.create_task(client.call(get(found.url()))) for _ in range(5)]
        await until(lambda: running == 2, 60)
        assert (await client.call(get(other.url()))).status == 204
        go.set()
        assert [answer.status for answer in await asyncio.gather(*waiting)] == [204] * 5
    assert most == 2
    assert len(client.turns) == 0  # nothing is kept for hosts that are not called


async def test_the_deadline_of_a_call_begins_with_its_turn(tmp_path: Path) -> None:
    asked = 0

    async def stall_twice(_request: Request, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        if asked <= MAX_CONCURRENT_PER_HOST:
            await asyncio.Event().wait()
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with receiver(tmp_path, stall_twice) as found:
        it = calling(tmp_path, deadlines=Deadlines(60, 2, 60, turn=60))
        calls = [asyncio.create_task(it.client.call(get(found.url()))) for _ in range(MAX_CONCURRENT_PER_HOST)]
        await until(lambda: asked == MAX_CONCURRENT_PER_HOST, 60)
        answer = await it.client.call(get(found.url()))  # waits for as long as the two before it may take
        ended = await asyncio.gather(*calls, return_exceptions=True)
    assert (answer.status, [str(each) for each in ended]) == (204, ["timeout"] * MAX_CONCURRENT_PER_HOST)


async def test_a_call_without_a_turn_is_not_made(tmp_path: Path) -> None:
    async with receiver(tmp_path, stall) as found, receiver(tmp_path) as other:
        it = calling(tmp_path, deadlines=Deadlines(60, 60, 60, turn=0.2))
        running = [asyncio.create_task(it.client.call(get(found.url()))) for _ in range(MAX_CONCURRENT_PER_HOST)]
        await until(lambda: found.connections == MAX_CONCURRENT_PER_HOST, 60)
        with pytest.raises(NoTurn, match="host_busy"):
            await it.client.call(get(found.url()))
        assert (await it.client.call(get(other.url()))).status == 204
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    assert [line.peer for line in it.lines if line.reason == "host_busy"] == [None]
    assert found.connections == MAX_CONCURRENT_PER_HOST


async def test_only_some_calls_wait_for_a_turn_so_that_a_slow_host_holds_few_places(tmp_path: Path) -> None:
    it = calling(tmp_path, deadlines=Deadlines(60, 60, 60, turn=60))
    async with receiver(tmp_path, stall) as found:
        most = MAX_CONCURRENT_PER_HOST + MAX_WAITING_PER_HOST
        waiting = [asyncio.create_task(it.client.call(get(found.url()))) for _ in range(most)]
        await until(lambda: found.connections == MAX_CONCURRENT_PER_HOST, 60)
        with pytest.raises(NoTurn):
            await it.client.call(get(found.url()))
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    assert len(it.client.turns) == 0
