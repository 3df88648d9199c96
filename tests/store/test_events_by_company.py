"""Events about one company are found by an index: without it each page of a company reads the events of a year."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from credence.store.alerts import ALERTS_ABOUT, NEWEST_ABOUT
from credence.store.events import EVENTS_ABOUT
from credence.store.postgres.running import for_postgres
from credence.store.sqlite.running import for_sqlite
from credence.store.sqlite.store import SqliteStore

INDEX = "monitoring_events_company"
VALUES: dict[str, Any] = {
    "client_id": "c",
    "company": "00000001",
    "limit": 10,
    "after": 0,
    "portfolio": "",
    "rule": "",
    "unread": False,
    "assigned_to": "",
    "today": "2026-11-24",
}


@pytest.mark.parametrize("statement", [EVENTS_ABOUT, ALERTS_ABOUT, NEWEST_ABOUT], ids=["events", "alerts", "newest"])
def test_sqlite_finds_the_events_about_a_company_by_an_index(statement: str, tmp_path: Path) -> None:
    async def make() -> None:
        await SqliteStore(tmp_path / "store").close()

    asyncio.run(make())
    with closing(sqlite3.connect(tmp_path / "store")) as connection:
        text, values = for_sqlite(statement, VALUES)
        plan = connection.execute(f"EXPLAIN QUERY PLAN {text}", values).fetchall()
    (read,) = [text for *_, text in plan if INDEX in text]
    assert f"USING INDEX {INDEX} (company=?" in read, plan


def test_postgresql_finds_the_events_about_a_company_by_an_index(migrated_postgres: str) -> None:
    with psycopg.connect(migrated_postgres) as connection:
        connection.execute(
            "INSERT INTO monitoring_events (number, key, portfolio, rule, company, until, document) "
            "SELECT n, int8send(n), 'p' || n % 5, 'score', lpad((n % 2000)::text, 8, '0'), 0, '' "
            "FROM generate_series(1, 10000) AS n"
        )
        connection.execute("ANALYZE monitoring_events")
        for statement in (EVENTS_ABOUT, ALERTS_ABOUT, NEWEST_ABOUT):
            plan = connection.execute(b"EXPLAIN " + for_postgres(statement).encode(), VALUES).fetchall()
            assert any(INDEX in line for (line,) in plan), plan
