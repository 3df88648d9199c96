"""The embedded store: one SQLite file in WAL mode, every commit synced to disk (threats §4).

Reads run in the caller's thread on a connection of their own. Writes go to one writer thread (`group_commit.py`), which
commits all queued writes in one transaction. It never waits for more writes to arrive.
"""

import asyncio
import sqlite3
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.change_log import changes_after
from credence.store.contract import Store, StoreDamaged, StoreUnavailable
from credence.store.records import (
    AccessTokenParameters,
    Change,
    TokenFamily,
)
from credence.store.sqlite.change_counter import ChangeCounter
from credence.store.sqlite.checkpoints import MAX_LOG_PAGES, Checkpoints
from credence.store.sqlite.group_commit import GroupCommit, is_damage
from credence.store.sqlite.high_water_mark import HighWaterMark
from credence.store.sqlite.migrations import migrate_sqlite
from credence.store.sqlite.reading import Reader, connect
from credence.store.sqlite.running import SqliteStatements
from credence.store.sqlite.write_turns import WriteTurns

_CHANGES = (
    "SELECT seq, sequence, kind, subject, until FROM sqlite_sequence LEFT JOIN changes ON sequence > :after "
    "WHERE name = 'changes' ORDER BY sequence"
)


_ROTATE = (
    "UPDATE families SET generation = generation + 1, "
    "issued_at = max(issued_at, ?), expires_in = ?, kid = ?, narrowed = ?, confirmation = ? "
    "WHERE id = ? AND generation = ? AND ended_at IS NULL AND created_at >= ? AND expires_at > ? "
    "AND (confirmation = '' OR ? <> '') "
    "RETURNING client_id, username, scope, created_at, expires_at, issued_at, audience, status_block"
)
"""Returns only the columns whose new values the caller does not know: each takes a tenth of a microsecond or two."""


class SqliteStore(SqliteStatements, Store):
    """The store in one file. Short-lived processes, such as commands, may use the same file."""

    def __init__(self, path: Path) -> None:
        """Open the file, creating and migrating it as needed; StoreUnavailable if this fails."""
        try:
            with ExitStack() as opened:
                writer = opened.enter_context(closing(connect(path)))
                migrate_sqlite(writer)
                self._reader = opened.enter_context(closing(Reader(path)))
                self._change_counter = opened.enter_context(closing(ChangeCounter(path)))
                self._mark = opened.enter_context(closing(HighWaterMark(path, writer)))
                self._turns = opened.enter_context(closing(WriteTurns(path)))
                self._checkpoints = opened.enter_context(closing(Checkpoints(path)))
                writer.execute(f"PRAGMA wal_autocheckpoint = {MAX_LOG_PAGES}")
                opened.pop_all()
        except (sqlite3.Error, OSError) as error:
            raise (StoreDamaged if is_damage(error) else StoreUnavailable)(f"{path}: {error}") from error
        self._logged = False
        self._writer = GroupCommit(writer, self._turns, self._announce)
        self.seconds = self._writer.seconds

    @override
    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds = 0
    ) -> TokenFamily | None:
        return await self._writer.run(
            lambda connection: _rotated(connection, family_id, generation, parameters, not_before), single=True
        )

    @override
    async def changes(self, after: int) -> list[Change]:
        return changes_after(after, await self._rows(_CHANGES, after=after))

    @override
    async def acknowledged_changes(self, after: int) -> list[Change]:
        return await self.changes(after)

    @override
    def timeline(self) -> int:
        return 0

    @override
    def change_marker(self) -> int:
        return self._change_counter.count()

    @override
    def clock_offset(self) -> Milliseconds:
        return 0

    @override
    async def prepare(self, now: Milliseconds) -> None:
        pass

    @override
    async def sweep(self, now: Milliseconds, max_rows: int = 1_000) -> int:
        deleted = 0
        while deleted < max_rows:
            rows = min(max_rows - deleted, ROWS_PER_COMMIT)
            found = await self._writer.run(partial(sweep, now=now, max_rows=rows))
            deleted += found
            if found < rows:
                break
        return deleted

    @override
    async def check_writable(self) -> None:
        """See `Store.check_writable`. Raises StoreDamaged if any read or write since the start has found damage."""
        damage = self._reader.damage or self._writer.damage
        if damage is not None:
            raise StoreDamaged(*damage.args)
        await self._writer.run(lambda _connection: None, single=True)  # each commit updates the scratch row

    @override
    async def close(self) -> None:
        await self._writer.close()
        await asyncio.to_thread(self._checkpoints.close)
        self._reader.close()
        self._change_counter.close()
        self._mark.close()
        self._turns.close()

    def _announce(self, commit: int, rows: int) -> None:
        """Inform the other threads and processes of a commit. Called in the thread that writes."""
        self._mark.raise_to(commit)
        self._checkpoints.count(rows)
        if self._logged:
            self._logged = False
            self._change_counter.increment()


def _rotated(
    connection: sqlite3.Connection,
    family_id: bytes,
    generation: int,
    parameters: AccessTokenParameters,
    not_before: Milliseconds,
) -> TokenFamily | None:
    """Advance a family by one conditional statement (D7, threats L1). See `Store.rotate`."""
    values = (
        *msgspec.structs.astuple(parameters),
        *(family_id, generation, not_before, parameters.issued_at, parameters.confirmation),
    )
    row = connection.execute(_ROTATE, values).fetchone()
    if row is None:
        return None
    client_id, username, scope, created_at, expires_at, issued_at, audience, status_block = row
    return TokenFamily(
        id=family_id,
        client_id=client_id,
        username=username,
        scope=scope,
        created_at=created_at,
        expires_at=expires_at,
        issued_at=issued_at,
        expires_in=parameters.expires_in,
        kid=parameters.kid,
        generation=generation + 1,
        audience=audience,
        narrowed=parameters.narrowed,
        confirmation=parameters.confirmation,
        status_block=status_block,
    )


ROWS_PER_COMMIT = 25
"""Rows that one transaction deletes, because other writes wait for it.

Each is a page of its own in the index of families by account.
"""


def _deletion(table: str, key: str, until: str) -> str:
    """Return the statement that deletes the oldest rows of one table. The names are constants of this file."""
    return f"DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} WHERE {until} <= ? ORDER BY {until} LIMIT ?)"  # noqa: S608 - constants


_DELETE_BY_ID = (_deletion("families", "id", "id"), _deletion("sign_ins", "family_id", "family_id"))
_DELETE_OTHERS = (
    _deletion("changes", "sequence", "until"),
    _deletion("tallies", "key", "max(drains_at, familiar_until)"),
    _deletion("spent", "mark", "until"),
    _deletion("status_blocks", "number", "until"),
    _deletion("sessions", "key", "expires_at"),
    _deletion("report_reads", "rowid", "until"),
    _deletion("report_uses", "key", "until"),
    _deletion("monitoring_events", "number", "until"),
    _deletion("kept_answers", "key", "until"),
    _deletion("ledger_lines", "upload", "until"),
    _deletion("device_requests", "key", "expires_at"),
    _deletion("issuer_sessions", "session", "expires_at"),
    _deletion("deliveries", "id", "keep_until"),
    _deletion("webhook_attempts", "rowid", "until"),
    _deletion("alert_states", "number", "until"),
)


def sweep(connection: sqlite3.Connection, now: Milliseconds, max_rows: int) -> int:
    """Delete at most `max_rows` expired rows and return how many.

    Each deletion walks an index from its oldest end, so its cost is that of the rows that it deletes.
    """
    last_expired = now.to_bytes(6, "big") + b"\xff" * 16
    left = max_rows
    for statement in _DELETE_BY_ID:
        left -= connection.execute(statement, (last_expired, left)).rowcount if left else 0
    for statement in _DELETE_OTHERS:
        left -= connection.execute(statement, (now, left)).rowcount if left else 0
    return max_rows - left
