"""The change log in PostgreSQL: the database writes it in order (`log_change`); nodes learn of changes by notices and polls.

The commit that adds an entry sends a notice, which arrives within a round trip. A poll on the same connection finds changes
without notice: after a broken connection, and behind a pooler in transaction mode, which forwards no notices.
"""

import asyncio
from contextlib import suppress
from typing import LiteralString

from psycopg import AsyncConnection, Error

from credence.clock import Clock, Milliseconds
from credence.store.change_log import changes_after
from credence.store.contract import StoreUnavailable
from credence.store.postgres.connections import (
    DEADLINE_SECONDS,
    Connection,
    Connections,
    Values,
    answering_until,
    conninfo,
)
from credence.store.records import Change

POLL_SECONDS = 0.5
"""The interval between two reads of the head of the log: half of the time in which a revocation must reach every node."""

RECONNECT_SECONDS = 0.1
"""The pause after a lost connection before the next attempt."""

_LISTEN = "LISTEN credence_log"
_HEAD = (
    "SELECT last, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), "
    "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM log_head"
)
"""The last number, the server's timeline (it changes with each fail-over), and its time. A standby raises an error."""

# Writes to no table, but its commit waits for a synchronous standby like any other commit. A primary that lost its
# standby, and may have been replaced, still answers reads, but not this. A commit that waits in vain stays in the
# server after the client has given up, so no second one is started while one waits.
_STILL_PRIMARY = """
SELECT pg_logical_emit_message(true, 'credence', '') WHERE NOT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE wait_event = 'SyncRep' AND usename = current_user AND query_start < clock_timestamp() - interval '2 seconds'
)
"""
_AFTER = (
    "SELECT last, sequence, kind, subject, until FROM log_head LEFT JOIN changes ON sequence > %s ORDER BY sequence"
)


class Log:
    """Follows the log of one database in a task that `open` starts."""

    def __init__(self, address: str, connections: Connections, clock: Clock) -> None:
        self._conninfo = conninfo(address)
        self._clock = clock
        self._connections = connections
        self._newest = ""
        self._head: tuple[str, int] | None = None
        self.change_marker = 0
        self.timeline = 0
        self.clock_offset: Milliseconds = 0
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Read the head of the log and the time once, and start listening."""
        async with self._connections.connection() as connection:
            await self._read_head(connection)
        self._listening = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening

    async def change(self, statement: LiteralString, values: Values) -> bool:
        """Run a statement that returns the number of the log entry that it added; return whether it added one."""
        found = await self._connections.one(statement, values)
        if found is not None:
            self.note(found[0])
        return found is not None

    async def after(self, sequence: int, *, still_primary: bool = False) -> list[Change]:
        """See `Store.changes`. With `still_primary`, StoreUnavailable if the server cannot commit."""
        async with self._connections.connection() as connection:
            if still_primary and not await (await connection.execute(_STILL_PRIMARY)).fetchall():
                raise StoreUnavailable("no standby confirms what is committed")
            return changes_after(sequence, await (await connection.execute(_AFTER, (sequence,))).fetchall())

    def note(self, newest: int | str) -> None:
        """Advance the marker if `newest` differs from the last value; a needless advance costs only a read of the log."""
        if str(newest) != self._newest:
            self._newest = str(newest)
            self.change_marker += 1

    def _note_head(self, newest: int, timeline: str) -> None:
        """Advance the marker as `note` does, and the timeline if another server took over or the log became shorter."""
        known, self._head = self._head, (timeline, newest)
        if known is not None and (timeline != known[0] or newest < known[1]):
            self.timeline += 1
            self.change_marker += 1
        self.note(newest)

    def _note_time(self, found: Milliseconds, error: Milliseconds) -> None:
        """Update the clock offset if the measured one differs from it by more than the measurement error."""
        if abs(found - self.clock_offset) > error:
            self.clock_offset = found

    async def _listen(self) -> None:
        while True:
            with suppress(Error, OSError):
                async with await AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
                    await self._follow(connection)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _read_head(self, connection: Connection) -> None:
        sent = self._clock()
        head = await (await connection.execute(_HEAD)).fetchone()
        if head is not None:
            newest, timeline, time = head
            received = self._clock()
            self._note_head(newest, timeline)
            self._note_time(time - (sent + received) // 2, abs(received - sent) // 2 + 1)

    async def _follow(self, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        while True:
            async with answering_until(connection, loop.time() + DEADLINE_SECONDS):
                await connection.execute(_LISTEN)  # every time: it is cheap, and a pooler may have changed the session
                await self._read_head(connection)
            async for notice in connection.notifies(timeout=POLL_SECONDS):
                self.note(notice.payload)
