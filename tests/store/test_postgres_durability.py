"""A write to PostgreSQL completes when it is durable, under any setting of the role (threats F2, F4)."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from credence.store.postgres.credit_sets import publish
from credence.store.postgres.migrations import migrate_postgres
from credence.store.postgres.store import open_postgres
from credence.store.postgres.transfer import PostgresLocation

NOTING_LEVEL = """
CREATE TABLE noted (level text);
CREATE FUNCTION note_level() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO noted VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
CREATE TRIGGER note_level AFTER INSERT ON credit_sets FOR EACH STATEMENT EXECUTE FUNCTION note_level()
"""
"""Writes down under which level a publication was written."""


@contextmanager
def told(address: str, level: str) -> Iterator[None]:
    """Set this `synchronous_commit` for the role during the block."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE CURRENT_USER SET synchronous_commit = {level}".encode())
    try:
        yield
    finally:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("ALTER ROLE CURRENT_USER RESET synchronous_commit")


@pytest.mark.parametrize("level", ["off", "local"])
def test_a_write_is_durable_under_any_setting_of_the_role(postgres: str, level: str) -> None:
    """threats F2, F4: `off` would answer before the log of the database is on disk, `local` before a standby has it."""

    async def ask() -> object:
        store = await open_postgres(postgres)
        try:
            return await store._connections.one("SHOW synchronous_commit")
        finally:
            await store.close()

    with told(postgres, level):
        assert asyncio.run(ask()) == ("on",)


@pytest.mark.parametrize("level", ["off", "local"])
def test_a_move_and_a_restore_are_durable_under_any_setting_of_the_role(postgres: str, level: str) -> None:
    """threats F2, F4, F6: otherwise a fail-over could lose the destination while the origin is out of service."""
    with told(postgres, level), PostgresLocation(postgres).exclusive(create=True) as whole:
        assert whole._connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


@pytest.mark.parametrize("level", ["off", "local"])
def test_a_publication_of_credit_data_is_durable_under_any_setting_of_the_role(postgres: str, level: str) -> None:
    """threats F2, F4: a node serves what it has published, so no fail-over may lose that."""
    asyncio.run(migrate_postgres(postgres))
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(NOTING_LEVEL)
        with told(postgres, level):
            asyncio.run(publish(postgres, "register", b"companies", b"{}", b""))
        assert connection.execute("SELECT level FROM noted").fetchall() == [("on",)]
