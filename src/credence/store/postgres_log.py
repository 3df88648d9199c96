"""The change log in PostgreSQL: written in order by the database (`log_change`), heard of through notices and a poll.

A notice is sent by the commit that logs, so it comes within a round trip. The poll behind it, on the same connection, finds
what a notice did not bring: after a break, and through a pooler in transaction mode, which passes none on.
"""

import asyncio
from contextlib import suppress
from typing import LiteralString

from psycopg import AsyncConnection, Error

from credence.store.postgres_connections import DEADLINE, Connection, Connections, Values, answering_until, conninfo
from credence.store.records import Change

POLL_EVERY = 0.5
"""Seconds between two looks at the head of the log: half of what a revocation may take to be everywhere."""

RECONNECT_AFTER = 0.25
"""Seconds until a lost connection is tried again."""

_LISTEN = "LISTEN credence_log"
_HEAD = "SELECT last FROM log_head"
_AFTER = "SELECT sequence, kind, subject, until FROM changes WHERE sequence > %s ORDER BY sequence"


class Log:
    """Follows the log of one database in a task of its own, which begins with `open`."""

    def __init__(self, address: str, connections: Connections) -> None:
        self._conninfo = conninfo(address)
        self._connections = connections
        self._newest = ""
        self.marker = 0
        self._listening: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to listen."""
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

    async def after(self, sequence: int) -> list[Change]:
        """Return the entries above this sequence."""
        return [Change(*row) for row in await self._connections.rows(_AFTER, (sequence,))]

    def note(self, newest: int | str) -> None:
        """Move the marker if this is not what was noted last; an entry noted twice costs a read, none is missed."""
        if str(newest) != self._newest:
            self._newest = str(newest)
            self.marker += 1

    async def _listen(self) -> None:
        while True:
            with suppress(Error, OSError):
                async with await AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
                    await self._follow(connection)
            await asyncio.sleep(RECONNECT_AFTER)

    async def _follow(self, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        while True:
            async with answering_until(connection, loop.time() + DEADLINE):
                await connection.execute(_LISTEN)  # again each time: it costs nothing, and the session may be another
                head = await (await connection.execute(_HEAD)).fetchone()
            self.note(head[0] if head else "")
            async for notice in connection.notifies(timeout=POLL_EVERY):
                self.note(notice.payload)
