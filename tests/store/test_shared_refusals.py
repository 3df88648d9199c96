"""The refusals of all nodes in a shared store: found by request, bounded in number, deleted with their age."""

from collections.abc import AsyncIterator

import pytest

from credence.store.postgres.store import PostgresStore, open_postgres
from credence.store.shared_refusals import PAGE_ROWS, SharedRefusal

NOW = 1_700_000_000_000


def refusal(number: int, node: str = "alpha", at: int = NOW) -> SharedRefusal:
    return SharedRefusal(f"ab-{number}", node, at, b'{"event":"refused","reason":"path.unknown"}\n')


@pytest.fixture
async def shared(migrated_postgres: str) -> AsyncIterator[PostgresStore]:
    store = await open_postgres(migrated_postgres)
    yield store
    await store.close()


async def test_a_refusal_is_found_by_its_request_and_by_nothing_else(shared: PostgresStore) -> None:
    await shared.refusals.add([refusal(1), refusal(2, "beta")])
    assert await shared.refusals.of_request("ab-2") == refusal(2, "beta")
    for request_id in ("ab-", "ab-3", "AB-2", "", "ab-2\0", "\ud800"):
        assert await shared.refusals.of_request(request_id) is None


async def test_a_batch_that_is_repeated_adds_nothing(shared: PostgresStore) -> None:
    """The answer to the first may have been lost."""
    for _ in range(2):
        await shared.refusals.add([refusal(1), refusal(2)])
    found, following = await shared.refusals.page()
    assert ([each.request_id for each in found], following) == (["ab-2", "ab-1"], None)


async def test_only_the_newest_are_kept(shared: PostgresStore) -> None:
    for first in range(0, 40, 10):
        await shared.refusals.add([refusal(number) for number in range(first, first + 10)], max_rows=15)
    found, _ = await shared.refusals.page()
    assert [each.request_id for each in found] == [f"ab-{number}" for number in range(39, 24, -1)]


async def test_pages_follow_each_other_to_the_oldest(shared: PostgresStore) -> None:
    for first in range(0, PAGE_ROWS, 500):
        await shared.refusals.add([refusal(number) for number in range(first, first + 500)])
    await shared.refusals.add([refusal(PAGE_ROWS)])
    newest, following = await shared.refusals.page()
    assert (newest[0].request_id, len(newest)) == (f"ab-{PAGE_ROWS}", PAGE_ROWS)
    oldest, end = await shared.refusals.page(following)
    assert ([each.request_id for each in oldest], end) == (["ab-0"], None)


async def test_the_sweep_deletes_what_is_too_old(shared: PostgresStore) -> None:
    await shared.refusals.add([refusal(1, at=NOW), refusal(2, at=NOW + 1)])
    await shared.sweep(NOW)
    assert await shared.refusals.of_request("ab-1") is None
    assert await shared.refusals.of_request("ab-2") is not None
