"""The schema of a PostgreSQL store: one node migrates it, and the previous version keeps serving (threats F5)."""

import asyncio

import psycopg
import pytest
from psycopg import AsyncConnection

from credence.store.contract import Store, StoreUnavailable
from credence.store.migrations import SchemaTooNew, scripts
from credence.store.postgres.connections import conninfo
from credence.store.postgres.migrations import migrate, migrate_postgres, schema_number
from credence.store.postgres.store import open_postgres
from credence.store.records import AccessTokenParameters
from tests.store.records import NOW, family, log_in, parameters
from tests.waiting import until

FILES = scripts("postgres")
NEXT = len(FILES) + 1


def a_file(oldest: int, *statements: str) -> str:
    return "\n".join((f"-- Serves programs of schema {oldest} and later.", *statements))


async def apply(url: str, files: dict[str, str]) -> int:
    async with await AsyncConnection.connect(conninfo(url), autocommit=True) as connection:
        return await migrate(connection, files)


def tables(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    return {name for (name,) in rows}


async def test_of_many_nodes_that_start_at_once_one_migrates_and_all_serve(postgres: str) -> None:
    assert await asyncio.gather(*(migrate_postgres(postgres) for _ in range(8))) == [len(FILES)] * 8
    with psycopg.connect(postgres) as connection:
        assert connection.execute("SELECT last FROM log_head").fetchall() == [(0,)]  # its only row was added once


def test_a_database_without_a_store_has_number_0_and_is_not_changed(postgres: str) -> None:
    assert asyncio.run(schema_number(postgres)) == 0
    assert tables(postgres) == set()


def test_a_file_that_fails_leaves_nothing_behind(postgres: str) -> None:
    broken = FILES | {"next": a_file(1, "CREATE TABLE half (id integer);", "SELECT nonsense;")}
    asyncio.run(migrate_postgres(postgres))
    with pytest.raises(psycopg.Error):
        asyncio.run(apply(postgres, broken))
    assert asyncio.run(schema_number(postgres)) == len(FILES)
    assert "half" not in tables(postgres)


async def test_a_running_node_keeps_serving_while_the_next_version_expands_the_schema_and_can_restart(
    postgres: str,
) -> None:
    """threats F5, expand: this version plays the previous one, an added file the next one.

    A family opened before is rotated during and after by the old version, and the new one's own column has a value.
    """
    expanded = FILES | {"next": a_file(1, "ALTER TABLE families ADD COLUMN of_the_next text NOT NULL DEFAULT 'none';")}

    running = await open_postgres(postgres)
    await log_in(running, family(1))
    generations: list[int] = []
    rotating = asyncio.create_task(rotate_until_told(running, generations))
    await until(lambda: len(generations) > 3, 10)
    assert await apply(postgres, expanded) == NEXT
    before = len(generations)
    await until(lambda: len(generations) > before + 3, 10)
    rotating.cancel()
    with pytest.raises(asyncio.CancelledError):
        await rotating
    await log_in(running, family(2))
    await running.close()
    restarted = await open_postgres(postgres)
    assert await restarted.rotate(family(2).id, 0, parameters()) is not None
    await restarted.close()
    with psycopg.connect(postgres) as connection:
        assert connection.execute("SELECT DISTINCT of_the_next FROM families").fetchall() == [("none",)]


async def rotate_until_told(store: Store, generations: list[int]) -> None:
    """Rotate again and again, and note each generation that was left."""
    while True:
        parameters = AccessTokenParameters(NOW + 1, 3_600, "k2", confirmation="jkt:k2")
        assert await store.rotate(family(1).id, len(generations), parameters) is not None
        generations.append(len(generations))


def test_a_schema_that_no_longer_supports_this_program_is_not_changed(postgres: str) -> None:
    """threats F5, contract: what the version before still needs goes only in the release after."""
    contracted = FILES | {"next": a_file(NEXT, "DROP TABLE scratch;")}
    asyncio.run(apply(postgres, contracted))
    with pytest.raises(SchemaTooNew, match=str(NEXT)):
        asyncio.run(open_postgres(postgres))


def test_a_change_of_a_table_in_use_gives_up_instead_of_blocking_other_statements(postgres: str) -> None:
    """Who waits for a table's lock is waited for by all who come after; so for two seconds at most."""
    asyncio.run(migrate_postgres(postgres))
    expanded = FILES | {"next": a_file(1, "ALTER TABLE families ADD COLUMN of_the_next text;")}
    with psycopg.connect(postgres) as busy:
        busy.execute("SELECT count(*) FROM families")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            asyncio.run(apply(postgres, expanded))
    assert asyncio.run(apply(postgres, expanded)) == NEXT


def test_every_migration_states_the_oldest_schema_it_supports() -> None:
    for number, (name, script) in enumerate(FILES.items(), start=1):
        assert name == f"postgres-{number:04}.sql"
        said = int(script.split("\n")[0].removeprefix("-- Serves programs of schema ").removesuffix(" and later."))
        assert 1 <= said <= number


def test_a_database_that_is_not_in_utf_8_is_refused(postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        name = f"{connection.info.dbname}_latin"
        connection.execute(f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0".encode())
    try:
        with pytest.raises(StoreUnavailable, match="UTF8"):
            asyncio.run(migrate_postgres(f"{postgres}_latin"))
    finally:
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
