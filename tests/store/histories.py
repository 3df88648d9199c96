"""Runs one history on a SQLite and a PostgreSQL store, and compares their results."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from credence.store.change_log import LogGap
from credence.store.contract import Conflict, Store
from credence.store.postgres.store import open_postgres
from credence.store.records import Change
from credence.store.sqlite.store import SqliteStore
from credence.store.transfer.tables import TABLES
from tests.store.records import NOW

T = TypeVar("T")
Question = Callable[[Store], Awaitable[T]]

NUMBERS_AGAIN_SQLITE = "DELETE FROM sqlite_sequence"
NUMBERS_AGAIN_POSTGRES = (
    "UPDATE log_head SET last = 0; SELECT setval(pg_get_serial_sequence('status_blocks', 'number'), 1, false)"
)


class Stores:
    """Both of them, emptied for one history after the other."""

    def __init__(self, runner: asyncio.Runner, file: Path, url: str) -> None:
        self._runner = runner
        self._url = url
        self._opening: dict[str, Callable[[], Awaitable[Store]]] = {
            "sqlite": lambda: _sqlite(file),
            "postgres": lambda: open_postgres(url),
        }
        self._stores = {name: self._run(opening()) for name, opening in self._opening.items()}
        self._file = sqlite3.connect(file, isolation_level=None)
        self._database = psycopg.connect(url, autocommit=True)
        self.logged = 0

    def begin(self) -> None:
        """Forget everything but one entry of the log, so that the next has another number than the last before."""
        for table in TABLES:
            self._file.execute(f"DELETE FROM {table.name}")  # noqa: S608 - our own names
            self._database.execute(SQL("DELETE FROM {}").format(Identifier(table.name)))
        self._file.execute(NUMBERS_AGAIN_SQLITE)
        self._database.execute(NUMBERS_AGAIN_POSTGRES)
        self.ask(lambda store: store.revoke_token("begin", NOW))
        self.logged = 1

    def ask(self, question: Question[T]) -> T:
        """Return what all of them answer; Conflict where that is the answer of all."""
        answers = {name: self._run(_answer(question(store))) for name, store in self._stores.items()}
        first = answers["sqlite"]
        assert all(answer == first for answer in answers.values()), answers
        if isinstance(first, _SomebodyElseWasFirst):
            raise Conflict
        return first

    def change(self, question: Question[T]) -> T:
        """The same for what may be logged: all log alike, and all announce it."""
        before = {name: store.change_marker() for name, store in self._stores.items()}
        try:
            return self.ask(question)
        finally:
            if logged := self.log(self.logged):
                self.logged = logged[-1].sequence
                silent = [name for name, store in self._stores.items() if store.change_marker() == before[name]]
                assert not silent, f"{silent} logged without an announcement"

    def log(self, after: int, swept_until: int = 0) -> list[Change]:
        """Return what was logged, without what a store may have freed."""
        return self.ask(lambda store: _changes(store, after, swept_until))

    def reopen(self) -> None:
        """Close what a process leaves behind when it ends, and open it as the next one does (threats I4, L7)."""
        for name, opening in self._opening.items():
            self._run(self._stores[name].close())
            self._stores[name] = self._run(opening())

    def close(self) -> None:
        for store in self._stores.values():
            self._run(store.close())
        self._file.close()
        self._database.close()

    def _run(self, work: Awaitable[T]) -> T:
        return self._runner.run(_whole(work))


@contextmanager
def stores(folder: Path, url: str) -> Iterator[Stores]:
    with asyncio.Runner() as runner, closing(Stores(runner, folder / "credence.sqlite", url)) as opened:
        yield opened


async def _sqlite(file: Path) -> Store:
    return SqliteStore(file)


async def _whole(work: Awaitable[T]) -> T:
    return await work


async def _changes(store: Store, after: int, swept_until: int) -> list[Change]:
    try:
        found = await store.changes(after)
    except LogGap:  # a store may keep for longer what may go
        found = [change for change in await store.changes(0) if change.sequence > after]
    return [change for change in found if change.until > swept_until]


class _SomebodyElseWasFirst(msgspec.Struct, frozen=True):
    """Conflict, as an answer that can be compared."""


async def _answer(question: Awaitable[T]) -> T | _SomebodyElseWasFirst:
    try:
        return await question
    except Conflict:
        return _SomebodyElseWasFirst()
