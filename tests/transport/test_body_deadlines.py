"""Bodies that do not come (threats P13 and its section 3: 20 s for a whole body, counted in looks of one a second)."""

import asyncio
from collections.abc import Callable

import pytest

from credence.transport.body_deadlines import Bodies
from tests.screening.refusal import refused

Waiting = Callable[[], "asyncio.Task[bytes]"]


@pytest.fixture
def bodies() -> Bodies:
    return Bodies()


@pytest.fixture
def waiting(bodies: Bodies) -> Waiting:
    """A function that begins to wait for a body that never comes."""
    return lambda: asyncio.create_task(bodies.in_time(never()))


async def never() -> bytes:
    await asyncio.Event().wait()
    return b""


async def look(bodies: Bodies, seconds: int) -> None:
    for _ in range(seconds):
        await asyncio.sleep(0)
        bodies.look()
    await asyncio.sleep(0)


async def test_a_body_has_twenty_seconds_and_at_most_one_more(bodies: Bodies, waiting: Waiting) -> None:
    """§3: a body begun just before a look has had 20 s at the 21st, and no less."""
    body = waiting()
    await look(bodies, 20)
    assert not body.done()
    await look(bodies, 1)
    with refused("body.slow"):
        await body


async def test_each_body_has_its_own_time(bodies: Bodies, waiting: Waiting) -> None:
    older = waiting()
    await look(bodies, 10)
    newer = waiting()
    await look(bodies, 11)
    assert (older.done(), newer.done()) == (True, False)
    await look(bodies, 10)
    assert newer.done()
    for body in (older, newer):
        with refused("body.slow"):
            await body


async def test_a_body_that_came_counts_no_longer(bodies: Bodies) -> None:
    """What the request does after its body may take longer."""

    async def whole() -> bytes:
        return b"whole"

    assert await bodies.in_time(whole()) == b"whole"
    for _ in range(30):
        bodies.look()
    await asyncio.sleep(0)  # where a cancellation would arrive


@pytest.mark.parametrize("late", [False, True], ids=["in time", "while it is refused"])
async def test_a_server_that_stops_is_not_told_of_a_slow_body(bodies: Bodies, waiting: Waiting, late: bool) -> None:
    """threats F2: to be cancelled by the server is to be cancelled."""
    body = waiting()
    await look(bodies, 20)
    if late:
        bodies.look()
    body.cancel()
    with pytest.raises(asyncio.CancelledError):
        await body
