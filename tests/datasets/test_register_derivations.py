"""What only the register as a whole can say of a company (credit §2.2, derived at load)."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from credence.datasets.loading.register_writing import NumberSet
from credence.datasets.register import RegisterReader
from tests.datasets.snapshots import company, load, write


def at(number: str, line: str, postcode: str = "", **more: str) -> dict[str, str]:
    """A company with this address."""
    return company(number, RegAddress_AddressLine1=line, RegAddress_PostCode=postcode, **more)


def neighbours(folder: Path, *rows: Mapping[str, str]) -> list[int | None]:
    """How many companies share each one's address, in the order of the rows."""
    load([write(folder / "a.csv", *rows)], folder / "set")
    register = RegisterReader(folder / "set")
    entries = [register.entry(row["CompanyNumber"].zfill(8)) for row in rows]
    register.close()
    return [entry.companies_at_office if entry else -1 for entry in entries]


def test_companies_at_one_address_are_counted_however_it_is_written(tmp_path: Path) -> None:
    rows = (
        at("1", "12 Acorn Street", "ZZ1 1ZZ"),
        at("2", "12, ACORN STREET.", "ZZ11ZZ", RegAddress_PostTown="OAKHAM"),
        at("3", "12 Acorn Street", "ZZ1 1ZY"),
        at("4", "14 Acorn Street", "ZZ1 1ZZ"),
    )
    assert neighbours(tmp_path, *rows) == [2, 2, 1, 1]


def test_the_second_line_distinguishes_buildings_of_one_name(tmp_path: Path) -> None:
    rows = (
        at("1", "Acorn House", "ZZ1 1ZZ", RegAddress_AddressLine2="12 Oak Road"),
        at("2", "Acorn House", "ZZ1 1ZZ", RegAddress_AddressLine2="99 Oak Road"),
        at("3", "ACORN HOUSE", "ZZ1 1ZZ", RegAddress_AddressLine2="12 OAK ROAD"),
    )
    assert neighbours(tmp_path, *rows) == [2, 1, 2]


def test_without_a_postcode_the_town_belongs_to_the_address(tmp_path: Path) -> None:
    rows = (
        at("1", "12 Acorn Street", RegAddress_PostTown="OAKHAM"),
        at("2", "12 Acorn Street", RegAddress_PostTown="ELMHAM"),
        at("3", "12 Acorn Street", RegAddress_PostTown="Oakham"),
    )
    assert neighbours(tmp_path, *rows) == [2, 1, 2]


def test_an_address_of_which_too_little_is_known_has_an_unknown_number_of_companies(tmp_path: Path) -> None:
    rows = (at("1", "", "ZZ1 1ZZ"), at("2", "", "ZZ1 1ZZ"), at("3", "12 Acorn Street"), company("4"))
    assert neighbours(tmp_path, *rows) == [None, None, None, None]


def test_companies_are_counted_by_the_division_of_their_first_activity_of_sic_2007(tmp_path: Path) -> None:
    rows = (
        company("1", SICCode_SicText_1="62012 - Software", SICCode_SicText_2="01110 - Cereals"),
        company("2", SICCode_SicText_1="62020 - Consultancy"),
        company("3", SICCode_SicText_1="01110 - Cereals"),
        company("4", SICCode_SicText_1="7222 - Software, by SIC 2003"),
        company("5", SICCode_SicText_1="None Supplied"),
        company("1", SICCode_SicText_1="62012 - A second row of the first company"),
    )
    load([write(tmp_path / "a.csv", *rows)], tmp_path / "set")
    register = RegisterReader(tmp_path / "set")
    assert register.divisions() == {"01": 1, "62": 2}
    register.close()


@pytest.mark.parametrize("number", ["00000000", "99999999", "SC000001", "IP00261C", "R0000001", "NI999999"])
def test_a_number_is_new_once(number: str) -> None:
    numbers = NumberSet()
    others = ["00000001", "NI000001", "SC000002", "IP00261R", "R0000002"]
    assert [numbers.add(each) for each in (*others, number, *others, number)] == [True] * 6 + [False] * 6


def test_dissolved_companies_at_an_address_are_counted_apart_and_a_company_is_not_its_own_neighbour(
    tmp_path: Path,
) -> None:
    """Two of three at one address no longer exist; nobody shares the other address."""
    gone = {"CompanyStatus": "Dissolved"}
    rows = (
        at("1", "12 Acorn Street", "ZZ1 1ZZ"),
        at("2", "12, ACORN STREET.", "ZZ11ZZ", **gone),
        at("3", "12 Acorn Street", "ZZ1 1ZZ", **gone),
        at("4", "1 Beech Road", "ZZ1 1ZZ", **gone),
    )
    load([write(tmp_path / "a.csv", *rows)], tmp_path / "set")
    register = RegisterReader(tmp_path / "set")
    entries = [register.entry(f"0000000{number}") for number in range(1, 5)]
    register.close()
    assert [entry.dissolved_at_office for entry in entries if entry] == [2, 1, 1, None]
