"""Connections to PostgreSQL, each question with a deadline (threats F3).

libpq reads the address itself, so several hosts, certificates and `target_session_attrs` mean what they mean everywhere.
Statements are never prepared by name: a pooler in transaction mode may hand the next one to another connection.
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
from credence.store.contract import Conflict, StoreUnavailable
from credence.store.transfer.out_of_service import NO_TABLE

DEADLINE = 2.0
"""Seconds for one question, waiting for a connection included (threats §3)."""

MOST_CONNECTIONS = 8
"""Of one process, beside the one that listens."""

_OURS = {
    "connect_timeout": f"{DEADLINE:.0f}",
    "tcp_user_timeout": f"{DEADLINE * 1000:.0f}",
    "keepalives_idle": "2",
    "keepalives_interval": "1",
    "keepalives_count": "2",
    # A standby answers questions with what was so a moment ago; a revoked token must not live again for it.
    "target_session_attrs": "read-write",
    "client_encoding": "UTF8",
    "application_name": "credence",
}
"""What the address does not say."""

DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', %s) WHERE current_setting('synchronous_commit') IN ('off', 'local')"
)
"""From then on a commit is answered when it is on disk, and on the standby too where commits wait for one, whatever a role
or database is told (threats F2, F4). Whoever writes begins so; given whether it is for this transaction alone."""

_SERVER_DEADLINE = f"{DEADLINE * 900:.0f}"
_SESSION = (
    f"SELECT set_config('statement_timeout', '{_SERVER_DEADLINE}', false), "
    f"set_config('idle_in_transaction_session_timeout', '{_SERVER_DEADLINE}', false)"
)
"""In milliseconds: the server gives up a little sooner, so the connection stays good."""

# The pool would write each failed attempt to standard error; whoever asks a question is told (StoreUnavailable).
logging.getLogger("psycopg").propagate = False
logging.getLogger("psycopg").addHandler(logging.NullHandler())  # or Python itself would

Row = tuple[Any, ...]
Values = Sequence[object] | Mapping[str, object]
Connection = AsyncConnection[Row]


def conninfo(address: str) -> str:
    """Return the address with what it leaves open; ValueError, which does not repeat it, when it is none or a standby's."""
    try:
        said = conninfo_to_dict(address)
    except (Error, UnicodeError):
        raise InvalidInput(
            "The address of the store is none of PostgreSQL; in a password write / as %2F, @ as %40 and : as %3A."
        ) from None
    if said.get("target_session_attrs", "read-write") not in {"read-write", "primary"}:
        raise InvalidInput(
            "The store is a standby's, which hears of revocations too late: leave target_session_attrs out."
        )
    return make_conninfo(address, **{name: value for name, value in _OURS.items() if name not in said})


class Connections:
    """The connections of one process."""

    def __init__(self, address: str) -> None:
        self._pool = AsyncConnectionPool(
            conninfo(address),
            kwargs={"autocommit": True, "prepare_threshold": None},
            configure=_configure,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=DEADLINE,
            reconnect_timeout=DEADLINE,  # after that the next question tries again, at once
            open=False,
        )

    async def open(self) -> None:
        """Connect; StoreUnavailable when that cannot be done in time."""
        async with failures_told():
            await self._pool.open(wait=True, timeout=DEADLINE)

    async def close(self) -> None:
        """Let go of every connection."""
        await self._pool.close()

    async def rows(self, statement: LiteralString, values: Values = ()) -> list[Row]:
        """Run one statement, which commits by itself, and return its rows.

        Conflict for a broken constraint, StoreUnavailable for all else that goes wrong. If the connection breaks between
        the commit and its answer the statement took effect although that was said: whoever asks again is told how it
        stands (D7).
        """
        async with self.connection() as connection:
            return await (await connection.execute(statement, values)).fetchall()

    async def one(self, statement: LiteralString, values: Values = ()) -> Row | None:
        """Run one statement and return its first row, None when it has none."""
        found = await self.rows(statement, values)
        return found[0] if found else None

    @asynccontextmanager
    async def connection(self, seconds: float = DEADLINE) -> AsyncIterator[Connection]:
        """Lend a connection for so long; what is done with it after that fails. Raises what `rows` raises."""
        until = asyncio.get_running_loop().time() + seconds
        async with failures_told(), self._pool.connection() as connection:
            try:
                async with answering_until(connection, until), replicated(connection):
                    yield connection
            except ReadOnlySqlTransaction:
                await connection.close()  # it leads to a server that has become a standby
                raise

    @asynccontextmanager
    async def transaction(self, seconds: float = DEADLINE) -> AsyncIterator[Connection]:
        """Lend a connection in a transaction, which commits at the end and is undone by any exception."""
        async with self.connection(seconds) as connection, connection.transaction():
            yield connection


@asynccontextmanager
async def answering_until(connection: Connection, until: float) -> AsyncIterator[None]:
    """Cut the connection off if this is not left by then, in seconds of the loop: whatever waits for it then fails.

    Cancelling would in its turn wait for a server that may not answer.
    """
    loop = asyncio.get_running_loop()
    alarm = loop.call_at(until, cut, connection)
    try:
        yield
    finally:
        alarm.cancel()
        if loop.time() >= until:  # it may have been cut off just after the answer
            await connection.close()


@asynccontextmanager
async def replicated(connection: Connection) -> AsyncIterator[None]:
    """Take a commit that came with a warning for one that failed.

    Whose wait for the standby is cancelled is answered as done, with a warning that the standby may not have it: a fail-over
    would then lose what was acknowledged (threats F4). Nothing else that is asked here is answered with one.
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
async def failures_told() -> AsyncIterator[None]:
    """Say what went wrong in the words of the contract."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict(str(error)) from error
    except UndefinedTable as error:
        raise StoreUnavailable(f"{error}: {NO_TABLE}") from error
    except (Error, OSError) as error:
        raise StoreUnavailable(str(error)) from error


def is_storable(text: str) -> bool:
    """Tell whether PostgreSQL can keep this text: not if it has a NUL or half of a surrogate pair in it.

    What cannot be kept is not there, so a question for it needs no asking.
    """
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


async def _configure(connection: Connection) -> None:
    await connection.execute(_SESSION)
    await connection.execute(DURABLE, (False,))


def cut(connection: Connection) -> None:
    """End a connection under whoever uses it: what waits for it fails at once."""
    if not connection.closed:
        with socket.socket(fileno=os.dup(connection.fileno())) as copy:
            copy.shutdown(socket.SHUT_RDWR)
