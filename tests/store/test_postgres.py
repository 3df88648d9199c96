"""Faults that only a networked database has: concurrent nodes, a database that is unreachable, slow, full or read-only."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import psycopg
import pytest

from credence.store.contract import Conflict, StoreUnavailable
from credence.store.portfolios import Portfolio, WatchedCompany
from credence.store.postgres.connections import DEADLINE_SECONDS, MAX_CONNECTIONS
from credence.store.postgres.store import PostgresStore, open_postgres
from credence.store.tallies import Tally, TallyIncrement
from tests.postgres import PASSWORD, postgres_server
from tests.store.locations import opened_postgres
from tests.store.records import DAY, NOW, account, family, log_in, parameters, signing_key
from tests.waiting import until_queries_wait


@pytest.fixture
async def here(postgres: str) -> AsyncIterator[PostgresStore]:
    """One of two nodes over one database."""
    async with opened_postgres(postgres) as node:
        yield node


@pytest.fixture
async def there(postgres: str) -> AsyncIterator[PostgresStore]:
    """The other one."""
    async with opened_postgres(postgres) as node:
        yield node


async def seconds_of_refusal(act: Awaitable[object]) -> float:
    """How long a question took that was answered by StoreUnavailable."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(StoreUnavailable):
        await act
    return loop.time() - began


async def within(seconds: float, holds: Callable[[], Awaitable[bool]]) -> bool:
    deadline = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < deadline:
        if await holds():
            return True
        await asyncio.sleep(0.05)
    return False


async def test_families_for_people_to_see_are_read_without_a_lock(here: PostgresStore, postgres: str) -> None:
    """A lock is a write to the row: its transaction is the row's xmax afterwards (PostgreSQL, "System Columns")."""
    await log_in(here, family())
    with psycopg.connect(postgres) as reading:

        def lockers() -> list[tuple[str]]:
            return reading.execute("SELECT xmax::text FROM families").fetchall()

        assert await here.families_of([family().id]) == [family()]
        assert lockers() == [("0",)]
        await here.family(family().id)
        assert lockers() != [("0",)]


async def test_of_concurrent_rotations_over_two_nodes_exactly_one_succeeds(
    here: PostgresStore, there: PostgresStore
) -> None:
    """D7, threats L1, I1."""
    await log_in(here, family())
    both = [store.rotate(family().id, 0, parameters()) for _ in range(32) for store in (here, there)]
    assert sum(rotated is not None for rotated in await asyncio.gather(*both)) == 1
    kept = await there.family(family().id)
    assert kept is not None
    assert kept.generation == 1


async def test_two_nodes_that_rotate_the_same_families_do_not_wait_for_each_other_crosswise(
    here: PostgresStore, there: PostgresStore
) -> None:
    """A deadlock would cost a second and an error: every node locks rows in the order of their ids."""
    numbers = range(100)
    for number in numbers:
        await log_in(here, family(number))
    for generation in range(10):
        rotations = [here.rotate(family(number).id, generation, parameters()) for number in numbers]
        rotations += [there.rotate(family(number).id, generation, parameters()) for number in reversed(numbers)]
        rotated = await asyncio.gather(*rotations)
        assert sum(each is not None for each in rotated) == len(numbers)


async def test_a_login_waits_for_a_concurrent_change_of_its_account(here: PostgresStore, postgres: str) -> None:
    """threats L3: the change is not yet committed when the login is written; the login does not take effect after it."""
    await here.save_account(account(), NOW)
    with psycopg.connect(postgres) as changing:
        changing.execute(
            "UPDATE accounts SET version = version + 1, document = convert_to("
            "replace(convert_from(document, 'UTF8'), '\"active\"', '\"suspended\"'), 'UTF8')"
        )
        login = asyncio.create_task(here.open_family(family(), account()))
        await until_queries_wait(changing, 1)
        assert not login.done()
        changing.commit()
    with pytest.raises(Conflict):
        await login
    assert await here.family(family().id) is None


async def test_an_entry_whose_commit_comes_late_is_not_passed_over(
    here: PostgresStore, there: PostgresStore, postgres: str
) -> None:
    """threats §7: while one transaction has a number and no commit, no other can get a higher one."""
    with psycopg.connect(postgres) as late:
        late.execute("SELECT log_change('token', 'late', %s)", (NOW + DAY,))
        later = asyncio.create_task(there.revoke_token("later", NOW + DAY))
        await until_queries_wait(late, 1)
        seen = await here.changes(0)
        assert seen == []
        assert not later.done()
        late.commit()
    await later
    assert [change.subject for change in await here.changes(0)] == ["late", "later"]


async def test_a_reader_who_follows_many_writers_misses_nothing(here: PostgresStore, there: PostgresStore) -> None:
    """threats §7, order trap."""
    seen: list[str] = []
    last = 0

    async def write(store: PostgresStore, name: str) -> None:
        for number in range(50):
            await store.revoke_token(f"{name}.{number}", NOW + DAY)

    writing = asyncio.gather(*(write(store, f"{n}{id(store)}") for n in range(4) for store in (here, there)))
    while not writing.done():
        for change in await here.changes(last):
            seen.append(change.subject)
            last = change.sequence
    await writing
    seen += [change.subject for change in await here.changes(last)]
    assert seen == [change.subject for change in await here.changes(0)]
    assert len(set(seen)) == 8 * 50


async def test_a_revocation_is_announced_to_other_nodes_within_a_second(
    here: PostgresStore, there: PostgresStore
) -> None:
    await asyncio.sleep(1.2)  # after the first read of both
    before = there.change_marker()

    async def announced() -> bool:
        return there.change_marker() != before

    await here.revoke_token("a.1", NOW + DAY)
    assert await within(1, announced)


async def test_failures_on_two_nodes_are_counted_together(here: PostgresStore, there: PostgresStore) -> None:
    """threats A4: an attacker gains nothing by using another node."""
    increments = [TallyIncrement(bytes([number]) * 16, step=10, max_ahead=10_000) for number in range(4)]

    orders = (increments, increments[::-1]) * 5
    await asyncio.gather(*(store.count_failure(order, NOW) for order in orders for store in (here, there)))
    assert await here.tallies([increment.key for increment in increments]) == [Tally(NOW + 200)] * 4


async def test_of_two_nodes_that_add_a_company_to_a_portfolio_one_gets_conflict(
    here: PostgresStore, there: PostgresStore
) -> None:
    """threats E10."""
    await here.save_portfolio(Portfolio("p1", "crd_sbx_app_a", "Customers", NOW))
    assert await there.count_watched("p1") == 0
    for number in range(1, 6):
        company = f"{number:08}"
        notes = ((here, "one"), (there, "two"))
        wishes = [
            store.exchange_watched("p1", company, None, WatchedCompany(company, note=note), 9) for store, note in notes
        ]
        assert [type(each) for each in await asyncio.gather(*wishes, return_exceptions=True) if each] == [Conflict]


async def test_two_concurrent_sweeps_delete_each_row_once(here: PostgresStore, there: PostgresStore) -> None:
    await asyncio.gather(*(here.consume_once(bytes([number]), NOW) for number in range(200)))
    freed = await asyncio.gather(*(store.sweep(NOW, 60) for store in (here, there)))
    while more := await here.sweep(NOW, 60):
        freed.append(more)
    assert sum(freed) == 200


async def test_of_two_nodes_that_find_a_key_due_one_adds_it(here: PostgresStore, there: PostgresStore) -> None:
    """threats K4."""
    both = [
        store.add_signing_key(signing_key(f"k{number}"), b"sealed", None, NOW)
        for number, store in enumerate((here, there) * 4)
    ]
    await asyncio.gather(*both)
    assert len(await here.signing_keys()) == 1


async def test_no_statement_is_prepared_by_name(here: PostgresStore) -> None:
    """A pooler in transaction mode hands the next statement to another connection, where that name means nothing."""
    await log_in(here, family())
    for generation in range(20):
        assert await here.rotate(family().id, generation, parameters()) is not None
    assert await here._connections.rows("SELECT name FROM pg_prepared_statements") == []


async def test_a_read_only_database_is_reported_and_disconnected(here: PostgresStore) -> None:
    """threats F3: as a server does that has become a standby. It recovers without a restart."""
    await log_in(here, family())
    async with here._connections.connection() as connection:
        await connection.execute("SET default_transaction_read_only = on")
    with pytest.raises(StoreUnavailable):
        await here.rotate(family().id, 0, parameters())
    assert await here.rotate(family().id, 0, parameters()) is not None


async def test_the_wait_for_a_locked_row_ends_at_the_deadline(
    here: PostgresStore, there: PostgresStore, postgres: str
) -> None:
    """threats F3: two seconds."""
    await log_in(here, family())
    with psycopg.connect(postgres) as holder:
        holder.execute("SELECT 1 FROM families FOR UPDATE")
        waited = await asyncio.gather(
            seconds_of_refusal(here.end_family(family().id, NOW, "revoked")),
            seconds_of_refusal(there.rotate(family().id, 0, parameters())),
        )
    assert max(waited) < DEADLINE_SECONDS + 1
    kept = await here.family(family().id)
    assert kept == family()


async def test_two_nodes_that_seal_the_same_secrets_again_in_another_order_do_not_wait_for_each_other(
    here: PostgresStore, there: PostgresStore, postgres: str
) -> None:
    """D13: they lock the rows in the order of the names, so that the first to wait has sealed them and the other nothing."""
    for name in ("a", "b"):
        await here.sealed_secret(name, b"old")

    async def sealed(node: PostgresStore, names: str, new: bytes) -> str:
        try:
            await node.reseal(dict.fromkeys(names, (b"old", new)), NOW)
        except (Conflict, StoreUnavailable) as error:
            return type(error).__name__
        return "done"

    with psycopg.connect(postgres) as holder, psycopg.connect(postgres, autocommit=True) as watching:
        holder.execute("SELECT 1 FROM sealed_secrets WHERE name = 'b' FOR UPDATE")
        first = asyncio.create_task(sealed(there, "ba", b"2"))
        await until_queries_wait(watching, 1)
        second = asyncio.create_task(sealed(here, "ab", b"1"))
        await until_queries_wait(watching, 2)
        holder.rollback()
    assert (await first, await second) == ("done", "Conflict")
    secrets = await here.sealed_secrets()
    assert (secrets["a"], secrets["b"]) == (b"2", b"2")


async def test_an_operator_finds_the_connections_by_their_name(here: PostgresStore, postgres: str) -> None:
    await here.families_of([family().id])
    with psycopg.connect(postgres) as looking:
        found = looking.execute(
            "SELECT application_name FROM pg_stat_activity WHERE query LIKE '%families%'"
        ).fetchall()
    assert ("credence",) in found


async def test_the_wait_for_a_frozen_server_ends_at_the_deadline() -> None:
    """threats F3: it takes octets and answers none; when it goes on, so does the store."""
    with postgres_server() as server:
        store = await open_postgres(server.url)
        await log_in(store, family())
        with server.frozen():
            many = [seconds_of_refusal(store.family(family().id)) for _ in range(2 * MAX_CONNECTIONS)]
            waited = await asyncio.gather(*many, seconds_of_refusal(store.rotate(family().id, 0, parameters())))
        assert max(waited) < 2 * DEADLINE_SECONDS + 1

        async def answers() -> bool:
            try:
                return await store.family(family().id) is not None
            except StoreUnavailable:
                return False

        assert await within(10, answers)
        await store.close()


async def test_a_killed_and_restarted_server_has_every_acknowledged_write() -> None:
    """threats F2, F3: and the store finds it again by itself, announcements included."""
    with postgres_server() as server:
        here, there = await open_postgres(server.url), await open_postgres(server.url)
        await log_in(here, family())
        assert await here.rotate(family().id, 0, parameters()) is not None
        server.stop("immediate")
        assert await seconds_of_refusal(here.check_writable()) < DEADLINE_SECONDS + 1
        server.start()

        async def writes() -> bool:
            try:
                await here.revoke_token("a.1", NOW + DAY)
            except StoreUnavailable:
                return False
            return True

        assert await within(10, writes)
        kept = await here.family(family().id)
        assert kept is not None
        assert kept.generation == 1
        before = there.change_marker()

        async def announced() -> bool:
            return there.change_marker() != before

        await asyncio.sleep(3)
        before = there.change_marker()
        await here.revoke_token("b.1", NOW + DAY)
        assert await within(1, announced)
        await here.close()
        await there.close()


def test_a_server_without_free_connections_is_reported(postgres: str) -> None:
    """threats F3, connection storm. The message contains the address without the password."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE ROLE few LOGIN PASSWORD 'canary-of-few' CONNECTION LIMIT 0")
    try:
        few = postgres.replace(f"credence:{PASSWORD}", "few:canary-of-few")
        with pytest.raises(StoreUnavailable) as told:
            asyncio.run(open_postgres(few))
        assert "too many connections" in str(told.value)
        assert "canary" not in str(told.value)
    finally:
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute("DROP ROLE few")
