"""The embedded store: one SQLite file in WAL mode, every commit synced to disk (threats §4).

Reads run in the caller's thread on a connection of their own. Writes go to one writer thread (`group_commit.py`), which
commits all queued writes in one transaction. It never waits for more writes to arrive.
"""

import asyncio
import sqlite3
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.store.change_log import changes_after
from credence.store.contract import StoreDamaged, StoreUnavailable
from credence.store.records import (
    AccessTokenParameters,
    Change,
    ChangeKind,
    FamilyStatistics,
    StatusBlock,
    TokenFamily,
)
from credence.store.sqlite import expiring_rows
from credence.store.sqlite.change_counter import ChangeCounter
from credence.store.sqlite.checkpoints import MAX_LOG_PAGES, Checkpoints
from credence.store.sqlite.deliveries import SqliteDeliveries
from credence.store.sqlite.group_commit import GroupCommit, is_damage
from credence.store.sqlite.high_water_mark import HighWaterMark
from credence.store.sqlite.migrations import migrate_sqlite
from credence.store.sqlite.monitoring import SqliteMonitoring
from credence.store.sqlite.reading import Reader, connect
from credence.store.sqlite.rotations import rotate
from credence.store.sqlite.running import SqliteStatements
from credence.store.sqlite.signals import SqliteSignals
from credence.store.sqlite.signing_keys import SqliteSigningKeys
from credence.store.sqlite.write_turns import WriteTurns
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS

_encode = msgspec.json.encode


_CHANGES = (
    "SELECT seq, sequence, kind, subject, until FROM sqlite_sequence LEFT JOIN changes ON sequence > ? "
    "WHERE name = 'changes' ORDER BY sequence"
)

_STATISTICS = """
SELECT families.client_id, sign_ins.family_id IS NOT NULL AS signed_in,
       sum(families.ended_at IS NULL
           AND families.created_at >= CAST(applications.document AS TEXT) ->> 'not_before'
           AND families.created_at >= CAST(accounts.document AS TEXT) ->> 'not_before'),
       max(families.created_at)
FROM families JOIN applications USING (client_id) JOIN accounts USING (username)
LEFT JOIN sign_ins ON sign_ins.family_id = families.id
WHERE families.expires_at > ?
GROUP BY families.client_id, signed_in ORDER BY families.client_id, signed_in
"""


class SqliteStore(
    SqliteStatements,
    SqliteMonitoring,
    SqliteDeliveries,
    SqliteSignals,
    SqliteSigningKeys,
):
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
            lambda connection: rotate(connection, family_id, generation, parameters, not_before)
        )

    @override
    async def end_family(self, family_id: bytes, at: Milliseconds, because: str) -> bool:

        def end(connection: sqlite3.Connection) -> bool:
            row = connection.execute(
                "UPDATE families SET ended_at = ?, ended_because = ? WHERE id = ? AND ended_at IS NULL "
                "RETURNING expires_at",
                (at, because, family_id),
            ).fetchone()
            if row is None:
                return False
            self._log_end(connection, family_id, row[0])
            return True

        return await self._writer.run(end)

    @override
    async def family_statistics(self, now: Milliseconds) -> list[FamilyStatistics]:
        rows = self._read(_STATISTICS, now)
        return [FamilyStatistics(client_id, bool(signed_in), *rest) for client_id, signed_in, *rest in rows]

    @override
    async def revoke_token(self, jti: str, until: Milliseconds) -> None:
        await self._writer.run(lambda connection: self._log(connection, "token", jti, until))

    @override
    async def changes(self, after: int) -> list[Change]:
        return changes_after(after, self._read(_CHANGES, after))

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
    async def consume_once(self, key: bytes, expires_at: Milliseconds) -> bool:
        return await self._writer.run(lambda connection: expiring_rows.consume_once(connection, key, expires_at))

    @override
    async def open_status_blocks(self, block: StatusBlock, count: int) -> list[int]:
        return await self._writer.run(lambda connection: expiring_rows.open_status_blocks(connection, block, count))

    @override
    async def status_blocks(self, first: int, last: int) -> list[tuple[int, StatusBlock]]:
        rows = self._read(expiring_rows.STATUS_BLOCKS, first, last)
        return [(number, StatusBlock(*block)) for number, *block in rows]

    @override
    async def status_block_numbers(self) -> range:
        (oldest, newest), *_ = self._read(expiring_rows.STATUS_BLOCK_NUMBERS)
        return range(oldest, newest + 1) if newest else range(0)

    @override
    async def prepare(self, now: Milliseconds) -> None:
        pass

    @override
    async def sweep(self, now: Milliseconds, max_rows: int = 1_000) -> int:
        deleted = 0
        while deleted < max_rows:
            rows = min(max_rows - deleted, expiring_rows.ROWS_PER_COMMIT)
            found = await self._writer.run(partial(expiring_rows.sweep, now=now, max_rows=rows))
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
        await self._writer.run(lambda _connection: None)  # each commit updates the scratch row

    @override
    async def close(self) -> None:
        await self._writer.close()
        await asyncio.to_thread(self._checkpoints.close)
        self._reader.close()
        self._change_counter.close()
        self._mark.close()
        self._turns.close()

    def _log(self, connection: sqlite3.Connection, kind: ChangeKind, subject: str, until: Milliseconds) -> None:
        connection.execute("INSERT INTO changes (kind, subject, until) VALUES (?, ?, ?)", (kind, subject, until))
        self._logged = True

    def _log_end(self, connection: sqlite3.Connection, family_id: bytes, expires_at: Milliseconds) -> None:
        self._log(connection, "family", base64url.encode(family_id), expires_at + MAX_ACCESS_TOKEN_SECONDS * 1000)

    def _announce(self, commit: int, rows: int) -> None:
        """Inform the other threads and processes of a commit. Called in the writer's thread, as `_log` is."""
        self._mark.raise_to(commit)
        self._checkpoints.count(rows)
        if self._logged:
            self._logged = False
            self._change_counter.increment()

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._reader.rows(statement, *values)
