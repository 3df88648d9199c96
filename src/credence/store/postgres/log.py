"""The change log in PostgreSQL: written in order by the database (`log_change`), heard of through notices and a poll.

A notice is sent by the commit that logs, so it comes within a round trip. The poll behind it, on the same connection, finds
what a notice did not bring: after a break, and through a pooler in transaction mode, which passes none on.
"""

import asyncio
from contextlib import suppress
from typing import LiteralString

from psycopg import AsyncConnection, Error

from credence.clock import Clock, Milliseconds
from credence.store.contract import StoreUnavailable
from credence.store.postgres.connections import DEADLINE, Connection, Connections, Values, answering_until, conninfo
from credence.store.records import Change

POLL_EVERY = 0.5
"""Seconds between two looks at the head of the log: half of what a revocation may take to be everywhere."""

RECONNECT_AFTER = 0.1
"""Seconds until a lost connection is tried again."""

_LISTEN = "LISTEN credence_log"
_HEAD = (
    "SELECT last, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), "
    "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM log_head"
)
"""The timeline beside it is another after each fail-over. A standby has none to tell, and refuses."""

# It writes to no table, but its commit waits for a standby as any other does. A primary that was cut off from its standby,
# and may have been replaced, goes on answering reads; this it does not answer. What the database no longer hears of stays
# waiting there, so no second one is begun beside a commit that already waits in vain.
_STILL_FIRST = """
SELECT pg_logical_emit_message(true, 'credence', '') WHERE NOT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE wait_event = 'SyncRep' AND usename = current_user AND query_start < clock_timestamp() - interval '2 seconds'
)
"""
_AFTER = "SELECT sequence, kind, subject, until FROM changes WHERE sequence > %s ORDER BY sequence"


class Log:
    """Follows the log of one database in a task of its own, which begins with `open`."""

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
        """Look once, so that the time is known, and begin to listen."""
        async with self._connections.connection() as connection:
            await self._look(connection)
        self._listening = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening

    async def change(self, statement: LiteralString, values: Values) -> bool:
        """Run a statement that returns the number of what it logged; True when it logged anything."""
        found = await self._connections.one(statement, values)
        if found is not None:
            self.note(found[0])
        return found is not None

    async def after(self, sequence: int, *, sure: bool = False) -> list[Change]:
        """Return the entries above this sequence; to be `sure`, only if this server still is the one that takes writes."""
        async with self._connections.connection() as connection:
            if sure and not await (await connection.execute(_STILL_FIRST)).fetchall():
                raise StoreUnavailable("no standby confirms what is committed")
            return [Change(*row) for row in await (await connection.execute(_AFTER, (sequence,))).fetchall()]

    def note(self, newest: int | str) -> None:
        """Move the marker if this is not what was noted last; an entry noted twice costs a read, none is missed."""
        if str(newest) != self._newest:
            self._newest = str(newest)
            self.change_marker += 1

    def _note_head(self, newest: int, timeline: str) -> None:
        """Move the marker as `note` does, and the lineage when another server took over or the log went back."""
        known, self._head = self._head, (timeline, newest)
        if known is not None and (timeline != known[0] or newest < known[1]):
            self.timeline += 1
            self.change_marker += 1
        self.note(newest)

    def _note_time(self, found: Milliseconds, error: Milliseconds) -> None:
        """Keep how far the database's clock is ahead, as long as it may be right."""
        if abs(found - self.clock_offset) > error:
            self.clock_offset = found

    async def _listen(self) -> None:
        while True:
            with suppress(Error, OSError):
                async with await AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
                    await self._follow(connection)
            await asyncio.sleep(RECONNECT_AFTER)

    async def _look(self, connection: Connection) -> None:
        asked = self._clock()
        head = await (await connection.execute(_HEAD)).fetchone()
        if head is not None:
            newest, timeline, time = head
            answered = self._clock()
            self._note_head(newest, timeline)
            self._note_time(time - (asked + answered) // 2, abs(answered - asked) // 2 + 1)

    async def _follow(self, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        while True:
            async with answering_until(connection, loop.time() + DEADLINE):
                await connection.execute(_LISTEN)  # again each time: it costs nothing, and the session may be another
                await self._look(connection)
            async for notice in connection.notifies(timeout=POLL_EVERY):
                self.note(notice.payload)
