"""The contract of the store for counted reports: no more than allowed, whoever counts at the same time (RFC 9396)."""

import asyncio

from credence.store.contract import Store
from tests.store.records import DAY, NOW

KEY, OTHER = b"k" * 32, b"o" * 32


async def test_a_use_that_is_too_many_counts_nothing(store: Store) -> None:
    assert not await store.use_reports(KEY, 4, 3, NOW + DAY)
    assert await store.use_reports(KEY, 2, 3, NOW + DAY)
    assert not await store.use_reports(KEY, 2, 3, NOW + DAY)
    assert await store.use_reports(KEY, 1, 3, NOW + DAY)
    assert not await store.use_reports(KEY, 1, 3, NOW + DAY)
    assert await store.use_reports(OTHER, 3, 3, NOW + DAY)


async def test_of_many_uses_at_once_as_many_succeed_as_are_allowed(store: Store) -> None:
    found = await asyncio.gather(*(store.use_reports(KEY, 1, 5, NOW + DAY) for _ in range(20)))
    assert found.count(True) == 5


async def test_a_count_is_deleted_when_it_expires(store: Store) -> None:
    await store.use_reports(KEY, 1, 1, NOW)
    await store.use_reports(OTHER, 1, 1, NOW + 1)
    assert await store.sweep(NOW) == 1
    assert await store.use_reports(KEY, 1, 1, NOW + DAY)
    assert not await store.use_reports(OTHER, 1, 1, NOW + DAY)
