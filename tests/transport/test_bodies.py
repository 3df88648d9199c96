"""Request bodies that do not arrive (threats P13 and its section 3: 20 s for the whole body, one tick a second)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from credence.screening.limits import Limits
from credence.transport.bodies import BodyDeadlines
from tests.screening.refusal import refused

Waiting = Callable[[], "asyncio.Task[bytes]"]


@pytest.fixture
def bodies() -> BodyDeadlines:
    return BodyDeadlines()


@pytest.fixture
def waiting(bodies: BodyDeadlines) -> Waiting:
    """Return a function that starts to receive a body that never arrives."""
    return lambda: asyncio.create_task(bodies.receive(never, None, Limits()))


async def never() -> dict[str, Any]:
    await asyncio.Event().wait()
    return {}


async def tick(bodies: BodyDeadlines, seconds: int) -> None:
    for _ in range(seconds):
        await asyncio.sleep(0)
        bodies.tick()
    await asyncio.sleep(0)


async def test_a_body_has_twenty_seconds_and_at_most_one_more(bodies: BodyDeadlines, waiting: Waiting) -> None:
    """threats section 3: a body begun just before a tick has had 20 s at the 21st tick."""
    body = waiting()
    await tick(bodies, 20)
    assert not body.done()
    await tick(bodies, 1)
    with refused("body.slow"):
        await body


async def test_each_body_has_its_own_time(bodies: BodyDeadlines, waiting: Waiting) -> None:
    older = waiting()
    await tick(bodies, 10)
    newer = waiting()
    await tick(bodies, 11)
    assert (older.done(), newer.done()) == (True, False)
    await tick(bodies, 10)
    assert newer.done()
    for body in (older, newer):
        with refused("body.slow"):
            await body


async def test_a_received_body_is_not_cancelled_later(bodies: BodyDeadlines) -> None:
    """What the request does after its body may take longer."""

    async def whole() -> dict[str, Any]:
        return {"type": "http.request", "body": b"whole"}

    assert await bodies.receive(whole, 5, Limits()) == b"whole"
    for _ in range(30):
        bodies.tick()
    await asyncio.sleep(0)  # where a cancellation would arrive


@pytest.mark.parametrize("late", [False, True], ids=["in time", "while it is refused"])
async def test_a_stopping_server_cancels_a_body_without_a_refusal(
    bodies: BodyDeadlines, waiting: Waiting, late: bool
) -> None:
    """threats F2: a cancellation by the server stays a cancellation."""
    body = waiting()
    await tick(bodies, 20)
    if late:
        bodies.tick()
    body.cancel()
    with pytest.raises(asyncio.CancelledError):
        await body
