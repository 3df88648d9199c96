"""The request logs of all nodes in a shared store: found by time, node and request, bounded in age and size."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from credence.store.postgres.store import PostgresStore, open_postgres
from credence.store.shared_requests import PAGE_BLOCKS, RequestBlock, Wanted

NOW = 1_700_000_000_000
ALL = Wanted(0, 2**62, "elsewhere", (), 2**62)


def block(number: int, node: str = "alpha", content: bytes = b"content") -> RequestBlock:
    """Return a block of ten requests of the second with this number."""
    first = NOW + number * 1_000
    return RequestBlock(node, first, first + 999, f"{node}-p", number * 10, number * 10 + 9, 0, b"mark", content)


@pytest.fixture
async def shared(migrated_postgres: str) -> AsyncIterator[PostgresStore]:
    store = await open_postgres(migrated_postgres)
    yield store
    await store.close()


async def lasts(store: PostgresStore, wanted: Wanted = ALL) -> list[tuple[str, int]]:
    return [(each.node, (each.last - NOW) // 1_000) for each in await store.requests.page(wanted)]


async def test_a_search_reads_the_blocks_of_a_period_the_newest_first(shared: PostgresStore) -> None:
    await shared.requests.add([block(number) for number in (1, 3, 2, 4)])
    assert await lasts(shared) == [("alpha", 4), ("alpha", 3), ("alpha", 2), ("alpha", 1)]
    period = ALL._replace(since=NOW + 2_999, newest=NOW + 3_000)
    assert await lasts(shared, period) == [("alpha", 3), ("alpha", 2)]


async def test_a_block_that_is_added_again_adds_nothing(shared: PostgresStore) -> None:
    """The answer to the first may have been lost."""
    for _ in range(2):
        await shared.requests.add([block(1)])
    assert await lasts(shared) == [("alpha", 1)]


async def test_the_blocks_of_the_searching_node_count_only_before_its_own_file(shared: PostgresStore) -> None:
    await shared.requests.add([block(1), block(2), block(1, "beta"), block(2, "beta")])
    found = await lasts(shared, ALL._replace(own="alpha", own_processes=["alpha-p"], own_since=NOW + 2_000))
    assert found == [("beta", 2), ("beta", 1), ("alpha", 1)]


async def test_a_node_finds_the_blocks_of_another_of_its_name(shared: PostgresStore) -> None:
    """A second cluster may use the names of the first, and a host's name is no promise."""
    await shared.requests.add([block(1), msgspec.structs.replace(block(2), process="other-p")])
    found = await lasts(shared, ALL._replace(own="alpha", own_processes=["alpha-p"], own_since=NOW))
    assert found == [("alpha", 2)]


async def test_a_node_and_a_request_are_found_alone(shared: PostgresStore) -> None:
    await shared.requests.add([block(1), block(2), block(1, "beta")])
    assert await lasts(shared, ALL._replace(nodes=("beta", "\ud800"))) == [("beta", 1)]
    assert await lasts(shared, ALL._replace(serial=("alpha-p", 29))) == [("alpha", 2)]
    for process in ("alpha", "", "\0", "\ud800"):
        assert await lasts(shared, ALL._replace(serial=(process, 29))) == []


async def test_the_requests_that_a_block_has_are_known_by_their_numbers(shared: PostgresStore) -> None:
    await shared.requests.add([block(1), block(2)])
    asked = [("alpha-p", 9), ("alpha-p", 10), ("alpha-p", 29), ("alpha-p", 30), ("beta-p", 10), ("\0", 1), ("", -1)]
    assert await shared.requests.having(asked) == {("alpha-p", 10), ("alpha-p", 29)}
    assert await shared.requests.having([]) == set()


async def test_pages_follow_each_other_to_the_oldest(shared: PostgresStore) -> None:
    await shared.requests.add([block(number) for number in range(PAGE_BLOCKS + 1)])
    newest = await shared.requests.page(ALL)
    rest = await shared.requests.page(ALL, (newest[-1].last, newest[-1].number))
    assert (len(newest), [each.last for each in rest]) == (PAGE_BLOCKS, [NOW + 999])


async def test_the_content_of_a_block_is_what_was_added(shared: PostgresStore) -> None:
    await shared.requests.add([block(1, content=bytes(range(256)) * 100)])
    (head,) = await shared.requests.page(ALL)
    assert await shared.requests.contents([head.number, head.number + 1]) == {head.number: bytes(range(256)) * 100}


async def test_what_is_too_old_or_too_much_is_deleted(shared: PostgresStore) -> None:
    """Each block is 1,004 bytes with its mark, so three of them fit into 3,012."""
    await shared.requests.add([block(number, content=bytes(1_000)) for number in range(1, 7)])
    await shared.requests.trim(NOW + 2_000, 10_000)
    assert await lasts(shared) == [("alpha", number) for number in (6, 5, 4, 3, 2)]
    await shared.requests.trim(0, 3_012)
    assert await lasts(shared) == [("alpha", number) for number in (6, 5, 4)]


async def test_after_a_bound_is_lowered_the_oldest_blocks_go_in_steps(shared: PostgresStore) -> None:
    await shared.requests.add([block(number) for number in range(1, 7)])
    for left in (4, 2, 0):
        await shared.requests.trim(NOW + 60_000, 10_000, max_blocks=2)
        assert len(await lasts(shared)) == left
