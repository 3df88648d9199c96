"""A disk that is full beneath PostgreSQL: refused, never half done, and well again when there is room (threats F2)."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from credence.store.contract import StoreUnavailable
from credence.store.postgres.store import PostgresStore
from credence.store.records import Change
from tests.postgres import PostgresServer, open_folder, postgres_server
from tests.store.locations import opened_postgres
from tests.store.records import DAY, NOW, account, family

MOST = 5_000
"""Writes after which a disk that takes still more is not full."""


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A filesystem in memory; the test is skipped with a message if it cannot be mounted."""
    with open_folder() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", str(folder)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("may not mount a filesystem: run as root")
        try:
            shutil.chown(folder, "postgres")
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Leave no octet free."""
    filler = disk / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(disk).free))
    assert shutil.disk_usage(disk).free == 0
    yield
    filler.unlink()


async def log_in_until_refused(store: PostgresStore) -> list[int]:
    """Return the numbers of the logins that were acknowledged before one was refused."""
    for number in range(1, MOST):
        try:
            await store.open_family(family(number), account())
        except StoreUnavailable:
            return list(range(1, number))
    raise AssertionError("the disk was not full")


async def lost(store: PostgresStore, acknowledged: list[int]) -> list[int]:
    return [number for number in acknowledged if await store.family(family(number).id) != family(number)]


async def test_full_tables_refuse_new_rows_until_there_is_room(small_disk: Path) -> None:
    with postgres_server() as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'".encode())
            connection.execute("CREATE DATABASE small TEMPLATE template0 TABLESPACE small")
        async with opened_postgres(urlunsplit(urlsplit(server.url)._replace(path="/small"))) as store:
            await store.save_account(account(), NOW)
            with filled(small_disk):
                acknowledged = await log_in_until_refused(store)
                refused = len(acknowledged) + 1
                assert await lost(store, acknowledged) == []
                assert await store.family(family(refused).id) is None
            await store.open_family(family(refused), account())
            assert await lost(store, [*acknowledged, refused]) == []


async def test_a_server_that_ends_because_its_log_cannot_grow_has_lost_nothing_when_it_is_back(
    small_disk: Path,
) -> None:
    """PostgreSQL ends itself rather than acknowledge what it cannot keep."""
    server = PostgresServer(small_disk / "server")
    server.start()
    try:
        async with opened_postgres(server.url) as store:
            acknowledged = ["token"]
            await store.revoke_token("token", NOW + DAY)
            with filled(small_disk):
                async with await psycopg.AsyncConnection.connect(server.url, autocommit=True) as another:
                    while await log_grew(another):
                        await store.revoke_token(f"token {len(acknowledged)}", NOW + DAY)
                        acknowledged.append(f"token {len(acknowledged)}")
                with pytest.raises(StoreUnavailable):
                    await store.revoke_token("unacknowledged", NOW + DAY)
            assert "PANIC" in (small_disk / "server" / "log").read_text()
            server.stop("immediate")
            server.start()
            kept = [change.subject for change in await answered(store)]
            assert kept == acknowledged
    finally:
        server.stop("immediate")


async def log_grew(connection: psycopg.AsyncConnection) -> bool:
    """Write a million bytes to the server's log; return whether the server survived."""
    try:
        await connection.execute("SELECT pg_logical_emit_message(true, 'filler', repeat('x', 1000000))")
    except psycopg.OperationalError:
        return False
    return True


async def answered(store: PostgresStore) -> list[Change]:
    """Return the log; the connections of before the end each fail once."""
    for _ in range(20):
        with suppress(StoreUnavailable):
            return await store.changes(0)
        await asyncio.sleep(0.2)
    raise AssertionError("the store was not found again")
