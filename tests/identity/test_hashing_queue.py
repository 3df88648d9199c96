"""Who is hashed next and who is sent away (threats A7, §8)."""

import asyncio
import random
from typing import Any

import pytest

from credence.identity import hashing_queue
from credence.identity.hashing_queue import MAX_WAITING, UNKNOWN_ORIGINS, Caller, HashingQueue
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST


class Crowd:
    """Callers of one queue: in which order they were served, and who was sent away for which reason."""

    def __init__(self, threads: int = 1) -> None:
        self.queue = HashingQueue(threads)
        self.served: list[str] = []
        self.refused: dict[str, str] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def come(
        self,
        name: str,
        client_id: str = "app",
        member: str = "net",
        trusted: bool = False,
        failures: int = 0,
        **more: Any,
    ) -> None:
        caller = Caller(client_id, member, trusted, failures)
        self.tasks[name] = asyncio.create_task(self._wait(name, caller, **more))
        await turn_of_the_loop()

    async def _wait(self, name: str, caller: Caller, **more: Any) -> None:
        try:
            await self.queue.acquire(caller, **more)
        except Refused as refused:
            said = (refused.refusal, refused.retry_after)
            self.refused[name] = refused.reason if said == (SPIKE_ARREST, 2) else str(said)
        else:
            self.served.append(name)

    async def serve(self, times: int = 1) -> None:
        """Finish a number of hashes in order."""
        for _ in range(times):
            self.queue.release()
            await turn_of_the_loop()


async def turn_of_the_loop() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_at_most_as_many_passwords_as_threads_are_hashed_at_once() -> None:
    crowd = Crowd(threads=3)
    for name in "abcde":
        await crowd.come(name)
    assert crowd.served == ["a", "b", "c"]
    await crowd.serve(2)
    assert crowd.served == ["a", "b", "c", "d", "e"]


async def test_a_released_thread_is_free_for_the_next_caller() -> None:
    crowd = Crowd(threads=2)
    for name in "ab":
        await crowd.come(name)
    await crowd.serve(2)
    for name in "cde":
        await crowd.come(name)
    assert crowd.served == ["a", "b", "c", "d"]


async def test_one_application_does_not_keep_another_waiting() -> None:
    """threats §8: they are served in turn, however many one of them sends."""
    crowd = Crowd()
    for number in range(4):
        await crowd.come(f"loud {number}", "loud")
    await crowd.come("quiet", "quiet")
    await crowd.serve(4)
    assert crowd.served == ["loud 0", "loud 1", "quiet", "loud 2", "loud 3"]


async def test_one_address_does_not_keep_another_of_its_application_waiting() -> None:
    crowd = Crowd()
    for number in range(4):
        await crowd.come(f"loud {number}", member="loud")
    await crowd.come("quiet", member="quiet")
    await crowd.serve(4)
    assert crowd.served == ["loud 0", "loud 1", "quiet", "loud 2", "loud 3"]


async def test_an_application_with_many_addresses_gets_no_more_threads_than_one_with_one() -> None:
    """threats §8: a botnet with one stolen secret."""
    crowd = Crowd()
    await crowd.come("working")
    for network in ("x", "y", "z"):
        await crowd.come(f"loud {network}", "loud", network)
    for number in range(3):
        await crowd.come(f"quiet {number}", "quiet")
    await crowd.serve(6)
    assert crowd.served == ["working", "loud x", "quiet 0", "loud y", "quiet 1", "loud z", "quiet 2"]


async def _full(crowd: Crowd) -> None:
    for number in range(MAX_WAITING + 1):  # the first of them has its turn
        await crowd.come(f"{number}")
    assert len(crowd.queue) == MAX_WAITING


async def test_a_single_caller_may_fill_the_queue_and_no_more() -> None:
    """threats A7: bounded; what is too much is answered as a spike, before anything is hashed."""
    crowd = Crowd()
    await _full(crowd)
    await crowd.come("late")
    assert crowd.refused == {"late": "password.queue_full"}
    assert len(crowd.queue) == MAX_WAITING
    await crowd.serve(MAX_WAITING)
    assert crowd.served == [f"{number}" for number in range(MAX_WAITING + 1)]


@pytest.mark.parametrize("other", [{"client_id": "other"}, {"member": "other"}])
async def test_a_queue_filled_by_one_makes_room_for_another(other: dict[str, Any]) -> None:
    """threats §8: by application and by address; the last of those who fill it goes."""
    crowd = Crowd()
    await _full(crowd)
    await crowd.come("newcomer", **other)
    assert crowd.refused == {f"{MAX_WAITING}": "password.queue_full"}
    await crowd.serve(2)
    assert crowd.served == ["0", "1", "newcomer"]


async def test_one_address_of_many_applications_still_leaves_each_application_its_share() -> None:
    crowd = Crowd()
    for number in range(MAX_WAITING + 1):
        await crowd.come(f"{number}", client_id=f"app {number % 4}", member="greedy")
    await crowd.come("newcomer", client_id="app of its own")
    assert "newcomer" not in crowd.refused
    await crowd.serve(5)
    assert "newcomer" in crowd.served


async def test_strangers_are_one_application_however_many_addresses_they_have() -> None:
    """threats A7: an application and the people from trusted origins have each as many turns as all strangers."""
    crowd = Crowd()
    await crowd.come("working")
    for number in range(40):
        await crowd.come(f"stranger {number}", UNKNOWN_ORIGINS, member=f"{number}")
    for number in range(3):
        await crowd.come(f"login {number}")
        await crowd.come(f"person {number}", UNKNOWN_ORIGINS, member=f"home {number}", trusted=True)
    await crowd.serve(9)
    assert crowd.served[1:] == [
        *("stranger 0", "login 0", "person 0"),
        *("stranger 1", "login 1", "person 1"),
        *("stranger 2", "login 2", "person 2"),
    ]


@pytest.mark.parametrize("other", [{"client_id": "app"}, {"client_id": UNKNOWN_ORIGINS, "trusted": True}])
async def test_strangers_take_no_place_of_others_and_others_none_of_theirs(other: dict[str, Any]) -> None:
    """threats A5, A7: each half of the queue refuses its own."""
    crowd = Crowd()
    await crowd.come("working")
    for number in range(MAX_WAITING + 10):
        await crowd.come(f"stranger {number}", UNKNOWN_ORIGINS, member=f"{number}")
        await crowd.come(f"other {number}", member=f"{number}", **other)
    late = range(MAX_WAITING, MAX_WAITING + 10)
    assert list(crowd.refused) == [f"{kind} {number}" for number in late for kind in ("stranger", "other")]


async def test_among_strangers_an_address_without_wrong_passwords_comes_first() -> None:
    """threats A5: a person at a new address waits behind no attacker, and takes an attacker's place in a full queue."""
    crowd = Crowd()
    await crowd.come("working")
    for number in range(MAX_WAITING):
        await crowd.come(f"stranger {number}", UNKNOWN_ORIGINS, member=f"{number}", failures=1 + number % 7)
    await crowd.come("person", UNKNOWN_ORIGINS, member="home")
    assert list(crowd.refused) == ["stranger 6"]
    await crowd.serve(2)
    assert crowd.served == ["working", "person", "stranger 0"]


async def test_no_caller_waits_longer_than_the_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    """threats §3: 2 s in the service; here no time at all."""
    assert hashing_queue.MAX_WAIT_SECONDS == 2
    monkeypatch.setattr(hashing_queue, "MAX_WAIT_SECONDS", 0)
    crowd = Crowd()
    await crowd.come("working")
    await crowd.come("waiting")
    await crowd.tasks["waiting"]
    assert crowd.refused == {"waiting": "password.queue_slow"}
    assert len(crowd.queue) == 0
    await crowd.serve()
    await crowd.come("next")
    assert crowd.served == ["working", "next"]


async def test_a_caller_who_disconnects_while_waiting_is_not_hashed() -> None:
    """threats §8."""
    crowd, disconnected = Crowd(), asyncio.Event()

    async def hung_up() -> None:
        await disconnected.wait()

    await crowd.come("working")
    await crowd.come("leaving", disconnected=hung_up)
    await crowd.come("staying")
    disconnected.set()
    await turn_of_the_loop()
    assert crowd.refused == {"leaving": "password.caller_disconnected"}
    await crowd.serve()
    assert crowd.served == ["working", "staying"]


async def test_a_thread_granted_to_a_caller_cancelled_at_that_moment_is_not_lost() -> None:
    crowd = Crowd()
    for name in ("working", "cancelled", "next"):
        await crowd.come(name)
    crowd.queue.release()
    crowd.tasks["cancelled"].cancel()
    await turn_of_the_loop()
    assert crowd.served == ["working", "next"]


async def test_idle_work_comes_last_and_is_skipped_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """threats §8: a rehash has low priority."""
    crowd = Crowd()
    await crowd.come("working")
    idle = asyncio.create_task(crowd.queue.acquire_idle())
    await turn_of_the_loop()
    await crowd.come("login")
    await crowd.serve()
    assert crowd.served == ["working", "login"]
    assert not idle.done()
    await crowd.serve()
    assert await idle
    monkeypatch.setattr(hashing_queue, "MAX_IDLE_WAIT_SECONDS", 0)
    assert not await crowd.queue.acquire_idle()


@pytest.mark.parametrize("seed", range(5))
async def test_in_random_histories_no_thread_is_lost_or_granted_twice(seed: int) -> None:
    """threats F8: a thousand steps by chance, seeded; at the end every turn is there again."""
    chance, crowd, threads = random.Random(seed), Crowd(threads=3), 3
    working = 0
    for step in range(1_000):
        served = len(crowd.served)
        match chance.choice(["come", "come", "end", "cancel"]):
            case "come":
                await crowd.come(f"{step}", chance.choice("ab"), chance.choice("xyz"))
            case "end" if working:
                working -= 1
                await crowd.serve()
            case "cancel" if crowd.tasks:
                crowd.tasks[chance.choice(list(crowd.tasks))].cancel()
                await turn_of_the_loop()
        working += len(crowd.served) - served
        assert working <= threads
        assert working == threads or len(crowd.queue) == 0
    for task in crowd.tasks.values():
        task.cancel()
    await crowd.serve(working)
    for number in range(threads + 1):
        await crowd.come(f"last {number}")
    assert crowd.served[-threads:] == [f"last {number}" for number in range(threads)]
