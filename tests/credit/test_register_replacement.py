"""A data set is replaced as a whole or not at all."""

import fcntl
import sqlite3
from pathlib import Path

import pytest

from credence.credit.register import LayoutError, Register
from credence.credit.sources import LoadError
from credence.credit.sources.register import load

from .snapshots import company, write


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A data set that holds one company."""
    path = tmp_path / "data" / "register.sqlite3"
    load([write(tmp_path / "old.csv", company("1", "OLD LTD"))], path, now_ms=0)
    return path


def name_of_the_company(register: Register) -> str | None:
    found = register.entry("00000001")
    return found.name if found else None


def test_without_a_data_set_every_company_is_unknown(tmp_path: Path) -> None:
    register = Register(tmp_path / "none")
    assert register.entry("00000001") is None
    assert register.index() is None
    assert register.divisions() == {}
    assert register.data_version is None


def test_a_reader_sees_the_new_data_set_at_its_next_read(old: Path, tmp_path: Path) -> None:
    register = Register(old)
    before = register.data_version
    assert name_of_the_company(register) == "OLD LTD"
    assert register.data_version == before

    load([write(tmp_path / "new.csv", company("1", "NEW LTD"))], old, now_ms=1)

    assert name_of_the_company(register) == "NEW LTD"
    assert register.data_version != before
    register.close()


def test_a_reader_sees_the_old_data_set_while_the_new_one_is_written(old: Path, tmp_path: Path) -> None:
    register = Register(old)
    seen: list[str | None] = []
    new = write(tmp_path / "new.csv", company("1", "NEW LTD"))
    load([new], old, now_ms=1, progress=lambda _: seen.append(name_of_the_company(register)))
    assert seen == ["OLD LTD"]
    assert name_of_the_company(register) == "NEW LTD"
    register.close()


def test_a_search_under_way_ends_in_the_data_set_it_began_in(old: Path, tmp_path: Path) -> None:
    load([write(tmp_path / "two.csv", company("1", "OLD ONE"), company("2", "OLD TWO"))], old, now_ms=1)
    reader, other = Register(old), Register(old)
    index = reader.index()
    assert index is not None
    under_way = index.beginning("old", 10)
    load([write(tmp_path / "new.csv", company("1", "NEW LTD"))], old, now_ms=2)
    assert name_of_the_company(other) == "NEW LTD"
    assert [entry.name for entry in index.companies(under_way)] == ["OLD ONE", "OLD TWO"]
    reader.close()
    other.close()


def test_a_load_that_dies_midway_leaves_the_old_data_set_serving(old: Path, tmp_path: Path) -> None:
    register = Register(old)
    before = register.data_version

    def die(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load([write(tmp_path / "new.csv", company("1", "NEW LTD"))], old, now_ms=1, progress=die)

    assert name_of_the_company(register) == "OLD LTD"
    assert register.data_version == before
    assert not list(old.parent.glob("*.draft"))
    register.close()


def test_a_second_part_that_is_no_snapshot_leaves_the_old_data_set_serving(old: Path, tmp_path: Path) -> None:
    good, bad = write(tmp_path / "good.csv", company("1", "NEW LTD")), tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(LoadError, match=r"bad\.csv is no register snapshot"):
        load([good, bad], old, now_ms=1)
    register = Register(old)
    assert name_of_the_company(register) == "OLD LTD"
    register.close()


@pytest.mark.parametrize("rows", [[], [company("not a number")]])
def test_a_snapshot_without_a_row_to_keep_replaces_nothing(
    old: Path, tmp_path: Path, rows: list[dict[str, str]]
) -> None:
    with pytest.raises(LoadError, match="no row that can be kept"):
        load([write(tmp_path / "empty.csv", *rows)], old, now_ms=1)
    register = Register(old)
    assert name_of_the_company(register) == "OLD LTD"
    register.close()


def test_two_loads_at_once_do_not_mix(old: Path, tmp_path: Path) -> None:
    new = write(tmp_path / "new.csv", company("1", "NEW LTD"))
    with old.with_name(f"{old.name}.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(LoadError, match="being loaded by another process"):
            load([new], old, now_ms=1)
    assert load([new], old, now_ms=2).kept == 1


def test_a_draft_that_a_killed_load_left_behind_is_written_anew(old: Path, tmp_path: Path) -> None:
    old.with_name(f"{old.name}.draft").write_bytes(b"half a data set")
    assert load([write(tmp_path / "new.csv", company("1", "NEW LTD"))], old, now_ms=1).kept == 1


def test_a_data_set_that_vanishes_leaves_every_company_unknown(old: Path) -> None:
    register = Register(old)
    assert name_of_the_company(register) == "OLD LTD"
    old.unlink()
    assert name_of_the_company(register) is None
    assert register.data_version is None


def test_a_data_set_of_another_layout_asks_to_be_loaded_again(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LayoutError, match="layout 99"):
        Register(old).entry("00000001")
