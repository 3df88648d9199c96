"""Brings the schema of a PostgreSQL store up to date from the numbered files in `schema/` (threats F5).

One node migrates while the others wait for it; each file is applied in a transaction of its own, whole or not at all. The
first line of a file names the oldest schema whose programs it still serves: they may go on, and start anew, beside it.
"""

import re

from psycopg import AsyncConnection
from psycopg.errors import UndefinedTable

from credence.store.contract import StoreUnavailable
from credence.store.migrations import SchemaTooNew, scripts
from credence.store.postgres.connections import Connection, conninfo, failures_told
from credence.store.transfer.out_of_service import TABLE, OutOfService, require_in_service

_LOCK = "SELECT pg_advisory_xact_lock(7308328431934137199)"
"""The number stands for Credence; it is the same in every version."""

_PATIENCE = "SET LOCAL lock_timeout = '2s'"
"""A change of a table that is in use must not hold up those who use it for longer."""

_NUMBER = "SELECT number, oldest FROM schema_number"
_MAKE_NUMBER = """
CREATE TABLE IF NOT EXISTS schema_number (
    id integer PRIMARY KEY CHECK (id = 1), number bigint NOT NULL, oldest bigint NOT NULL
);
INSERT INTO schema_number (id, number, oldest) VALUES (1, 0, 0) ON CONFLICT DO NOTHING;
"""
_serves = re.compile(r"-- Serves programs of schema ([0-9]+) and later\.\n").match


async def migrate_postgres(address: str) -> int:
    """Apply what is missing and return the schema number; StoreUnavailable when that cannot be done."""
    async with failures_told(), await AsyncConnection.connect(conninfo(address), autocommit=True) as connection:
        return await migrate(connection, scripts("postgres"))


async def schema_number(address: str) -> int:
    """Return the schema's number, 0 when there is none; StoreUnavailable when the database cannot be asked."""
    async with failures_told(), await AsyncConnection.connect(conninfo(address), autocommit=True) as connection:
        return (await _numbers(connection))[0]


async def migrate(connection: Connection, files: dict[str, str]) -> int:
    """Apply those of the files that are missing, given by name in order, and return the number the schema then has.

    SchemaTooNew when it has a higher one and no longer serves programs of this, StorePutAside when the store was copied
    elsewhere.
    """
    require_in_service(await _aside(connection))
    for number, script in enumerate(files.values(), start=1):
        if (await _numbers(connection))[0] < number:
            await _apply(connection, number, script)
    number, oldest = await _numbers(connection)
    if oldest > len(files):
        raise SchemaTooNew(
            f"The store has schema {number}, which serves programs of {oldest}; this one is {len(files)}."
        )
    return number


async def _apply(connection: Connection, number: int, script: str) -> None:
    oldest = _serves(script)
    if oldest is None:
        raise ValueError("a file of the schema must say which programs it serves")
    async with connection.transaction():
        await connection.execute(_LOCK)
        await connection.execute(_PATIENCE)
        await connection.execute(_MAKE_NUMBER)
        if (await _numbers(connection))[0] >= number:
            return  # somebody else did it while this one waited
        encoding = await (await connection.execute("SHOW server_encoding")).fetchone()
        if encoding != ("UTF8",):
            raise StoreUnavailable("the database must have the encoding UTF8")
        await connection.execute(script.encode())
        await connection.execute("UPDATE schema_number SET number = %s, oldest = %s", (number, int(oldest[1])))


async def _aside(connection: Connection) -> OutOfService | None:
    """Return why the store serves nobody, None when it may serve."""
    if await (await connection.execute("SELECT to_regclass(%s)", (TABLE,))).fetchone() == (None,):
        return None
    row = await (await connection.execute(f"SELECT * FROM {TABLE}")).fetchone()  # noqa: S608 - a constant
    return OutOfService(*row) if row else None


async def _numbers(connection: Connection) -> tuple[int, int]:
    try:
        row = await (await connection.execute(_NUMBER)).fetchone()
    except UndefinedTable:
        return 0, 0
    return (row[0], row[1]) if row else (0, 0)
