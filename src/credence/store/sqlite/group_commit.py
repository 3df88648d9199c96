"""One thread that owns the write connection and commits writes in groups.

The writes requested in one iteration of the event loop are queued together. All writes that queue up while a commit is
synced to disk form the next transaction, so they share the cost of its sync, and a single write does not wait for others.

A write that fails by itself, such as the second use of a code, undoes no other of its group. SQLite undoes a statement that
fails; a write of several statements has a savepoint.
"""

import asyncio
import math
import queue
import sqlite3
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from credence import clock
from credence.store.contract import Conflict, StoreDamaged, StoreUnavailable
from credence.store.sqlite.high_water_mark import COUNT_COMMIT
from credence.store.sqlite.write_turns import LOCK_TIMEOUT_SECONDS, WriteTurns
from credence.store.transfer.out_of_service import NO_TABLE
from credence.telemetry.histogram import Histogram

MAX_GROUP = 256

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PRIMARY_CODE = 0xFF
"""The bits of an extended result code that are the primary result code."""

_NOT_TEXT = "Could not decode to UTF-8"
"""The beginning of the driver's message for a text that is not UTF-8."""

T = TypeVar("T")
Write = Callable[[sqlite3.Connection], Any]


class _Waiting(msgspec.Struct, eq=False):
    write: Write
    future: asyncio.Future[Any]
    single: bool
    result: Any = None
    error: Exception | None = None


class GroupCommit:
    """Runs writes in order and completes each after its commit is on disk."""

    def __init__(
        self, connection: sqlite3.Connection, turns: WriteTurns, committed: Callable[[int, int], None]
    ) -> None:
        """Start the thread, which uses this connection alone.

        `committed` is called after each commit with its number and its count of changed rows, before these writes complete
        and in the turn of this process; so the calls of all processes are in the order of the commits.
        """
        self._connection = connection
        self._turns = turns
        self._committed = committed
        self._last_commit = 0
        self._patience_ms = round(LOCK_TIMEOUT_SECONDS * 1000)
        self.damage: StoreDamaged | None = None
        """The damage that a write found in the file, if any."""
        self._batch: list[_Waiting] = []
        self.seconds = Histogram()
        self._queue: queue.SimpleQueue[list[_Waiting] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="store-writer", daemon=True)
        self._thread.start()

    def run(self, write: Callable[[sqlite3.Connection], T], *, single: bool = False) -> asyncio.Future[T]:
        """Queue `write` for the next transaction; the future has its result when it is durable.

        `single` says that it runs at most one statement, so that it needs no savepoint.
        It raises Conflict for a violated constraint and StoreUnavailable for a failure of the disk or a lock. Nothing is
        written in either case. A write that was queued is carried out even if the future is cancelled.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if not self._batch:
            loop.call_soon(self._hand_over)
        self._batch.append(_Waiting(write, future, single))
        return future

    async def close(self) -> None:
        """Finish queued writes, then close the connection."""
        self._hand_over()
        self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _hand_over(self) -> None:
        if self._batch:
            self._queue.put(self._batch)
            self._batch = []

    def _serve(self) -> None:
        while (batch := self._queue.get()) is not None:
            group = batch
            while len(group) < MAX_GROUP and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    self._queue.put(None)
                    break
                group = group + following
            self._commit(group)
        self._connection.close()

    def _commit(self, group: list[_Waiting]) -> None:
        try:
            with self._turns.turn() as waited:
                before = self._connection.total_changes + 1  # the number of the commit is a row as well
                self._transaction(group, waited)
                self._committed(self._last_commit, self._connection.total_changes - before)
        except Exception as error:  # noqa: BLE001 - a failure of the disk or a lock concerns every write of the group
            fault = unavailable(error)
            self.damage = fault if isinstance(fault, StoreDamaged) else self.damage
            for waiting in group:
                waiting.error = fault
        _answer(group)

    def _wait_at_most(self, seconds: float) -> None:
        """Set SQLite's lock timeout, for programs that take no turn; rounded to 0.1 s, so that it rarely changes."""
        patience_ms = 100 * math.ceil(10 * seconds)
        if patience_ms != self._patience_ms:
            self._connection.execute(f"PRAGMA busy_timeout = {patience_ms}")
            self._patience_ms = patience_ms

    def _transaction(self, group: list[_Waiting], waited: float) -> None:
        began = clock.seconds() - waited
        self._wait_at_most(LOCK_TIMEOUT_SECONDS - waited)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for waiting in group:
                _run(waiting, self._connection)
            (commit,) = self._connection.execute(COUNT_COMMIT).fetchone()
            if commit <= self._last_commit:
                raise StoreDamaged("an older copy of the file was put in its place")
            self._connection.execute("COMMIT")
            self._last_commit = commit
            self.seconds.observe(clock.seconds() - began)
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


def is_damage(error: Exception) -> bool:
    """Return whether the error says that the content of the file is damaged."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
    return code in _DAMAGE or str(error).startswith(_NOT_TEXT)


def unavailable(error: Exception) -> StoreUnavailable:
    """Return the error of the contract for an error of the database, with its cause if that is known."""
    if isinstance(error, StoreUnavailable):
        return error
    message = str(error)
    if is_damage(error):
        return StoreDamaged(message)
    return StoreUnavailable(f"{message}: {NO_TABLE}" if message.startswith("no such table") else message)


def _run(waiting: _Waiting, connection: sqlite3.Connection) -> None:
    """Run a write and keep its result, or undo it and keep its error if it failed by itself.

    Raises the error of the disk or a lock, which concerns the whole group.
    """
    if not waiting.single:
        connection.execute("SAVEPOINT write")
    try:
        waiting.result = waiting.write(connection)
    except sqlite3.OperationalError:
        raise
    except Exception as error:
        if is_damage(error):
            raise
        waiting.error = Conflict(str(error)) if isinstance(error, sqlite3.IntegrityError) else error
        if not waiting.single:
            connection.execute("ROLLBACK TO write")
    if not waiting.single:
        connection.execute("RELEASE write")


def _answer(group: list[_Waiting]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[_Waiting]] = {}
    for waiting in group:
        loops.setdefault(waiting.future.get_loop(), []).append(waiting)
    for loop, waiters in loops.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve, waiters)


def _resolve(waiters: list[_Waiting]) -> None:
    for waiting in waiters:
        if waiting.future.done():  # its request was cancelled; the write is committed
            continue
        if waiting.error is not None:
            waiting.future.set_exception(waiting.error)
        else:
            waiting.future.set_result(waiting.result)
