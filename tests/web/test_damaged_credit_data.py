"""Damaged files of the credit data: said once and clearly, and what is already open goes on (threats F9)."""

import datetime as dt
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from credence.background.monitoring import credit_data_check
from credence.companies.facts.dispute import DisputeStatus
from credence.datasets import catalogue, disputes
from credence.service import READINESS_SHARED_MS
from credence.settings import Settings
from tests.datasets.sources.acts import load
from tests.datasets.sources.hand_written import answer, officer, write_json
from tests.deployment import REPORT_PATH, Deployment, OpenDeployment, Reply

NUMBER = "00000001"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Officers of one company, and a dispute about it."""
    folder = Settings(data_dir=tmp_path / "data").credit_folder
    load("officers", folder, write_json(tmp_path / "1.json", answer(officer(NUMBER))))
    disputes.record(folder, NUMBER, "Nationality", "It is wrong", DisputeStatus.OPEN, dt.date(2026, 11, 1))
    return folder


async def report(deployment: Deployment) -> Reply:
    token = (await deployment.tokens())["access_token"]
    return await deployment.send("GET", f"{REPORT_PATH}/{NUMBER}", [("Authorization", f"Bearer {token}")])


async def readiness(deployment: Deployment) -> int:
    deployment.now += READINESS_SHARED_MS
    return (await deployment.send("GET", "/readyz")).status


@pytest.mark.parametrize("damaged", [catalogue.NAME, disputes.NAME])
@pytest.mark.parametrize("damage", [b"{", b'{"changes": 1, "sources": {"\xff": 1}}', b"[" * 100_000])
async def test_what_is_open_goes_on_while_the_service_is_not_ready(
    open_deployment: OpenDeployment, tmp_path: Path, folder: Path, damaged: str, damage: bytes
) -> None:
    deployment = await open_deployment(tmp_path / "data")
    before = await report(deployment)
    assert (before.status, await readiness(deployment)) == (200, 200)
    whole = (folder / damaged).read_bytes()
    catalogue.update(folder, lambda held: held)
    (folder / damaged).write_bytes(damage)
    after = await report(deployment)
    assert (after.status, after.body, await readiness(deployment)) == (200, before.body, 503)
    (folder / damaged).write_bytes(whole)
    assert (await report(deployment)).status == 200
    assert await readiness(deployment) == 200


@pytest.mark.parametrize("damaged", [catalogue.NAME, disputes.NAME])
async def test_where_nothing_was_read_before_each_request_is_refused_and_the_log_says_once_why(
    open_deployment: OpenDeployment, tmp_path: Path, folder: Path, damaged: str
) -> None:
    (folder / damaged).write_bytes(b"{")

    deployment = await open_deployment(tmp_path / "data")
    look = credit_data_check(deployment.service)
    with capture_logs() as logged:
        for _ in range(3):
            assert (await report(deployment)).status == 500
            await look()
    assert await readiness(deployment) == 503
    assert deployment.service.counts.refusals["credit_data.unreadable"] == 3
    (line,) = (each for each in logged if each["event"] in {"credit_data_unreadable", "internal_error"})
    assert f"{folder / damaged} is damaged: " in line["fault"]


async def test_a_text_that_is_none_any_more_makes_a_damaged_data_set(
    open_deployment: OpenDeployment, tmp_path: Path, folder: Path
) -> None:
    """One bit turned in a name, as a disk may do."""
    (file,) = folder.glob("officers-*.sqlite")
    file.write_bytes(file.read_bytes().replace(b"Beatrix", b"Beat\xf2ix"))

    deployment = await open_deployment(tmp_path / "data")
    assert (await report(deployment)).status == 500
    assert deployment.service.counts.refusals["credit_data.unreadable"] == 1


@pytest.mark.parametrize("garbage", ["x'c1c1'", "'text'", "7"])
@pytest.mark.parametrize("query", ["businessref=SC109881", "name=limited"])
async def test_a_search_over_rows_that_are_no_companies_is_refused_as_over_any_damaged_data_set(
    open_deployment: OpenDeployment, tmp_path: Path, loaded_register: Path, garbage: str, query: str
) -> None:
    """A published data set has been checked by its digest, not row by row."""
    folder = Settings(data_dir=tmp_path / "data").credit_folder
    shutil.copytree(loaded_register, folder)
    (file,) = folder.glob("register-*.sqlite")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"UPDATE company SET entry = {garbage}")  # noqa: S608 - a constant of this test

    deployment = await open_deployment(tmp_path / "data")
    token = (await deployment.tokens())["access_token"]
    target = f"/risk/business/v2/businesstargeter?{query}"
    assert (await deployment.send("GET", target, [("Authorization", f"Bearer {token}")])).status == 500
    assert deployment.service.counts.refusals["credit_data.unreadable"] == 1
