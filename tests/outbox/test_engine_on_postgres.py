"""Two nodes of a PostgreSQL store share an outbox (monitoring.md 7.3)."""

import asyncio
from collections import Counter

import pytest

from credence.outbox import engine as outbox
from credence.outbox.engine import AttemptOutcome
from credence.store.deliveries import Delivery
from credence.store.postgres.store import open_postgres
from tests.outbox.test_engine import Clock, delivery, emptied, running


async def test_two_nodes_make_every_delivery_once_and_one_goes_on_without_the_other(
    migrated_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "CLOSE_SECONDS", 0.1)
    clock, made, begun = Clock(), Counter[bytes](), asyncio.Event()
    first, second = await open_postgres(migrated_postgres), await open_postgres(migrated_postgres)

    async def attempt(each: Delivery) -> AttemptOutcome:
        made[each.id] += 1
        return AttemptOutcome(delivered=True, text="204")

    async def never(_each: Delivery) -> AttemptOutcome:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    waiting = [delivery(number, f"r{number % 13}") for number in range(100)]
    try:
        await first.add_deliveries(waiting)
        async with running(first, attempt, clock), running(second, attempt, clock):
            await emptied(first)
        assert made == {each.id: 1 for each in waiting}
        await first.add_deliveries([delivery(1_000)])
        async with running(first, never, clock):
            await begun.wait()
        clock.now += outbox.LEASE_MS
        async with running(second, attempt, clock):
            await emptied(second)
        assert made[delivery(1_000).id] == 1
    finally:
        await first.close()
        await second.close()
