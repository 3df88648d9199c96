"""What is logged while the store cannot be asked: a line that says why, and no traceback (threats F2, L4)."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import structlog

from credence.store.sqlite.store import SqliteStore
from credence.telemetry import log
from tests.deployment import OpenDeployment


async def test_a_store_that_is_away_is_a_line_for_each_request_and_no_surprise(
    open_deployment: OpenDeployment, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "credence.sqlite"
    deployment = await open_deployment(over=SqliteStore(file))
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as another:
            another.execute("BEGIN EXCLUSIVE")
            log.configure(readable=False)
            assert (await deployment.login()).said[0] == 500
        assert (await deployment.login()).status == 200
    finally:
        log.flush()
        structlog.reset_defaults()
    written = capfd.readouterr().err
    logged = [json.loads(line) for line in written.splitlines()]
    (said,) = (line for line in logged if line["event"] == "store_unavailable")
    (refused,) = (line for line in logged if line["event"] == "refused")
    assert "database is locked" in said["fault"]
    assert (refused["reason"], refused["request_id"]) == ("store.unavailable", said["request_id"])
    assert "Traceback" not in written
    assert "internal_error" not in written
