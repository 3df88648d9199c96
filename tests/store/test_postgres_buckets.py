"""Buckets by expiry in PostgreSQL: a day's families go with their file (threats §7, L12)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest

from credence.store.postgres import buckets
from credence.store.postgres.buckets import DAYS_AHEAD, NEAR_DAYS, Bucket, missing
from credence.store.postgres.store import PostgresStore, open_postgres
from credence.store.transfer.move import move
from tests.store.locations import Somewhere, fill, opened_postgres, with_store
from tests.store.records import DAY, NOW, family, log_in, parameters

TODAY = NOW // DAY
YEAR = 366


@pytest.fixture
async def store(postgres: str) -> AsyncIterator[PostgresStore]:
    async with opened_postgres(postgres) as store:
        yield store


def in_each(url: str, table: str) -> dict[str, int]:
    """How many rows each partition of a table has."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(f"SELECT tableoid::regclass::text, count(*) FROM {table} GROUP BY 1").fetchall()  # noqa: S608
    return dict(rows)


async def test_a_familys_bucket_is_there_before_it_and_goes_whole_after_its_last_instant(
    store: PostgresStore, postgres: str
) -> None:
    await store.sweep(NOW)
    for number in range(5):
        await log_in(store, family(number, expires_at=NOW + DAY + number))
    name = f"families_{TODAY + 1}_{TODAY + 2}"
    assert in_each(postgres, "families") == {name: 5}
    await store.sweep((TODAY + 2) * DAY - 1)
    assert await store.family(family(0, expires_at=NOW + DAY).id) is not None
    await store.sweep((TODAY + 2) * DAY)
    with psycopg.connect(postgres) as connection:
        assert connection.execute("SELECT to_regclass(%s)", (name,)).fetchone() == (None,)
    assert await store.family(family(0, expires_at=NOW + DAY).id) is None


async def test_what_is_logged_lies_in_the_bucket_of_the_day_on_which_it_may_go(
    store: PostgresStore, postgres: str
) -> None:
    await store.sweep(NOW)
    await store.revoke_token("soon", NOW)
    await store.revoke_token("late", NOW + 2 * DAY)
    await store.revoke_token("between", NOW + DAY)
    days = (f"changes_{TODAY + day}_{TODAY + day + 1}" for day in range(3))
    assert in_each(postgres, "changes") == dict.fromkeys(days, 1)
    assert [change.subject for change in await store.changes(0)] == ["soon", "late", "between"]
    await store.sweep((TODAY + 1) * DAY)
    assert [change.subject for change in await store.changes(0)] == ["late", "between"]


async def test_a_family_that_lives_longer_than_any_before_it_is_kept_and_those_after_it_get_buckets(
    store: PostgresStore, postgres: str
) -> None:
    await store.sweep(NOW)
    first = family(1, expires_at=NOW + 90 * DAY)
    await log_in(store, first)
    assert in_each(postgres, "families") == {"families_rest": 1}
    assert await store.rotate(first.id, 0, parameters()) is not None
    for day in range(91, 91 + 3 * NEAR_DAYS):
        await store.sweep(NOW)
        await log_in(store, family(day, expires_at=NOW + day * DAY))
    found = in_each(postgres, "families")
    assert found.pop("families_rest") <= NEAR_DAYS
    assert sorted(found.values())[1:] == [NEAR_DAYS] * (len(found) - 1)
    assert await store.family(first.id) is not None
    while await store.sweep(NOW + YEAR * DAY):
        pass
    assert in_each(postgres, "families") == {}


async def test_no_bucket_is_made_while_the_rest_is_large(
    store: PostgresStore, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL reads all of the rest to make one. Here a single page is large: it has a login of ninety days."""
    await store.sweep(NOW)
    await log_in(store, family(1, expires_at=NOW + 90 * DAY))
    monkeypatch.setattr(buckets, "MAX_REST_BYTES", 8_191)
    await store.sweep(NOW + DAY)
    await log_in(store, family(2, expires_at=NOW + (DAYS_AHEAD + 1) * DAY))
    assert in_each(postgres, "families") == {"families_rest": 2}
    monkeypatch.setattr(buckets, "MAX_REST_BYTES", 8_192)
    await store.sweep(NOW + 2 * DAY)
    await log_in(store, family(3, expires_at=NOW + (DAYS_AHEAD + 2) * DAY))
    assert in_each(postgres, "families")["families_rest"] == 2


async def test_a_sweep_during_a_long_read_gives_up_soon_and_succeeds_later(store: PostgresStore, postgres: str) -> None:
    """Who waits for a table is waited for by all who come after."""
    await store.sweep(NOW)
    await log_in(store, family(1, expires_at=NOW))
    await log_in(store, family(2, expires_at=NOW + 2 * DAY))
    later = NOW + DAY
    with psycopg.connect(postgres) as reading:
        reading.execute("SELECT count(*) FROM families")
        sweep = asyncio.create_task(store.sweep(later))
        while not sweep.done():
            loop = asyncio.get_running_loop()
            began = loop.time()
            await store.family(family(2, expires_at=NOW + 2 * DAY).id)
            assert loop.time() - began < 1
        await sweep
        assert await store.family(family(1, expires_at=NOW).id) is not None
    await store.sweep(later)
    assert await store.family(family(1, expires_at=NOW).id) is None


async def test_of_two_nodes_that_sweep_at_once_each_bucket_is_made_and_dropped_once(
    store: PostgresStore, postgres: str
) -> None:
    """Both return, whichever of them holds the lease."""
    there = await open_postgres(postgres)
    try:
        for now in (NOW, NOW + DAY, NOW + 30 * DAY):
            await asyncio.gather(store.sweep(now), there.sweep(now))
            await store.sweep(now)
        with psycopg.connect(postgres) as connection:
            found = connection.execute("SELECT count(*) FROM pg_inherits WHERE inhparent = 'families'::regclass")
            assert found.fetchone() == (DAYS_AHEAD + 1 + 1,)  # today and the days ahead, and the rest
    finally:
        await there.close()


def test_a_year_ahead_takes_few_buckets_without_a_gap() -> None:
    """Each bucket is one more table in the plan of a rotation."""
    made = list(missing("families", [], TODAY, TODAY + YEAR))
    assert len(made) <= NEAR_DAYS + 1 + YEAR / NEAR_DAYS
    assert [bucket.first for bucket in made] == [TODAY, *(bucket.until for bucket in made[:-1])]
    assert made[-1].until >= TODAY + YEAR


def test_a_bucket_that_could_not_be_created_is_created_later() -> None:
    there = [Bucket("families", TODAY, TODAY + 1), Bucket("families", TODAY + 3, TODAY + 4)]
    made = list(missing("families", there, TODAY, TODAY + 4))
    assert [(bucket.first, bucket.until) for bucket in made] == [(TODAY + 1, TODAY + 2), (TODAY + 2, TODAY + 3)]


def test_new_buckets_continue_the_existing_ones() -> None:
    there = [Bucket("families", TODAY - 1, TODAY), Bucket("families", TODAY, TODAY + 2)]
    assert list(missing("families", there, TODAY, TODAY + 3)) == [Bucket("families", TODAY + 2, TODAY + 3)]


def test_copied_families_are_in_buckets(postgres: str, tmp_path: Path) -> None:
    """Otherwise later rows would also be deleted one by one, because a large default partition prevents new buckets."""
    here, there = Somewhere(tmp_path / "credence.sqlite"), Somewhere(postgres)
    with_store(here, fill)
    days = Counter(int.from_bytes(bytes(row[0])[:6], "big") // DAY for row in here.rows()["families"])
    move(here.place, there.place, lambda _secrets: None, "first", NOW)
    assert in_each(postgres, "families") == {f"families_{day}_{day + 1}": count for day, count in days.items()}


async def test_no_rotation_scans_a_whole_table(postgres: str) -> None:
    """threats §7: a plan that did, made while the tables were small, would go on doing it when they are large."""
    families = [family(number, expires_at=NOW + 1 + number % 2 * 40 * DAY) for number in range(20)]
    async with opened_postgres(postgres) as store:
        await store.sweep(NOW)
        for each in families:
            await log_in(store, each)
        await store.sweep(NOW)
    before = whole_readings(postgres)
    async with opened_postgres(postgres) as store:
        for generation in range(8):
            assert all(await asyncio.gather(*(store.rotate(each.id, generation, parameters(NOW)) for each in families)))
    assert whole_readings(postgres) == before


def whole_readings(url: str) -> int:
    """How often a partition of families was read whole, as the server counts it when a session ends."""
    with psycopg.connect(url) as connection:
        connection.execute("SELECT pg_sleep(0.2)")
        statement = "SELECT sum(seq_scan)::int FROM pg_stat_user_tables WHERE relname LIKE 'families%'"
        row = connection.execute(statement).fetchone()
    assert row is not None
    return int(row[0])
