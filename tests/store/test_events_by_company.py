"""Events about one company are found by an index: without it each page of a company reads the events of a year."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from credence.store.postgres import alerts as postgres_alerts
from credence.store.postgres import monitoring as postgres_monitoring
from credence.store.sqlite import alerts as sqlite_alerts
from credence.store.sqlite import monitoring as sqlite_monitoring
from credence.store.sqlite.store import SqliteStore

INDEX = "monitoring_events_company"


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        (sqlite_monitoring.EVENTS_ABOUT, ("c", 0, 10, "", "", "00000001")),
        (sqlite_alerts.ALERTS_ABOUT, ("c", 0, 10, "", "", "00000001", 0, "")),
        (sqlite_alerts.NEWEST_ABOUT, ("c", "00000001", 10)),
    ],
    ids=["events", "alerts", "newest"],
)
def test_sqlite_finds_the_events_about_a_company_by_an_index(
    statement: str, values: tuple[object, ...], tmp_path: Path
) -> None:
    async def make() -> None:
        await SqliteStore(tmp_path / "store").close()

    asyncio.run(make())
    with sqlite3.connect(tmp_path / "store") as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    (read,) = [text for *_, text in plan if "monitoring_events" in text]
    assert f"USING INDEX {INDEX} (company=?" in read, plan


def test_postgresql_finds_the_events_about_a_company_by_an_index(migrated_postgres: str) -> None:
    named = {"client_id": "c", "company": "00000001", "limit": 10, "after": 0, "portfolio": "", "rule": ""}
    asked: list[tuple[str, Any]] = [
        (postgres_monitoring.EVENTS_ABOUT, (0, "c", "", "", "00000001", 10)),
        (postgres_alerts.ALERTS_ABOUT, {**named, "unread": False, "assigned_to": ""}),
        (postgres_alerts.NEWEST_ABOUT, named),
    ]
    with psycopg.connect(migrated_postgres) as connection:
        connection.execute(
            "INSERT INTO monitoring_events (number, key, portfolio, rule, company, until, document) "
            "SELECT n, int8send(n), 'p' || n % 5, 'score', lpad((n % 2000)::text, 8, '0'), 0, '' "
            "FROM generate_series(1, 10000) AS n"
        )
        connection.execute("ANALYZE monitoring_events")
        for statement, values in asked:
            plan = connection.execute(b"EXPLAIN " + statement.encode(), values).fetchall()
            assert any(INDEX in line for (line,) in plan), plan
