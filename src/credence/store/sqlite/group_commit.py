"""One thread that owns the write connection and commits in groups.

The writes asked for in one turn of the event loop are handed over together, and whatever has queued while the last commit
was being synced becomes the next transaction. So the cost of a sync is shared by all who waited for it, and one write
alone waits for nobody.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from credence.store.contract import Conflict, StoreUnavailable
from credence.store.transfer.out_of_service import NO_TABLE

LARGEST_GROUP = 256

T = TypeVar("T")
Write = Callable[[sqlite3.Connection], Any]


@dataclass(slots=True)
class _Waiting:
    write: Write
    future: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None


class GroupCommit:
    """Runs writes one after another and answers each only after its commit is on disk."""

    def __init__(self, connection: sqlite3.Connection, committed: Callable[[], None]) -> None:
        """Take over the connection; `committed` is called after each commit, before anyone is answered."""
        self._connection = connection
        self._committed = committed
        self._turn: list[_Waiting] = []
        self._queue: queue.SimpleQueue[list[_Waiting] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Run `write` inside a transaction and return its result once it is durable.

        Raises Conflict for a broken constraint and StoreUnavailable for everything the disk or a lock can do; in both
        cases nothing was written.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if not self._turn:
            loop.call_soon(self._hand_over)
        self._turn.append(_Waiting(write, future))
        return await future

    async def close(self) -> None:
        """Finish what is queued, then close the connection."""
        self._hand_over()
        self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _hand_over(self) -> None:
        if self._turn:
            self._queue.put(self._turn)
            self._turn = []

    def _serve(self) -> None:
        while (turn := self._queue.get()) is not None:
            group = turn
            while len(group) < LARGEST_GROUP and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    self._queue.put(None)
                    break
                group = group + following
            self._commit(group)
        self._connection.close()

    def _commit(self, group: list[_Waiting]) -> None:
        try:
            self._transaction(group)
        except _BrokenWrite as broken:
            # One broken write must not spoil its neighbours: each gets a transaction of its own.
            for waiting in group if len(group) > 1 else ():
                self._commit([waiting])
            if len(group) > 1:
                return
            group[0].error = broken.error
        except Exception as error:  # noqa: BLE001 - the disk, a lock: it meets all of them, and waiting again helps nobody
            for waiting in group:
                waiting.error = unavailable(error)
        else:
            self._committed()
        _answer(group)

    def _transaction(self, group: list[_Waiting]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for waiting in group:
                waiting.result = _result(waiting.write, self._connection)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


def unavailable(error: Exception) -> StoreUnavailable:
    """Return what the contract says of an error of the database, and why, where that can be known."""
    said = str(error)
    return StoreUnavailable(f"{said}: {NO_TABLE}" if said.startswith("no such table") else said)


class _BrokenWrite(Exception):
    """A write failed by itself: a conflict, a constraint, a mistake of ours; not the disk or a lock."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def _result(write: Write, connection: sqlite3.Connection) -> Any:
    try:
        return write(connection)
    except sqlite3.OperationalError:
        raise
    except sqlite3.IntegrityError as error:
        raise _BrokenWrite(Conflict(str(error))) from error
    except Exception as error:
        raise _BrokenWrite(error) from error


def _answer(group: list[_Waiting]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[_Waiting]] = {}
    for waiting in group:
        loops.setdefault(waiting.future.get_loop(), []).append(waiting)
    for loop, waiters in loops.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve, waiters)


def _resolve(waiters: list[_Waiting]) -> None:
    for waiting in waiters:
        if waiting.future.done():  # its request was cancelled; the write itself stands
            continue
        if waiting.error is not None:
            waiting.future.set_exception(waiting.error)
        else:
            waiting.future.set_result(waiting.result)
