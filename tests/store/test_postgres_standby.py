"""A standby that every commit waits for: what is answered outlives the primary, however the wait ends (threats F4)."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from credence.store.change_log import LogGap
from credence.store.contract import StoreUnavailable
from credence.store.postgres.store import PostgresStore
from tests.replication import Pair, replicated
from tests.store.locations import opened_postgres
from tests.store.records import DAY, NOW, family, log_in, parameters


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with replicated() as pair:
        yield pair


@pytest.fixture
async def node(pair: Pair) -> AsyncIterator[PostgresStore]:
    """A node over a database of its own."""
    with psycopg.connect(pair.url, autocommit=True) as connection:
        name = f"credence_{uuid.uuid4().hex}"
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0".encode())
    async with opened_postgres(urlunsplit(urlsplit(pair.url)._replace(path=f"/{name}"))) as node:
        yield node


async def while_its_wait_is_cancelled(pair: Pair, act: Awaitable[object]) -> object:
    """Ask for a commit and cancel its wait, as an administrator does who takes it for a query that hangs."""
    asked = asyncio.ensure_future(act)
    cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    async with await psycopg.AsyncConnection.connect(pair.primary.url, autocommit=True) as administrator:
        while not await (await administrator.execute(cancel)).fetchall():
            assert not asked.done()
            await asyncio.sleep(0.02)
    return await asked


async def until_it_answers(act: Callable[[], Awaitable[object]]) -> object:
    for _ in range(100):
        try:
            return await act()
        except StoreUnavailable:
            await asyncio.sleep(0.1)
    raise AssertionError("the store was not found again")


async def test_a_write_without_a_standby_is_neither_acknowledged_nor_visible(node: PostgresStore, pair: Pair) -> None:
    await log_in(node, family())
    with pair.apart():
        with pytest.raises(StoreUnavailable):
            await node.rotate(family().id, 0, parameters())
        async with node._connections.connection() as connection:
            seen = await (await connection.execute("SELECT generation FROM families")).fetchone()
        assert seen == (0,)
    assert await node.rotate(family().id, 0, parameters()) is None  # it took effect, as a client's retry finds


async def test_a_cancelled_wait_for_the_standby_is_a_failure(node: PostgresStore, pair: Pair) -> None:
    """PostgreSQL answers it as done, with a warning."""
    with pair.apart(), pytest.raises(StoreUnavailable):
        await while_its_wait_is_cancelled(pair, node.revoke_token("a.1", NOW + DAY))


async def test_a_read_of_unreplicated_data_waits_for_the_standby_as_the_write_did(
    node: PostgresStore, pair: Pair
) -> None:
    """D7, threats L2: a lost answer is repeated, and a second revocation confirmed, only when a fail-over would keep it."""
    await log_in(node, family(1))
    await log_in(node, family(2))
    with pair.apart():
        with pytest.raises(StoreUnavailable):
            await while_its_wait_is_cancelled(pair, node.rotate(family(1).id, 0, parameters()))
        with pytest.raises(StoreUnavailable):
            await while_its_wait_is_cancelled(pair, node.end_family(family(2).id, NOW, "revoked"))
        with pytest.raises(StoreUnavailable):
            await node.family(family(1).id)
        with pytest.raises(StoreUnavailable):
            await node.end_family(family(2).id, NOW, "revoked")
    rotated = await node.family(family(1).id)
    assert rotated is not None
    assert rotated.generation == 1
    assert not await node.end_family(family(2).id, NOW, "revoked")


async def test_a_node_that_read_entries_lost_in_a_fail_over_misses_no_later_entry(
    node: PostgresStore, pair: Pair
) -> None:
    """threats §7: the standby gives out the numbers of the log that the primary had given out already.

    Last here: there is no pair after it.
    """
    await node.revoke_token("kept", NOW + DAY)
    with pair.apart():
        with pytest.raises(StoreUnavailable):
            await while_its_wait_is_cancelled(pair, node.revoke_token("lost", NOW + DAY))
        read = await node.changes(0)
        assert [change.subject for change in read] == ["kept", "lost"]
        pair.fail_over()
    await until_it_answers(lambda: node.revoke_token("later", NOW + DAY))
    assert [change.subject for change in await node.changes(0)] == ["kept", "later"]
    with pytest.raises(LogGap):  # so it reads the log from its beginning
        await node.changes(read[-1].sequence)


async def test_a_frozen_primary_is_skipped_for_the_promoted_standby() -> None:
    """Its machine still takes connections and answers none, so the address must lead past it, within a fail-over's 15 s."""
    with replicated() as pair:
        async with opened_postgres(pair.url) as node:
            await log_in(node, family())
            with pair.primary.frozen():
                pair.standby.promote()
                began = asyncio.get_running_loop().time()
                assert await until_it_answers(lambda: node.rotate(family().id, 0, parameters())) is not None
                assert asyncio.get_running_loop().time() - began < 15
