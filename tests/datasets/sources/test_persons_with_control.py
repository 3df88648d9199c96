"""The snapshot of persons with significant control (credit §4.2, §10). The files are written by hand."""

import datetime as dt
import zipfile
from pathlib import Path

import msgspec
import pytest

from credence.companies.facts.people import Owner
from credence.datasets.sources.source import LoadError, Record
from tests.datasets.sources.acts import facts, read, reasons
from tests.datasets.sources.hand_written import body, person, persons, snapshot_of_persons, totals


def test_a_body_is_read_with_its_register_and_its_natures(tmp_path: Path) -> None:
    (owner,) = facts("psc", persons(tmp_path, body("00000001", "00000002", ceased_on="2020-12-31")))
    assert owner == Owner(
        id="b1",
        kind="corporate-entity-person-with-significant-control",
        name="PLACEHOLDER HOLDINGS LIMITED",
        natures=("ownership-of-shares-75-to-100-percent",),
        corporate=True,
        registration_number="00000002",
        country="England",
        notified=dt.date(2016, 4, 6),
        ceased=dt.date(2020, 12, 31),
    )


def test_of_a_person_neither_address_nor_birth_nor_nationality_is_kept(tmp_path: Path) -> None:
    """credit §10."""
    (owner,) = facts("psc", persons(tmp_path, person("00000001")))
    kept = msgspec.json.encode(owner)
    for private in (b"Secret", b"ZZ99", b"1970", b"British", b"birth", b"address"):
        assert private not in kept
    assert owner.corporate is False


def test_a_protected_person_is_stored_without_a_name(tmp_path: Path) -> None:
    line = person(
        "00000001",
        kind="super-secure-person-with-significant-control",
        name=None,
        natures_of_control=None,
        notified_on=None,
        description="super-secure-persons-with-significant-control",
    )
    (owner,) = facts("psc", persons(tmp_path, line))
    assert (owner.name, owner.natures, owner.corporate) == ("", (), False)


@pytest.mark.parametrize("kind", ["persons-with-significant-control-statement", "exemptions"])
def test_a_statement_makes_the_company_known_without_an_owner(tmp_path: Path, kind: str) -> None:
    line = person("00000001", kind=kind, name=None, natures_of_control=None, statement="no-individual-or-entity")
    assert read("psc", persons(tmp_path, line)) == [Record("00000001", "", None)]


def test_parts_and_zips_read_as_the_whole(tmp_path: Path) -> None:
    one = snapshot_of_persons(tmp_path / "psc-snapshot-2026-11-01_1of2.txt", person("00000001"))
    two = snapshot_of_persons(tmp_path / "two.txt", person("00000002"), totals(2))
    zipped = tmp_path / "psc-snapshot-2026-11-01_2of2.zip"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(two, "psc-snapshot-2026-11-01_2of2.txt")
        archive.writestr("__MACOSX/._psc-snapshot-2026-11-01_2of2.txt", b"\0\1")
    assert len(facts("psc", one, zipped)) == 2


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([person("00000001")], "lack the last line"),
        ([person("00000001"), totals(2)], "hold 1 records and the snapshot 2"),
        ([person("00000001"), person("00000002"), totals(1)], "hold 2 records and the snapshot 1"),
    ],
)
def test_a_part_that_is_missing_or_comes_twice_is_noticed(tmp_path: Path, lines: list[object], said: str) -> None:
    """Replacing by half a snapshot would say "no owner" of the companies in the other half."""
    file = snapshot_of_persons(tmp_path / "psc-snapshot-2026-11-01_1of2.txt", *lines)  # type: ignore[arg-type]
    with pytest.raises(LoadError, match=said):
        read("psc", file)


def test_what_cannot_be_read_is_refused_with_its_place_and_never_its_content(tmp_path: Path) -> None:
    file = persons(
        tmp_path,
        person("00000001"),
        person("not a number"),
        person("00000002", links=None),
        person("00000003", ceased_on="2020-13-01"),
        person("00000004", notified_on="soon"),
    )
    found = read("psc", file)
    assert [(each.where, each.reason) for each in found if not isinstance(each, Record)] == [
        (f"{file.name}, line 2", "number.malformed"),
        (f"{file.name}, line 3", "id.missing"),
        (f"{file.name}, line 4", "ceased.unreadable"),
        (f"{file.name}, line 5", "date.unreadable"),
    ]


def test_a_broken_line_costs_only_itself(tmp_path: Path) -> None:
    file = snapshot_of_persons(tmp_path / "s.txt", person("00000001"), totals(2))
    file.write_text(file.read_text().replace("\n", "\n{broken\n", 1))
    assert reasons("psc", file) == ["line.unreadable"]


def test_a_line_that_nests_without_end_costs_only_itself(tmp_path: Path) -> None:
    """Such a line stops a decoder by its depth, not by its form."""
    file = snapshot_of_persons(tmp_path / "s.txt", person("00000001"), totals(2))
    deep = '{"company_number": "00000001", "data": ' + '{"a":' * 20_000 + "1" + "}" * 20_001
    file.write_text(file.read_text().replace("\n", f"\n{deep}\n", 1))
    assert reasons("psc", file) == ["line.unreadable"]


def test_a_file_of_something_else_is_no_snapshot(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("a,b\n1,2\n")
    with pytest.raises(LoadError, match=r"other.txt is not a snapshot of persons"):
        read("psc", other)
