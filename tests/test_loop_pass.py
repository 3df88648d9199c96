"""A check that requests share holds for those that had arrived when it was made, and for no others."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
import uvloop

from credence.loop_pass import LoopPass

LOOPS = pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])


def _run(new_loop: Callable[[], Any], main: Any) -> Any:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(main)


@LOOPS
def test_it_holds_for_what_was_queued_before_the_check_and_for_nothing_after(new_loop: Callable[[], Any]) -> None:
    async def main() -> list[tuple[str, bool]]:
        check, seen = LoopPass(), list[tuple[str, bool]]()
        loop = asyncio.get_running_loop()
        loop.call_soon(lambda: seen.append(("before", check.holds())))
        check.hold()
        loop.call_soon(lambda: seen.append(("after", check.holds())))
        await asyncio.sleep(0.01)
        return seen

    assert _run(new_loop, main()) == [("before", True), ("after", False)]


@LOOPS
def test_it_does_not_hold_for_what_another_thread_queues_after_the_check(new_loop: Callable[[], Any]) -> None:
    async def main() -> bool:
        check, loop = LoopPass(), asyncio.get_running_loop()
        seen: asyncio.Future[bool] = loop.create_future()
        check.hold()
        server = threading.Thread(target=loop.call_soon_threadsafe, args=(lambda: seen.set_result(check.holds()),))
        server.start()
        server.join()  # queued while the callback with the check still runs
        return await seen

    assert _run(new_loop, main()) is False


def test_it_never_holds_outside_an_event_loop() -> None:
    check = LoopPass()

    check.hold()

    assert not check.holds()


def test_it_does_not_hold_for_another_loop_if_the_first_ended_at_once() -> None:
    async def hold(check: LoopPass) -> None:
        check.hold()

    async def holds(check: LoopPass) -> bool:
        return check.holds()

    check = LoopPass()
    asyncio.run(hold(check))

    assert not check.holds()
    assert asyncio.run(holds(check)) is False


def test_an_ended_check_does_not_hold() -> None:
    async def main() -> bool:
        check = LoopPass()
        check.hold()
        check.end()
        return check.holds()

    assert asyncio.run(main()) is False
