"""The register is replaced as a whole or not at all (credit §11)."""

import fcntl
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from credence.datasets import catalogue
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.loading.load import load_register
from credence.datasets.register import CurrentRegister
from credence.datasets.sources.source import LoadError
from tests.datasets.snapshots import NOW, company, write

NUMBER = "00000001"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A register that holds one company is in service here."""
    folder = tmp_path / "data"
    load_register([write(tmp_path / "old.csv", company(NUMBER, "OLD LTD"))], folder, 0)
    return folder


@pytest.fixture
def reader(folder: Path) -> Iterator[CurrentRegister]:
    reader = CurrentRegister(folder)
    yield reader
    reader.close()


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A snapshot that gives the company another name."""
    return write(tmp_path / "new.csv", company(NUMBER, "NEW LTD"))


def name_in(reader: CurrentRegister) -> str | None:
    found = reader.newest().entry(NUMBER)
    return found.name if found else None


def test_without_a_data_set_every_company_is_unknown(tmp_path: Path) -> None:
    register = CurrentRegister(tmp_path / "none").newest()
    assert register.entry(NUMBER) is None
    assert register.index() is None
    assert register.divisions() == {}
    assert register.last_id() == 0


def test_a_reader_sees_the_old_data_set_while_the_new_one_is_written_and_then_the_new_one(
    folder: Path, reader: CurrentRegister, new: Path
) -> None:
    seen: list[str | None] = []
    load_register([new], folder, 1, lambda _: seen.append(name_in(reader)))
    assert seen == ["OLD LTD"]
    assert name_in(reader) == "NEW LTD"


def test_a_search_under_way_ends_in_the_data_set_it_began_in(
    tmp_path: Path, folder: Path, reader: CurrentRegister, new: Path
) -> None:
    load_register([write(tmp_path / "two.csv", company("1", "OLD ONE"), company("2", "OLD TWO"))], folder, 1)
    index = reader.newest().index()
    assert index is not None
    under_way = index.with_prefix("old", 10)
    load_register([new], folder, 2, accept_fewer=True)
    other = CurrentRegister(folder)
    assert name_in(other) == "NEW LTD"
    other.close()
    assert [entry.name for entry in index.companies(under_way)] == ["OLD ONE", "OLD TWO"]


def test_a_load_that_dies_midway_leaves_the_old_data_set_serving(
    folder: Path, reader: CurrentRegister, new: Path
) -> None:
    def die(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_register([new], folder, 1, die)
    assert name_in(reader) == "OLD LTD"
    assert not list(folder.glob("*.draft"))


def test_a_second_part_that_is_no_snapshot_leaves_the_old_data_set_serving(
    tmp_path: Path, folder: Path, reader: CurrentRegister, new: Path
) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(LoadError, match=r"bad\.csv is not a register snapshot"):
        load_register([new, bad], folder, 1)
    assert name_in(reader) == "OLD LTD"


@pytest.mark.parametrize(
    ("rows", "why"), [([], "they have no rows"), ([company("not a number")], "number.malformed 1")]
)
def test_a_snapshot_without_a_row_to_keep_replaces_nothing(
    tmp_path: Path, folder: Path, reader: CurrentRegister, rows: list[dict[str, str]], why: str
) -> None:
    with pytest.raises(LoadError, match=f"no row that can be kept: {why}"):
        load_register([write(tmp_path / "empty.csv", *rows)], folder, 1)
    assert name_in(reader) == "OLD LTD"


def test_a_register_of_far_fewer_companies_is_taken_only_on_request(
    tmp_path: Path, folder: Path, reader: CurrentRegister, new: Path
) -> None:
    load_register([write(tmp_path / "two.csv", company(NUMBER, "OLD LTD"), company("2", "OLD TWO"))], folder, 1)
    with pytest.raises(LoadError, match="hold 1 companies and 2 are in service: give --accept-fewer"):
        load_register([new], folder, 2)
    assert name_in(reader) == "OLD LTD"


def test_a_register_of_an_earlier_day_is_taken_only_on_request(
    tmp_path: Path, folder: Path, reader: CurrentRegister
) -> None:
    november, october = (tmp_path / f"BasicCompanyData-2026-{month}-01.csv" for month in (11, 10))
    load_register([write(november, company(NUMBER, "NEW LTD"))], folder, NOW)
    with pytest.raises(LoadError, match="are of 2026-10-01, and those of 2026-11-01 are in service: give --older"):
        load_register([write(october, company(NUMBER, "OLDER LTD"))], folder, NOW)
    assert name_in(reader) == "NEW LTD"
    load_register([october], folder, NOW, accept_older=True)
    assert name_in(reader) == "OLDER LTD"
    load_register([november], folder, NOW)
    assert name_in(reader) == "NEW LTD"


def test_two_loads_at_once_do_not_mix(folder: Path, new: Path) -> None:
    with (folder / "register.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(LoadError, match="being loaded by another process"):
            load_register([new], folder, 1)
    assert load_register([new], folder, 2).kept == 1


def test_the_staging_file_of_a_killed_load_is_overwritten(folder: Path, reader: CurrentRegister, new: Path) -> None:
    (folder / "register.sqlite.draft").write_bytes(b"half a data set")
    load_register([new], folder, 1)
    assert name_in(reader) == "NEW LTD"


def test_a_register_that_is_removed_leaves_every_company_unknown(folder: Path, reader: CurrentRegister) -> None:
    assert name_in(reader) == "OLD LTD"
    catalogue.remove(folder, "register")
    assert name_in(reader) is None


def test_a_data_set_of_another_layout_asks_to_be_loaded_again(folder: Path, reader: CurrentRegister) -> None:
    data_set = folder / catalogue.read(folder).sources["register"].file
    connection = sqlite3.connect(data_set)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(UnusableDataSet, match="layout 99"):
        reader.newest()
