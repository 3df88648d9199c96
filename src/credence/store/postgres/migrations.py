"""Brings the schema of a PostgreSQL store up to date from the numbered files in `schema/` (threats F5).

One node migrates while the others wait; each file is applied in one transaction. The first line of a file names the oldest
schema number whose programs it still supports: these may keep running, and restart, after the migration.
"""

from psycopg import AsyncConnection
from psycopg.errors import UndefinedTable

from credence.store.contract import StoreUnavailable
from credence.store.migrations import require_served, scripts, serves
from credence.store.postgres.connections import Connection, conninfo, translate_errors
from credence.store.transfer.out_of_service import MARKER_TABLE, OutOfService, require_in_service

_LOCK = "SELECT pg_advisory_xact_lock(7308328431934137199)"
"""The advisory lock of migrations, the same in every version."""

_LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'"
"""A change of a table that waits for its lock blocks all later statements on the table, so it gives up after this time."""

_NUMBER = "SELECT number, oldest FROM schema_number"
_MAKE_NUMBER = """
CREATE TABLE IF NOT EXISTS schema_number (
    id integer PRIMARY KEY CHECK (id = 1), number bigint NOT NULL, oldest bigint NOT NULL
);
INSERT INTO schema_number (id, number, oldest) VALUES (1, 0, 0) ON CONFLICT DO NOTHING;
"""


async def _connect(address: str) -> Connection:
    """Connect without statements prepared by name (`connections.py`)."""
    return await AsyncConnection.connect(conninfo(address), autocommit=True, prepare_threshold=None)


async def migrate_postgres(address: str) -> int:
    """Apply the missing files and return the schema number; StoreUnavailable if this fails."""
    async with translate_errors(), await _connect(address) as connection:
        return await migrate(connection, scripts("postgres"))


async def schema_number(address: str) -> int:
    """Return the schema number, 0 for a database without a store; StoreUnavailable if the database does not answer."""
    async with translate_errors(), await _connect(address) as connection:
        return (await _numbers(connection))[0]


async def migrate(connection: Connection, files: dict[str, str]) -> int:
    """Apply the missing ones of these files, given by name in order, and return the new schema number.

    Raises SchemaTooNew if the schema no longer supports this program, StoreOutOfService if the store was moved.
    """
    require_in_service(await _out_of_service(connection))
    for number, script in enumerate(files.values(), start=1):
        if (await _numbers(connection))[0] < number:
            await _apply(connection, number, script)
    number, oldest = await _numbers(connection)
    require_served(number, oldest, len(files))
    return number


async def _apply(connection: Connection, number: int, script: str) -> None:
    oldest = serves(script)
    async with connection.transaction():
        await connection.execute(_LOCK)
        await connection.execute(_LOCK_TIMEOUT)
        await connection.execute(_MAKE_NUMBER)
        if (await _numbers(connection))[0] >= number:
            return  # another node applied it meanwhile
        encoding = await (await connection.execute("SHOW server_encoding")).fetchone()
        if encoding != ("UTF8",):
            raise StoreUnavailable("the database must have the encoding UTF8")
        await connection.execute(script.encode())
        await connection.execute("UPDATE schema_number SET number = %s, oldest = %s", (number, oldest))


async def _out_of_service(connection: Connection) -> OutOfService | None:
    """Return why the store is out of service, or None."""
    if await (await connection.execute("SELECT to_regclass(%s)", (MARKER_TABLE,))).fetchone() == (None,):
        return None
    row = await (await connection.execute(f"SELECT * FROM {MARKER_TABLE}")).fetchone()  # noqa: S608 - a constant
    return OutOfService(*row) if row else None


async def _numbers(connection: Connection) -> tuple[int, int]:
    try:
        row = await (await connection.execute(_NUMBER)).fetchone()
    except UndefinedTable:
        return 0, 0
    return (row[0], row[1]) if row else (0, 0)
