"""`credence migrate --plan` prints what each schema file locks. Each file has that comment, and it is true (threats F5)."""

import asyncio

import psycopg
import pytest
from psycopg import AsyncConnection

from credence.store.migrations import locks, scripts
from credence.store.postgres.connections import conninfo
from credence.store.postgres.migrations import migrate

EXAMPLES = {
    "CREATE TABLE newer (id bigint PRIMARY KEY, name text DEFAULT ';')": "none",
    "ALTER TABLE tallies ADD COLUMN newer bigint NOT NULL DEFAULT 0": "all use of tallies",
    "CREATE INDEX newer_index ON spent (mark, until)": "writes to spent",
    "DROP TABLE IF EXISTS scratch": "all use of scratch",
}
"""Statements and what PostgreSQL documents that they lock (PostgreSQL 15, §13.3.1)."""

WRITERS_WAIT = {"ShareLock", "ShareRowExclusiveLock", "ExclusiveLock"}
"""These modes conflict with the lock of INSERT, UPDATE and DELETE, not with that of SELECT."""

TABLES = "SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
LOCKS = "SELECT relation::bigint, mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = ANY(%s)"


def locked_by(url: str, script: str) -> str:
    """What a script locks in the tables that exist before it runs, in the words of the comment."""
    with psycopg.connect(url) as connection:
        names: dict[int, str] = dict(connection.execute(TABLES).fetchall())
        connection.execute(script.encode())
        found = connection.execute(LOCKS, (list(names),)).fetchall()
        connection.rollback()
    blocked = {f"all use of {names[table]}" for table, mode in found if mode == "AccessExclusiveLock"}
    blocked |= {f"writes to {names[table]}" for table, mode in found if mode in WRITERS_WAIT}
    return ", ".join(sorted(blocked)) or "none"


async def apply(url: str, files: dict[str, str]) -> None:
    async with await AsyncConnection.connect(conninfo(url), autocommit=True) as connection:
        await migrate(connection, files)


@pytest.mark.parametrize("statement", EXAMPLES)
def test_the_locks_of_a_statement_are_measured(statement: str, postgres: str) -> None:
    asyncio.run(apply(postgres, scripts("postgres")))
    assert locked_by(postgres, statement) == EXAMPLES[statement]


def test_each_postgresql_file_locks_what_its_comment_states(postgres: str) -> None:
    files = scripts("postgres")
    for number, (name, script) in enumerate(files.items()):
        asyncio.run(apply(postgres, dict(list(files.items())[:number])))
        assert (name, locked_by(postgres, script)) == (name, locks(script))


def test_each_sqlite_file_locks_all_writes() -> None:
    """https://www.sqlite.org/lang_transaction.html: one writer at a time, readers continue."""
    assert {locks(script) for script in scripts("sqlite").values()} == {"all writes"}
