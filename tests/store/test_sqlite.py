"""What only a file can get wrong: durability, other processes and those that fail, a full disk."""

import asyncio
import re
import shutil
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from credence.store.contract import Conflict, StoreDamaged, StoreUnavailable
from credence.store.families import SignIn
from credence.store.migrations import SchemaTooNew, scripts, serves
from credence.store.sqlite.high_water_mark import OlderCopy
from credence.store.sqlite.store import SqliteStore
from credence.store.sqlite.write_turns import LOCK_TIMEOUT_SECONDS
from credence.store.tallies import Tally, TallyIncrement
from tests.journeys.test_damaged_store import overwrite
from tests.store.records import NOW, account, family, log_in, parameters


def test_acknowledged_writes_are_there_after_reopening(tmp_path: Path) -> None:
    async def write() -> None:
        store = SqliteStore(tmp_path / "s.sqlite")
        await log_in(store, family())
        await store.rotate(family().id, 0, parameters())
        await store.close()

    async def read() -> int | None:
        store = SqliteStore(tmp_path / "s.sqlite")
        kept = await store.family(family().id)
        await store.close()
        return kept.generation if kept else None

    asyncio.run(write())
    assert asyncio.run(read()) == 1


async def test_a_text_that_is_none_is_damage_of_the_file(tmp_path: Path) -> None:
    """threats F3: the page of the file is whole, so that SQLite itself notices nothing."""
    place = tmp_path / "s.sqlite"
    store = SqliteStore(place)
    await log_in(store, family())
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE families SET scope = CAST(x'ff' AS TEXT)")
    connection.close()
    with pytest.raises(StoreDamaged):
        await store.family(family().id)
    await store.close()


async def test_a_page_that_is_none_is_damage_of_the_file(tmp_path: Path) -> None:
    """threats F3: a store that is only busy or away is not called damaged, and one that is damaged not away."""
    place = tmp_path / "s.sqlite"
    store = SqliteStore(place)
    await log_in(store, family())
    await store.close()
    overwrite(place, "families")
    store = SqliteStore(place)
    with pytest.raises(StoreDamaged):
        await store.family(family().id)
    await store.close()


async def test_an_older_copy_of_the_file_is_refused_by_its_name(tmp_path: Path) -> None:
    """threats F6: opening it would revive what was revoked since."""
    place, copy = tmp_path / "s.sqlite", tmp_path / "copy"
    store = SqliteStore(place)
    await store.close()
    shutil.copy(place, copy)
    store = SqliteStore(place)
    await store.revoke_token("jti", NOW)
    await store.close()
    shutil.copy(copy, place)
    with pytest.raises(OlderCopy, match=re.escape(f"{place} is an older copy")):
        SqliteStore(place)


async def test_failures_survive_a_restart_and_hold_for_every_process_on_the_file(tmp_path: Path) -> None:
    """threats A4: an attacker gains nothing by waiting for a restart or by using another node."""
    increment = TallyIncrement(b"k" * 16, step=10, max_ahead=50)

    here, there = SqliteStore(tmp_path / "s.sqlite"), SqliteStore(tmp_path / "s.sqlite")
    await here.count_failure([increment], NOW)
    await there.count_failure([increment], NOW)
    await here.close()
    assert await there.tallies([increment.key]) == [Tally(NOW + 20)]
    await there.close()
    reopened = SqliteStore(tmp_path / "s.sqlite")
    assert await reopened.tallies([increment.key]) == [Tally(NOW + 20)]
    await reopened.close()


async def test_a_file_of_the_first_schema_is_migrated_with_all_its_rows(tmp_path: Path) -> None:
    """threats F5: expand only; what an older Credence wrote stays."""
    first = resources.files("credence.store") / "schema" / "sqlite-0001.sql"
    connection = sqlite3.connect(tmp_path / "s.sqlite", isolation_level=None)
    connection.executescript(f"{first.read_text()}PRAGMA user_version = 1;")
    connection.execute("INSERT INTO sealed_secrets (name, sealed) VALUES ('kept', x'01')")
    connection.close()

    store = SqliteStore(tmp_path / "s.sqlite")
    assert await store.sealed_secrets() == {"kept": b"\x01"}
    assert await store.tallies([b"k"]) == [Tally()]
    await store.close()


def test_every_commit_is_synced_to_a_write_ahead_log(tmp_path: Path) -> None:
    """WAL with synchronous=FULL (2)."""
    store = SqliteStore(tmp_path / "s.sqlite")
    writer = store._writer._connection
    assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert writer.execute("PRAGMA synchronous").fetchone() == (2,)
    asyncio.run(store.close())


def test_the_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite")
    asyncio.run(store.close())
    assert (tmp_path / "s.sqlite").stat().st_mode & 0o777 == 0o600


async def test_a_change_by_another_process_changes_the_marker_and_is_in_the_log(tmp_path: Path) -> None:
    here, there = SqliteStore(tmp_path / "s.sqlite"), SqliteStore(tmp_path / "s.sqlite")
    before = here.change_marker()
    await there.save_account(account(), NOW)
    assert here.change_marker() != before
    assert [change.subject for change in await here.changes(0)] == ["ada"]
    await here.close()
    await there.close()


@pytest.mark.parametrize("session", [b"", b"a session that has ended"], ids=["at once", "after it has changed a row"])
async def test_a_write_that_fails_by_itself_undoes_no_other_and_needs_no_commit(tmp_path: Path, session: bytes) -> None:
    """A code that is redeemed again, or after the end of its session: everything else of the group is one commit."""
    store = SqliteStore(tmp_path / "s.sqlite")
    await log_in(store, family(0))
    ended = SignIn(family(1).id, session, "crd_sbx_app_a", "ada", NOW, "pwd", offline=False)
    failing = (family(1), account(), ended) if session else (family(0), account())
    for round_ in (1, 2):
        before = commits(tmp_path)
        opened = [family(100 * round_ + number) for number in range(20)]
        results = await asyncio.gather(
            *(store.open_family(each, account()) for each in opened[:10]),
            store.open_family(*failing),
            *(store.open_family(each, account()) for each in opened[10:]),
            store.open_family(*failing),
            return_exceptions=True,
        )
        assert [type(result) for result in results if result is not None] == [Conflict, Conflict]
        assert [await store.family(each.id) for each in opened] == opened
        assert commits(tmp_path) == before + 1
    assert await store.family(family(1).id) is None
    await store.close()


def commits(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "s.sqlite")) as connection:
        count: int = connection.execute("SELECT count FROM scratch").fetchone()[0]
    return count


async def test_a_full_disk_is_reported_and_nothing_is_partially_written(tmp_path: Path) -> None:
    """threats F2: the page limit simulates a full disk: SQLite reports both as SQLITE_FULL."""
    store = SqliteStore(tmp_path / "s.sqlite")
    writer = store._writer._connection
    await log_in(store, family(9_000))
    pages = writer.execute("PRAGMA page_count").fetchone()[0]
    writer.execute(f"PRAGMA max_page_count = {pages}")
    answers = await asyncio.gather(
        *(store.open_family(family(number), account()) for number in range(2_000)), return_exceptions=True
    )
    acknowledged = [answer is None for answer in answers]
    kept = [await store.family(family(number).id) is not None for number in range(2_000)]
    assert any(isinstance(answer, StoreUnavailable) for answer in answers)
    assert kept == acknowledged
    writer.execute("PRAGMA max_page_count = 100000")
    await log_in(store, family(5000))  # recovers without a restart
    await store.close()


async def test_a_lock_held_by_another_process_is_waited_for_and_then_reported(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite")
    other = sqlite3.connect(tmp_path / "s.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable):
        await store.check_writable()
    other.execute("ROLLBACK")
    await store.check_writable()
    other.close()
    await store.close()


def test_a_file_of_a_newer_version_is_not_changed(tmp_path: Path) -> None:
    asyncio.run(SqliteStore(tmp_path / "s.sqlite").close())
    connection = sqlite3.connect(tmp_path / "s.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(SchemaTooNew, match="99"):
        SqliteStore(tmp_path / "s.sqlite")


def test_every_migration_states_the_oldest_schema_it_supports() -> None:
    for number, (name, script) in enumerate(scripts("sqlite").items(), start=1):
        assert name == f"sqlite-{number:04}.sql"
        assert 1 <= serves(script) <= number


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.sqlite").write_bytes(b"not a database at all, but long enough to be read as one" * 20)
    with pytest.raises(StoreUnavailable):
        SqliteStore(tmp_path / "s.sqlite")


async def test_a_locked_database_fails_the_whole_waiting_group_at_once(tmp_path: Path) -> None:
    """threats F3: waiting again for each of them alone would multiply the deadline."""
    store = SqliteStore(tmp_path / "s.sqlite")
    other = sqlite3.connect(tmp_path / "s.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    loop = asyncio.get_running_loop()
    started = loop.time()
    answers = await asyncio.gather(*(store.check_writable() for _ in range(50)), return_exceptions=True)
    waited = loop.time() - started
    other.close()
    await store.close()
    assert {type(answer) for answer in answers} == {StoreUnavailable}
    assert waited < 10 * LOCK_TIMEOUT_SECONDS
