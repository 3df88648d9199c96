"""What `credence migrate --plan` says of a file of the schema is what the database does (threats F5)."""

import asyncio

import psycopg
import pytest

from credence.store.migration_plan import steps
from credence.store.migrations import scripts
from credence.store.postgres.migrations import migrate_postgres

STATEMENTS = {
    "CREATE TABLE newer (id bigint PRIMARY KEY, name text DEFAULT ';')": "",
    "CREATE FUNCTION newest() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN UPDATE spent SET until = 1; RETURN 1; END $$": "",
    "ALTER TABLE tallies ADD COLUMN newer bigint NOT NULL DEFAULT 0": "all use of tallies",
    "CREATE INDEX newer_index ON spent (mark, until)": "writes to spent",
    "CREATE UNIQUE INDEX IF NOT EXISTS newer_index ON spent (mark, until)": "writes to spent",
    "DROP TABLE IF EXISTS scratch": "all use of scratch",
    "INSERT INTO scratch (id, count) SELECT 2, 0 WHERE false": "",
}
"""What stands in a file, and whom it holds up: anybody who reads, or who writes to the table."""

WRITERS_WAIT = {"ShareLock", "ShareRowExclusiveLock", "ExclusiveLock"}
"""PostgreSQL 15, §13.3.1: conflict with the lock of INSERT, UPDATE and DELETE, not with that of SELECT."""


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_is_said_to_be_held_up_is_what_the_database_locks(statement: str, postgres: str) -> None:
    asyncio.run(migrate_postgres(postgres))
    with psycopg.connect(postgres) as connection:
        known = (
            "SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        )
        names: dict[int, str] = dict(connection.execute(known).fetchall())
        connection.execute(statement.encode())
        locks = connection.execute(
            "SELECT relation::bigint, mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = ANY(%s)",
            (list(names),),
        ).fetchall()
        connection.rollback()
    held = {f"all use of {names[table]}" for table, mode in locks if mode == "AccessExclusiveLock"}
    held |= {f"writes to {names[table]}" for table, mode in locks if mode in WRITERS_WAIT}
    (step,) = steps("postgres", statement + ";", is_new=False)
    assert step.holds_up == STATEMENTS[statement]
    assert held == ({step.holds_up} if step.holds_up else set())


def test_what_a_file_makes_itself_holds_nobody_up() -> None:
    script = (
        "CREATE TABLE newer (id bigint);\nCREATE INDEX newer_id ON newer (id);\nALTER TABLE newer ADD COLUMN a text;"
    )
    assert [step.holds_up for step in steps("postgres", script, is_new=False)] == ["", "", ""]


def test_sqlite_holds_up_every_write_until_the_file_is_done() -> None:
    """https://www.sqlite.org/lang_transaction.html: one writer at a time, readers go on."""
    found = steps("sqlite", scripts("sqlite")["sqlite-0003.sql"], is_new=False)
    assert {step.holds_up for step in found} == {"writes"}


def test_nobody_is_held_up_in_a_store_that_is_new() -> None:
    for dialect in ("sqlite", "postgres"):
        for script in scripts(dialect).values():
            assert {step.holds_up for step in steps(dialect, script, is_new=True)} == {""}


def test_a_statement_is_shown_on_one_line_without_comments() -> None:
    (first, second) = steps("sqlite", "-- why; and how\nCREATE TABLE a (\n  b TEXT\n);\nDROP TABLE c;\n", is_new=False)
    assert (first.statement, second.statement) == ("CREATE TABLE a ( b TEXT )", "DROP TABLE c")
