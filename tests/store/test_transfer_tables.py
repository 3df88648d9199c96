"""What is copied and kept is all there is: a table or column that is added must be named among the parts too."""

from pathlib import Path

import psycopg

from credence.store.sqlite.transfer import SqliteLocation
from credence.store.transfer.out_of_service import RENAMED_TABLES
from credence.store.transfer.tables import TABLES
from tests.store.locations import Somewhere, with_store

KNOWN = {table.name: set(table.columns) for table in TABLES}

NUMBERS_AND_SCRATCH = {"scratch", "log_head", "schema_number"}
"""Read and set in ways of their own, or of no use elsewhere."""

DERIVED = {"credit_sets", "credit_pieces"}
"""Credit data that nodes share: loaded again."""

OF_THE_RUNNING_NODES = {"nodes", "refusals", "request_blocks"}
"""Written by the nodes while they run: who they are, and copies of what is in their trails and request logs."""


async def nothing(_store: object) -> None:
    pass


def test_all_tables_and_columns_of_a_sqlite_store_are_copied(tmp_path: Path) -> None:
    with_store(Somewhere(tmp_path / "s.sqlite"), nothing)
    with SqliteLocation(tmp_path / "s.sqlite").snapshot() as whole:
        ask = whole._connection.execute
        tables = [
            name for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        ]
        found = {table: {row[1] for row in ask(f"PRAGMA table_info({table})")} for table in tables}
    assert {table: found[table] for table in found.keys() - NUMBERS_AND_SCRATCH} == KNOWN


def test_all_tables_and_columns_of_a_postgresql_store_are_copied(postgres: str) -> None:
    with_store(Somewhere(postgres), nothing)
    with psycopg.connect(postgres) as connection:
        rows = connection.execute(
            "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
            "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition "
            "AND attnum > 0 AND NOT attisdropped"
        ).fetchall()
    found: dict[str, set[str]] = {}
    for table, column in rows:
        found.setdefault(table, set()).add(column)
    assert {
        table: found[table] for table in found.keys() - NUMBERS_AND_SCRATCH - DERIVED - OF_THE_RUNNING_NODES
    } == KNOWN


def test_every_copied_table_is_renamed_when_the_store_goes_out_of_service() -> None:
    assert KNOWN.keys() < set(RENAMED_TABLES)
