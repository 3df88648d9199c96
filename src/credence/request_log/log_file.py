"""The file of the request log: one SQLite file that all processes of a node write, in blocks of records.

A row per request with four indexes would cost ten microseconds; a block of a thousand records, stored as columns with marks
of their values (`marks.py`), costs one microsecond per record. A process rewrites its newest block until it is full or a
minute old, so a record can be found a second after its answer, and a quiet day has few blocks.
"""

import os
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from credence.clock import Milliseconds
from credence.files import OWNER_ONLY
from credence.request_log.block import BLOCK_RECORDS, FORMAT, Block, block_of, shared
from credence.request_log.waiting import FIELDS, Waiting
from credence.telemetry.log import event, warning

BLOCK_MS = 60_000

BUSY_SECONDS = 5.0

_DAY_MS = 86_400_000

_SCHEMA = """
create table if not exists blocks (
    id integer primary key,
    first integer not null, last integer not null,
    process text not null, lowest integer not null, highest integer not null,
    lost integer not null, marks blob not null, content blob not null
);
create index if not exists blocks_by_time on blocks (last, first);
create index if not exists blocks_by_serial on blocks (process, highest, lowest);
"""

_INSERT = (
    "insert into blocks (first, last, process, lowest, highest, lost, marks, content) values (?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPDATE = (
    "update blocks set first = ?, last = ?, process = ?, lowest = ?, highest = ?, lost = ?, marks = ?, content = ?"
    " where id = ?"
)


class LogFile:
    """Writes the log of one process. Its methods run in a thread, one at a time."""

    def __init__(self, path: Path, megabytes: int, days: int, *, shares: bool = False) -> None:
        """`megabytes` (10^6 bytes) is the maximum size of all records; those older than `days` are deleted.

        With `shares`, `closed` returns what other nodes shall find.
        """
        self._path = path
        self._shares = shares
        self._max_bytes = megabytes * 1_000_000
        self._kept_ms = days * _DAY_MS
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._open: list[list[Any]] = []
        """The columns of the newest block, which is not full yet."""
        self._open_id: int | None = None
        self._opened_at: Milliseconds = 0
        self._newest: Block | None = None
        """The newest block as it was written, while it is open."""
        self._closed: list[Block] = []
        """Complete blocks that `closed` has not returned."""
        self._lost = 0
        """The number of records since the last write that could not be written."""
        self._fails = False

    def write(
        self, waiting: Waiting, taken: tuple[list[Any], int], now: Milliseconds, *, deletes_old: bool = True
    ) -> None:
        """Write the records taken from `waiting`. If that fails they are lost, and the next block stores their number.

        Without `deletes_old` no record is deleted for its age: `now` may be wrong (threats T11).
        """
        with self._lock:
            values, lost = taken
            self._lost += lost
            count = len(values) // FIELDS
            if not (count or self._lost):
                return
            written, complete = self._newest, len(self._closed)
            try:
                self._write(waiting, values, count, now, deletes_old=deletes_old)
            except (sqlite3.Error, OSError) as error:
                self._lost += count
                del self._closed[complete:]  # the file has none of these
                self._newest = written
                self._close_newest()
                self._forget()
                if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                    self._set_aside()
                if not self._fails:
                    warning("request_log_fails", file=str(self._path), fault=str(error))
                self._fails = True
            else:
                if self._fails:
                    event("request_log_works", file=str(self._path))
                self._fails = False

    def closed(self, now: Milliseconds | None) -> list[Block]:
        """Return each block once when it is full or a minute old, packed for other nodes; without `now` also the newest."""
        with self._lock:
            if now is None:
                self._close_newest()
            else:
                self._close_old(now)
            taken, self._closed = self._closed, []
            return [shared(each) for each in taken]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._forget()

    def _write(self, waiting: Waiting, values: list[Any], count: int, now: Milliseconds, *, deletes_old: bool) -> None:
        connection = self._opened()
        lost = self._lost
        with connection:
            first = 0
            while first < count or lost:
                room = BLOCK_RECORDS - (len(self._open[0]) if self._open else 0)
                part = waiting.columns(values, first, min(room, count - first))
                self._add(connection, part, lost, now)
                first += len(part[0])
                lost = 0
            self._close_old(now)
            if deletes_old:
                connection.execute("delete from blocks where last < ?", (now - self._kept_ms,))
            self._keep_size(connection)
        self._lost = 0

    def _add(self, connection: sqlite3.Connection, part: Any, lost: int, now: Milliseconds) -> None:
        if not self._open:
            self._open, self._open_id, self._opened_at, self._newest = [[] for _ in part], None, now, None
        for column, further in zip(self._open, part, strict=True):
            column.extend(further)
        lost += self._newest.lost if self._newest is not None else 0
        self._newest = block_of(self._open, lost, now)
        if self._open_id is None or not connection.execute(_UPDATE, (*self._newest, self._open_id)).rowcount:
            self._open_id = connection.execute(_INSERT, self._newest).lastrowid
        if len(self._open[0]) >= BLOCK_RECORDS:
            self._close_newest()

    def _close_old(self, now: Milliseconds) -> None:
        if self._open and not 0 <= now - self._opened_at < BLOCK_MS:
            self._close_newest()

    def _close_newest(self) -> None:
        if self._shares and self._newest is not None:
            self._closed.append(self._newest)
        self._open, self._newest = [], None

    def _keep_size(self, connection: sqlite3.Connection) -> None:
        while self._used(connection) > self._max_bytes:
            oldest = "delete from blocks where id in (select id from blocks order by last limit 1)"
            if not connection.execute(oldest).rowcount:
                return

    def _used(self, connection: sqlite3.Connection) -> int:
        pages = _number(connection, "pragma page_count") - _number(connection, "pragma freelist_count")
        return pages * _number(connection, "pragma page_size")

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
            if self._is_of_another_format():
                self._set_aside()
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
            self._connection = connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, check_same_thread=False)
            connection.execute("pragma page_size = 8192")
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            connection.executescript(_SCHEMA + f"pragma user_version = {FORMAT};")
        return self._connection

    def _is_of_another_format(self) -> bool:
        """Whether another version wrote the file. It is renamed, because the log covers only a few days."""
        with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS)) as connection:
            return _number(connection, "pragma user_version") not in (0, FORMAT)

    def _set_aside(self) -> None:
        for ending in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.replace(f"{self._path}{ending}", f"{self._path}.damaged{ending}")  # noqa: PTH105 - a name, not a path

    def _forget(self) -> None:
        self._open, self._open_id, self._newest = [], None, None
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def delete_log(path: Path) -> None:
    """Delete the file of a node that keeps no log; there may be none."""
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (number,) = connection.execute(pragma).fetchone()
    return int(number)
