"""The cleaner that runs inside the service: it keeps up, and it can be seen when it does not (threats §7)."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from credence.background.sweeping import BATCH_ROWS, Sweeper
from credence.store.contract import Store
from credence.store.sqlite.store import SqliteStore
from tests.store.records import NOW, add_expired


async def test_one_sweep_deletes_all_expired_rows(store: Store) -> None:
    """threats L12: a fixed number of rows a minute would fall behind under many logins."""
    count = 2 * BATCH_ROWS + 1
    for begin in range(0, count, 200):
        marks = range(begin, min(begin + 200, count))
        await asyncio.gather(*(store.consume_once(number.to_bytes(4, "big"), NOW) for number in marks))
    assert await Sweeper(store).sweep(NOW) == count
    assert await store.sweep(NOW) == 0


async def test_other_writes_are_committed_in_the_midst_of_a_sweep(tmp_path: Path) -> None:
    """In a SQLite file they wait for each other; a login waits for a few rows, and not for all that have expired."""
    database = tmp_path / "s.sqlite"
    store = SqliteStore(database)
    add_expired(database, BATCH_ROWS)
    sweep = asyncio.create_task(store.sweep(NOW, BATCH_ROWS))
    await asyncio.sleep(0)  # its first rows are queued
    await store.check_writable()
    with closing(sqlite3.connect(database)) as connection:
        (left,) = connection.execute("SELECT count(*) FROM spent").fetchone()
    assert left > BATCH_ROWS // 2
    assert await sweep == BATCH_ROWS
    await store.close()


async def test_the_lag_counts_from_when_no_expired_row_was_left(store: Store) -> None:
    """threats §7: a metric for its lag."""
    loop = asyncio.get_running_loop()
    sweeper = Sweeper(store)
    assert sweeper.lag_seconds(loop.time()) is None
    began = loop.time()
    await sweeper.sweep(NOW)
    ended = loop.time()
    assert 100 <= (sweeper.lag_seconds(ended + 100) or 0) <= 100 + ended - began
