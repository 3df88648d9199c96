"""The replay cache and the status blocks of the contract, checked for each implementation."""

import asyncio

from credence.store.contract import Store
from credence.store.records import StatusBlock
from tests.store.records import DAY, NOW

MARK = b"\x00" * 32
BLOCK = StatusBlock("crd_sbx_app_a", "ada", b"\x01" * 22, opened_at=NOW, until=NOW + DAY)


async def test_of_concurrent_uses_of_one_key_exactly_one_succeeds(store: Store) -> None:
    """RFC 7523 §3 (7), threats L1: the store decides, without a read before the write."""
    spent = await asyncio.gather(*(store.consume_once(MARK, NOW + DAY) for _ in range(16)))
    assert sorted(spent) == [False] * 15 + [True]


async def test_different_keys_are_independent(store: Store) -> None:
    assert await store.consume_once(MARK, NOW + DAY)
    assert await store.consume_once(b"\xff" * 32, NOW + DAY)


async def test_a_sweep_deletes_a_key_after_its_expiry(store: Store) -> None:
    await store.consume_once(MARK, NOW + 10)
    assert await store.sweep(NOW + 9) == 0
    assert not await store.consume_once(MARK, NOW + 10)
    assert await store.sweep(NOW + 10) == 1
    assert await store.consume_once(MARK, NOW + DAY)


async def test_the_empty_key_refuses_all_keys_up_to_its_expiry(store: Store) -> None:
    """threats F6: a restored store does not know which keys were used before."""
    assert await store.consume_once(b"", NOW + 10)
    assert not await store.consume_once(MARK, NOW + 10)
    assert await store.consume_once(MARK, NOW + 11)
    assert await store.sweep(NOW + 10) == 1
    assert await store.consume_once(b"\x01" * 32, NOW + 10)


async def test_opened_status_blocks_are_read_back_in_order(store: Store) -> None:
    first, second = await store.open_status_blocks(BLOCK, 2)
    assert await store.status_blocks(first, second) == [(first, BLOCK), (second, BLOCK)]
    assert await store.status_blocks(second, second) == [(second, BLOCK)]


async def test_status_blocks_opened_at_once_get_numbers_of_their_own(store: Store) -> None:
    given = await asyncio.gather(*(store.open_status_blocks(BLOCK, 4) for _ in range(8)))
    assert len({number for numbers in given for number in numbers}) == 32
    assert all(numbers == sorted(numbers) for numbers in given)


async def test_the_number_of_a_deleted_status_block_is_not_reused(store: Store) -> None:
    """A verifier may still hold the list in which it stood."""
    (old,) = await store.open_status_blocks(BLOCK, 1)
    assert await store.sweep(NOW + DAY) == 1
    assert await store.status_blocks(old, old) == []
    (new,) = await store.open_status_blocks(BLOCK, 1)
    assert new > old


async def test_the_numbers_of_status_blocks_are_returned_as_a_range(store: Store) -> None:
    """A number outside the range has no list."""
    assert await store.status_block_numbers() == range(0)
    numbers = await store.open_status_blocks(BLOCK, 3)
    assert await store.status_block_numbers() == range(numbers[0], numbers[2] + 1)
    await store.sweep(NOW + DAY, max_rows=1)
    assert await store.status_block_numbers() == range(numbers[1], numbers[2] + 1)
