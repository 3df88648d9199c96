"""Connections to PostgreSQL. Every query has a deadline (threats F3).

libpq parses the address, so several hosts, certificates and `target_session_attrs` have their usual meaning. Statements are
never prepared by name: a pooler in transaction mode may run the next statement on another connection.
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, LiteralString

from psycopg import AsyncConnection, Error, IntegrityError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import Diagnostic, ReadOnlySqlTransaction, UndefinedTable
from psycopg_pool import AsyncConnectionPool

from credence.errors import InvalidInput
from credence.store.contract import Conflict, PoolUse, StoreUnavailable
from credence.store.transfer.out_of_service import NO_TABLE
from credence.telemetry.histogram import Histogram

DEADLINE_SECONDS = 2.0
"""The deadline of one query, including the wait for a connection (threats §3)."""

MAX_CONNECTIONS = 8
"""Pooled connections of one process. The change log uses one more."""

_DEFAULTS = {
    "connect_timeout": f"{DEADLINE_SECONDS:.0f}",
    "tcp_user_timeout": f"{DEADLINE_SECONDS * 1000:.0f}",
    "keepalives_idle": "2",
    "keepalives_interval": "1",
    "keepalives_count": "2",
    # A standby returns data of a moment ago: a revoked token would be accepted again.
    "target_session_attrs": "read-write",
    "client_encoding": "UTF8",
    "application_name": "credence",
}
"""Parameters that the address does not set."""

DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', %s) WHERE current_setting('synchronous_commit') IN ('off', 'local')"
)
"""Makes each commit wait for the disk, and for the standby where the server has synchronous ones; overrides the settings
of the role and the database (threats F2, F4). Run before writing; the parameter: for the current transaction only?"""

_SERVER_DEADLINE = f"{DEADLINE_SECONDS * 900:.0f}"
_SESSION = (
    f"SELECT set_config('statement_timeout', '{_SERVER_DEADLINE}', false), "
    f"set_config('idle_in_transaction_session_timeout', '{_SERVER_DEADLINE}', false)"
)
"""Session settings in milliseconds. The server's deadline is a little earlier, so the connection remains usable."""

# The pool would log each failed attempt to standard error; the caller gets StoreUnavailable.
logging.getLogger("psycopg").propagate = False
logging.getLogger("psycopg").addHandler(logging.NullHandler())  # otherwise Python prints to standard error

Row = tuple[Any, ...]
Values = Sequence[object] | Mapping[str, object]
Connection = AsyncConnection[Row]


def conninfo(address: str) -> str:
    """Return the address with default parameters; ValueError if it is malformed or allows a standby.

    The message does not contain the address, which may have a password in it.
    """
    try:
        given = conninfo_to_dict(address)
    except (Error, UnicodeError):
        raise InvalidInput(
            "The address of the store is not a PostgreSQL address; in a password write / as %2F, @ as %40 and : as %3A."
        ) from None
    if given.get("target_session_attrs", "read-write") not in {"read-write", "primary"}:
        raise InvalidInput(
            "The address allows a standby, which gets revocations too late: remove target_session_attrs."
        )
    return make_conninfo(address, **{name: value for name, value in _DEFAULTS.items() if name not in given})


class Connections:
    """The connection pool of one process."""

    def __init__(self, address: str) -> None:
        self._pool = AsyncConnectionPool(
            conninfo(address),
            kwargs={"autocommit": True, "prepare_threshold": None},
            configure=_configure,
            min_size=1,
            max_size=MAX_CONNECTIONS,
            timeout=DEADLINE_SECONDS,
            reconnect_timeout=DEADLINE_SECONDS,  # after that the next query tries again at once
            open=False,
        )
        self.seconds = Histogram()
        """Durations of operations, including the wait for a connection."""

    async def open(self) -> None:
        """Connect; StoreUnavailable if this fails or takes too long."""
        async with translate_errors():
            await self._pool.open(wait=True, timeout=DEADLINE_SECONDS)

    def use(self) -> PoolUse:
        """Return the use of the connections."""
        numbers = self._pool.get_stats()
        size, idle = numbers["pool_size"], numbers["pool_available"]
        return PoolUse(size - idle, idle, numbers["requests_waiting"])

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close()

    async def rows(self, statement: LiteralString, values: Values = ()) -> list[Row]:
        """Run one statement in a transaction of its own and return its rows.

        Raises Conflict for a violated constraint and StoreUnavailable for every other failure. If the connection breaks
        after the commit, the statement took effect although this raises; a repeated call returns the new state (D7).
        """
        async with self.connection() as connection:
            return await (await connection.execute(statement, values)).fetchall()

    async def one(self, statement: LiteralString, values: Values = ()) -> Row | None:
        """Run one statement and return its first row, or None."""
        found = await self.rows(statement, values)
        return found[0] if found else None

    @asynccontextmanager
    async def connection(self, seconds: float = DEADLINE_SECONDS) -> AsyncIterator[Connection]:
        """Borrow a pooled connection. Raises what `rows` raises; StoreUnavailable once `seconds` have passed."""
        began = asyncio.get_running_loop().time()
        until = began + seconds
        async with translate_errors(), self._pool.connection() as connection:
            try:
                async with answering_until(connection, until), replicated(connection):
                    yield connection
            except ReadOnlySqlTransaction:
                await connection.close()  # its server has become a standby
                raise
            finally:
                self.seconds.observe(asyncio.get_running_loop().time() - began)

    @asynccontextmanager
    async def transaction(self, seconds: float = DEADLINE_SECONDS) -> AsyncIterator[Connection]:
        """Borrow a connection in a transaction. It commits at the end and is rolled back by any exception."""
        async with self.connection(seconds) as connection, connection.transaction():
            yield connection


@asynccontextmanager
async def answering_until(connection: Connection, until: float) -> AsyncIterator[None]:
    """Close the connection if the block still runs at `until`, in seconds of the event loop's clock.

    The pending operation then fails. It is not cancelled, because that would wait for a server that may not answer.
    """
    loop = asyncio.get_running_loop()
    alarm = loop.call_at(until, cut, connection)
    try:
        yield
    finally:
        alarm.cancel()
        if loop.time() >= until:  # it may have been closed just after the answer
            await connection.close()


@asynccontextmanager
async def replicated(connection: Connection) -> AsyncIterator[None]:
    """Treat a commit that returned a warning as failed.

    If the wait for the standby is cancelled, PostgreSQL reports success with a warning that the standby may not have the
    commit: a fail-over would then lose an acknowledged change (threats F4). No other statement here causes a warning.
    """
    warnings: list[str | None] = []

    def note(notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            warnings.append(notice.message_primary)

    connection.add_notice_handler(note)
    try:
        yield
    finally:
        connection.remove_notice_handler(note)
    if warnings:
        raise StoreUnavailable(str(warnings[0]))


@asynccontextmanager
async def translate_errors() -> AsyncIterator[None]:
    """Translate database errors to the exceptions of the store's contract."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict(str(error)) from error
    except UndefinedTable as error:
        raise StoreUnavailable(f"{error}: {NO_TABLE}") from error
    except (Error, OSError) as error:
        raise StoreUnavailable(str(error)) from error


async def _configure(connection: Connection) -> None:
    await connection.execute(_SESSION)
    await connection.execute(DURABLE, (False,))


def cut(connection: Connection) -> None:
    """Shut the socket of a connection down, so that a pending operation on it fails at once."""
    if not connection.closed:
        with socket.socket(fileno=os.dup(connection.fileno())) as copy:
            copy.shutdown(socket.SHUT_RDWR)
