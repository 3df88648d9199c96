"""The write-ahead log is copied into the database file while commits go on (sqlite/checkpoints.py)."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from credence.store.sqlite import checkpoints
from credence.store.sqlite import store as sqlite_store
from credence.store.sqlite.store import SqliteStore
from tests.store.records import NOW, add_expired, family, log_in, parameters
from tests.waiting import until

PATIENCE = 60.0


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "s.sqlite"


def generation_without_log(database: Path) -> int:
    """What the file alone says, as if the log were lost; -1 while it has no family."""
    alone = database.with_name("alone.sqlite")
    shutil.copy(database, alone)
    with closing(sqlite3.connect(alone)) as connection:
        try:
            row = connection.execute("SELECT generation FROM families").fetchone()
        except sqlite3.DatabaseError:  # the copy was made in the midst of a write, or before the first
            return -1
    return -1 if row is None else int(row[0])


def expired_without_log(database: Path) -> int:
    """The expired rows of the file alone."""
    alone = database.with_name("alone.sqlite")
    shutil.copy(database, alone)
    with closing(sqlite3.connect(alone)) as connection:
        return int(connection.execute("SELECT count(*) FROM spent").fetchone()[0])


async def rotate(store: SqliteStore, generations: range) -> None:
    for generation in generations:
        assert await store.rotate(family(1).id, generation, parameters(NOW + generation)) is not None


async def test_the_log_is_copied_after_enough_writes_and_used_again_from_its_beginning(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "ROWS", 20)
    store, sizes = SqliteStore(database), []
    await log_in(store, family(1))
    for begin in range(0, 200, 20):
        await rotate(store, range(begin, begin + 20))
        await until(lambda: generation_without_log(database) >= begin + 10, PATIENCE)  # noqa: B023 - waited for here
        sizes.append(database.with_name(f"{database.name}-wal").stat().st_size)
    await store.close()
    assert sizes[-1] < 4 * sizes[0]  # ten times as many writes


async def test_rows_that_a_sweep_deletes_are_copied_as_rotations_are(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single write deletes many rows, each on a page of its own."""
    monkeypatch.setattr(checkpoints, "ROWS", 100)
    await SqliteStore(database).close()
    add_expired(database, 200)
    store = SqliteStore(database)
    assert await store.sweep(NOW) == 200
    await until(lambda: expired_without_log(database) < 200, PATIENCE)
    await store.close()


async def test_a_commit_copies_a_log_that_the_thread_has_not(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ROWS", 1_000_000)
    monkeypatch.setattr(sqlite_store, "MAX_LOG_PAGES", 50)
    store = SqliteStore(database)
    await log_in(store, family(1))
    await rotate(store, range(100))
    assert generation_without_log(database) > 0
    await store.close()


async def test_a_copy_that_a_reader_holds_back_is_made_after_more_writes(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader of another process holds it back."""
    monkeypatch.setattr(checkpoints, "ROWS", 20)
    store = SqliteStore(database)
    await log_in(store, family(1))
    with closing(sqlite3.connect(database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM families").fetchall()  # the pages that it may read must stay
        await rotate(store, range(40))
        assert generation_without_log(database) <= 0
    await rotate(store, range(40, 80))
    await until(lambda: generation_without_log(database) >= 60, PATIENCE)
    await store.close()
