"""What a folder of downloads has that is newer than what is held; files are known by their published names."""

import datetime as dt
import os
from pathlib import Path

import pytest

from credence.clock import london_day as day_of
from credence.datasets import catalogue
from credence.datasets.loading.load import load as load_source
from credence.datasets.loading.refresh import SOURCES, DueFiles, due_files
from tests.datasets.sources.acts import NOW, load, load_companies
from tests.datasets.sources.hand_written import (
    answer,
    feed,
    notice,
    officer,
    person,
    persons,
    practice,
    practices,
    write,
    write_json,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "credit"


@pytest.fixture
def downloads(tmp_path: Path) -> Path:
    path = tmp_path / "downloads"
    path.mkdir()
    return path


def found(downloads: Path, folder: Path) -> list[tuple[str, list[str], str]]:
    return [(each.source, [file.name for file in each.files], each.problem) for each in _due(downloads, folder)]


def _due(downloads: Path, folder: Path) -> list[DueFiles]:
    return due_files(downloads, catalogue.read(folder))


def test_a_snapshot_counts_if_it_is_newer_than_the_loaded_one(downloads: Path, folder: Path) -> None:
    older = persons(downloads, person("00000001"), day="2026-10-31")
    newer = persons(downloads, person("00000001"), day="2026-11-01")
    assert found(downloads, folder) == [("psc", [newer.name], "")]
    load("psc", folder, older)
    assert found(downloads, folder) == [("psc", [newer.name], "")]
    load("psc", folder, newer)
    assert found(downloads, folder) == []


def test_files_with_a_date_that_is_to_come_stay_due_until_then(downloads: Path, folder: Path) -> None:
    """A notice of tomorrow, and a snapshot of tomorrow next to today's."""
    today = day_of(NOW)
    tomorrow = today + dt.timedelta(days=1)
    file = feed(downloads / "gazette-1.json", notice(), notice("4000002", published=f"{tomorrow}T00:00:00"))
    load("gazette", folder, file)
    assert found(downloads, folder) == [("gazette", ["gazette-1.json"], "")]
    load_source(SOURCES["gazette"], [file], folder, NOW + 86_400_000)
    assert found(downloads, folder) == []
    far = feed(downloads / "gazette-2.json", notice(), notice("4000003", published="2126-01-01T00:00:00"))
    load("gazette", folder, far)
    assert found(downloads, folder) == []
    persons(downloads, person("00000001"), day=str(today))
    persons(downloads, person("00000001"), day=str(tomorrow))
    due = due_files(downloads, catalogue.read(folder), today)
    assert [each.description for each in due] == [f"persons-with-significant-control-snapshot-{today}.txt"]


def test_a_snapshot_in_parts_counts_when_all_are_there(downloads: Path, folder: Path) -> None:
    for part in (10, 2, 1, 3, 4, 5, 6, 7, 9):
        write(downloads / f"BasicCompanyData-2026-11-01-part{part}_10.zip", "")
    names = [f"BasicCompanyData-2026-11-01-part{part}_10.zip" for part in (1, 2, 3, 4, 5, 6, 7, 9, 10)]
    assert found(downloads, folder) == [("register", names, "parts 8 of 10 are missing")]
    write(downloads / "BasicCompanyData-2026-11-01-part8_10.zip", "")
    ((source, ordered, why_not),) = found(downloads, folder)
    assert (source, why_not) == ("register", "")
    assert ordered == [f"BasicCompanyData-2026-11-01-part{part}_10.zip" for part in range(1, 11)]


def test_the_loaded_register_is_not_loaded_again(downloads: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    load_companies(folder, "00000001")
    write(downloads / "BasicCompanyDataAsOneFile-2026-11-01.zip", "")
    assert found(downloads, folder) == []
    write(downloads / "BasicCompanyDataAsOneFile-2026-12-01.zip", "")
    assert found(downloads, folder) == [("register", ["BasicCompanyDataAsOneFile-2026-12-01.zip"], "")]


def test_single_files_count_once_and_again_when_they_change(downloads: Path, folder: Path) -> None:
    page = feed(downloads / "gazette-2026-11-01-1.json", notice())
    table = practices(downloads / "payment-practices.csv", practice())
    assert found(downloads, folder) == [("gazette", [page.name], ""), ("payment-practices", [table.name], "")]
    load("gazette", folder, page)
    load("payment-practices", folder, table)
    assert found(downloads, folder) == []
    os.utime(table, ns=(1, 1))
    assert found(downloads, folder) == [("payment-practices", [table.name], "")]


def test_all_pages_of_a_company_count_when_one_is_new(downloads: Path, folder: Path) -> None:
    """An answer replaces all that is held of its company."""
    one = write_json(downloads / "00000001-officers-1.json", answer(officer("00000001")))
    other = write_json(downloads / "00000002-officers-1.json", answer(officer("00000002")))
    load("officers", folder, one, other)
    write_json(downloads / "00000001-officers-2.json", answer(officer("00000001", "o2")))
    assert found(downloads, folder) == [("officers", ["00000001-officers-1.json", "00000001-officers-2.json"], "")]


def test_other_files_are_left_alone(downloads: Path, folder: Path) -> None:
    write(downloads / "holiday.zip", "")
    write(downloads / "BasicCompanyData-2026-13-01.zip", "")
    (downloads / "gazette-folder.json").mkdir()
    assert found(downloads, folder) == []
