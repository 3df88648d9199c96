"""The deliveries of the outbox are attempted, and a slow receiver delays no other (monitoring.md 7.3)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from credence.outbox.engine import (
    MAX_CLAIMED,
    PER_RECEIVER,
    TURN_MS,
    AttemptOutcome,
    DeliveryEngine,
    DeliveryKind,
    Schedule,
)
from credence.store.contract import Store
from credence.store.deliveries import Backlog, Delivery
from credence.store.sqlite.store import SqliteStore
from tests.waiting import LOOK_EVERY_SECONDS, until

NOW = 1_700_000_000_000
LIMIT_SECONDS = 60


def delivery(number: int, receiver: str = "a", kind: str = "test") -> Delivery:
    return Delivery(number.to_bytes(16, "big"), kind, receiver, b"", NOW + number, NOW, NOW + 10**9)


class Clock:
    """A clock that the test sets."""

    now = NOW

    def __call__(self) -> int:
        """Return the time."""
        return self.now


@asynccontextmanager
async def running(
    store: Store, attempt: Callable[[Delivery], Awaitable[AttemptOutcome]], clock: Clock, *delays: int
) -> AsyncIterator[DeliveryEngine]:
    engine = DeliveryEngine(store, clock, {"test": DeliveryKind(attempt, Schedule(delays))})
    task = asyncio.create_task(engine.run())
    try:
        yield engine
    finally:
        task.cancel()
        await engine.close()


@asynccontextmanager
async def stored(folder: Path, *deliveries: Delivery) -> AsyncIterator[Store]:
    store = SqliteStore(folder / "credence.sqlite")
    await store.add_deliveries(deliveries)
    yield store
    await store.close()


async def until_backlog(store: Store, holds: Callable[[Backlog], bool]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        while True:
            if holds(await store.backlog()):
                return
            await asyncio.sleep(LOOK_EVERY_SECONDS)


async def emptied(store: Store) -> None:
    await until_backlog(store, lambda backlog: backlog == Backlog(0, 0, None))


async def test_every_delivery_is_made_once(tmp_path: Path) -> None:
    made: Counter[bytes] = Counter()

    async def attempt(each: Delivery) -> AttemptOutcome:
        made[each.id] += 1
        return AttemptOutcome(delivered=True, text="204")

    waiting = [delivery(number, f"r{number % 13}") for number in range(100)]
    async with stored(tmp_path, *waiting) as store, running(store, attempt, Clock()), running(store, attempt, Clock()):
        await emptied(store)
    assert made == {each.id: 1 for each in waiting}


async def test_a_slow_receiver_delays_no_other(tmp_path: Path) -> None:
    slow, done = 0, 0

    async def attempt(each: Delivery) -> AttemptOutcome:
        nonlocal slow, done
        if each.receiver.startswith("slow"):
            slow += 1
            await asyncio.Event().wait()
        done += 1
        return AttemptOutcome(delivered=True, text="204")

    waiting = [delivery(number, f"slow{number % 20}") for number in range(400)]
    waiting += [delivery(1_000 + number, f"fast{number % 10}") for number in range(200)]
    async with stored(tmp_path, *waiting) as store, running(store, attempt, Clock()):
        await until(lambda: done == 200, LIMIT_SECONDS)
    assert slow == 20 * PER_RECEIVER
    assert slow < MAX_CLAIMED


async def test_a_failed_delivery_is_attempted_again_on_its_schedule_until_it_is_given_up(tmp_path: Path) -> None:
    clock, attempts = Clock(), list[int]()

    async def attempt(_each: Delivery) -> AttemptOutcome:
        attempts.append(clock.now - NOW)
        return AttemptOutcome(delivered=False, text="503")

    async with stored(tmp_path, delivery(1)) as store, running(store, attempt, clock, 1_000, 10_000):
        await until(lambda: len(attempts) == 1, LIMIT_SECONDS)
        clock.now += 1_200
        await until(lambda: len(attempts) == 2, LIMIT_SECONDS)
        clock.now += 12_000
        await until_backlog(store, lambda backlog: backlog.given_up == 1)
        (kept,) = await store.deliveries_of("a")
    assert (attempts, kept.attempts, kept.outcome, kept.given_up_at) == ([0, 1_200, 13_200], 3, "503", NOW + 13_200)


async def test_a_final_outcome_ends_the_attempts(tmp_path: Path) -> None:
    async def attempt(_each: Delivery) -> AttemptOutcome:
        return AttemptOutcome(delivered=False, text="410", final=True)

    async with stored(tmp_path, delivery(1)) as store, running(store, attempt, Clock(), 1_000):
        await until_backlog(store, lambda backlog: backlog == Backlog(0, 1, None))
        (kept,) = await store.deliveries_of("a")
    assert (kept.attempts, kept.outcome) == (1, "410")


async def test_a_fault_in_an_attempt_is_a_failed_attempt_and_ends_no_other(tmp_path: Path) -> None:
    clock, seen = Clock(), Counter[bytes]()

    first = delivery(1)

    async def failing(each: Delivery) -> AttemptOutcome:
        seen[each.id] += 1
        if each.id == first.id:
            raise RuntimeError("a fault of this test")
        return AttemptOutcome(delivered=True, text="204")

    async with stored(tmp_path, first, delivery(2)) as store, running(store, failing, clock, 5_000):
        await until_backlog(store, lambda backlog: backlog.waiting == 1)
        clock.now += 6_000
        await until_backlog(store, lambda backlog: backlog.given_up == 1)
        (kept,) = await store.deliveries_of("a")
    assert (kept.attempts, kept.outcome) == (2, "internal_error")
    assert seen == {first.id: 2, delivery(2).id: 1}


async def test_a_kind_of_a_newer_version_is_left_to_its_nodes_with_all_its_attempts(tmp_path: Path) -> None:
    """In a rolling upgrade a node of the previous version claims it again and again."""
    clock = Clock()

    async def attempt(_each: Delivery) -> AttemptOutcome:
        return AttemptOutcome(delivered=True, text="204")

    async with stored(tmp_path, delivery(1, kind="newer"), delivery(2, "b")) as store:
        async with running(store, attempt, clock):
            await until_backlog(store, lambda backlog: backlog.waiting == 1)
            for _ in range(3):
                await until_backlog(store, lambda backlog: (backlog.oldest_due_at or 0) > clock.now)
                clock.now += 2 * TURN_MS
        (kept,) = await store.deliveries_of("a")
    assert kept.attempts == 0


async def test_a_busy_receiver_gets_nothing_else_until_it_may_be_asked_again(tmp_path: Path) -> None:
    clock, made = Clock(), Counter[str]()

    async def attempt(each: Delivery) -> AttemptOutcome:
        made[each.receiver] += 1
        if each.receiver == "a" and made["a"] <= PER_RECEIVER:
            return AttemptOutcome(delivered=False, text="429", retry_after_ms=60_000, slow_down=True)
        return AttemptOutcome(delivered=True, text="204")

    waiting = [delivery(number) for number in range(5)]
    async with stored(tmp_path, *waiting) as store, running(store, attempt, clock, 1_000):
        await until_backlog(store, lambda _: made["a"] == PER_RECEIVER)
        await store.add_deliveries([delivery(100 + number, "b") for number in range(9)])
        await until(lambda: made["b"] == 9, LIMIT_SECONDS)  # so the engine has claimed several times
        assert made["a"] == PER_RECEIVER
        clock.now += 61_000
        await emptied(store)
    assert made["a"] == 5 + PER_RECEIVER


async def test_a_delivery_that_had_no_turn_is_not_counted_and_is_attempted_soon(tmp_path: Path) -> None:
    clock, turns = Clock(), 0

    async def attempt(_each: Delivery) -> AttemptOutcome:
        nonlocal turns
        turns += 1
        if turns <= 20:
            return AttemptOutcome(delivered=False, text="host_busy", attempted=False)
        return AttemptOutcome(delivered=False, text="503")

    async with stored(tmp_path, delivery(1)) as store, running(store, attempt, clock, 1_000):
        async with asyncio.timeout(LIMIT_SECONDS):
            while turns < 21:
                clock.now += 2 * TURN_MS
                await asyncio.sleep(LOOK_EVERY_SECONDS)
        async with asyncio.timeout(LIMIT_SECONDS):
            while not (kept := (await store.deliveries_of("a"))[0]).outcome:  # noqa: ASYNC110 - the store announces none
                await asyncio.sleep(LOOK_EVERY_SECONDS)
    assert (kept.attempts, kept.outcome, kept.given_up_at) == (1, "503", 0)
