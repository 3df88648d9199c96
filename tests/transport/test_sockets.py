"""The inspection of open connections beside the requests that are being served (threats P13)."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from credence.transport import sockets
from credence.transport.answers import Answers
from credence.transport.sockets import Sockets, close_expired

CONNECTIONS = 50


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a listener with so many connections, all in this process."""
    with ExitStack() as opened:
        listener = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=CONNECTIONS))
        for _ in range(CONNECTIONS):
            opened.enter_context(socket.create_connection(listener.getsockname()))
            opened.enter_context(listener.accept()[0])
        yield listener.getsockname()[1]


async def test_other_work_runs_whenever_a_turn_of_the_inspection_is_over(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn that is over at once leaves a pause after each connection: once when it is listed, once when it is judged."""
    monkeypatch.setattr(sockets, "TURN_SECONDS", 0)
    answers, turns = Answers(), count()

    async def others() -> None:
        while True:
            next(turns)
            await asyncio.sleep(0)

    running = asyncio.create_task(others())
    await close_expired(Sockets(port), answers, (), 0)
    running.cancel()
    assert next(turns) >= 2 * CONNECTIONS
