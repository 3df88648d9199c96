"""The load of the register: every row is accounted for (credit §2.2)."""

import csv
import datetime as dt
import zipfile
from pathlib import Path

import pytest

from credence.companies.facts.register import Activity, RegisterEntry
from credence.datasets.loading.summary import LoadSummary
from credence.datasets.register import RegisterReader
from credence.datasets.sources.source import LoadError
from tests.datasets.snapshots import HEADER, company, load, snapshot, write


def the_entry(path: Path, number: str) -> RegisterEntry:
    register = RegisterReader(path)
    found = register.entry(number)
    register.close()
    assert found is not None
    return found


def test_the_whole_sample_is_kept_and_every_row_is_accounted_for(sample_summary: LoadSummary) -> None:
    assert sample_summary.rows == 4537
    assert sample_summary.kept == 4537
    assert sample_summary.refused == {}
    assert sample_summary.warnings == {}
    assert sample_summary.unknown_statuses == {}
    assert sample_summary.as_of == dt.date(2020, 5, 1)


def test_a_header_with_leading_spaces_is_read(tmp_path: Path) -> None:
    assert HEADER[0] == " CompanyName"
    load([write(tmp_path / "a.csv", company("01234567", "FIRST LTD"))], tmp_path / "set")
    assert the_entry(tmp_path / "set", "01234567").name == "FIRST LTD"


def test_a_byte_order_mark_before_the_header_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(snapshot([company("01234567")]), encoding="utf-8-sig")
    assert load([file], tmp_path / "set").kept == 1


def test_a_line_that_is_not_utf_8_is_read_as_cp1252(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    text = snapshot([company("01234567", "CAFÉ €1 LTD")])
    file.write_bytes(text.encode("cp1252") + snapshot([company("07654321", "CAFÉ TWO LTD")]).split("\n", 1)[1].encode())
    load([file], tmp_path / "set")
    assert the_entry(tmp_path / "set", "01234567").name == "CAFÉ €1 LTD"
    assert the_entry(tmp_path / "set", "07654321").name == "CAFÉ TWO LTD"


def test_several_zipped_parts_make_one_data_set(tmp_path: Path) -> None:
    parts = []
    for n in (1, 2):
        part = tmp_path / f"BasicCompanyData-2026-03-01-part{n}_2.zip"
        with zipfile.ZipFile(part, "w") as archive:
            archive.writestr(f"BasicCompanyData-2026-03-01-part{n}_2.csv", snapshot([company(str(n))]))
            archive.writestr("__MACOSX/._part.csv", "junk")
            archive.writestr("readme.txt", "junk")
        parts.append(part)
    summary = load(parts, tmp_path / "set")
    assert (summary.rows, summary.kept, summary.as_of) == (2, 2, dt.date(2026, 3, 1))
    assert the_entry(tmp_path / "set", "00000002").number == "00000002"


def test_of_two_rows_with_one_number_the_first_is_kept(tmp_path: Path) -> None:
    file = write(tmp_path / "a.csv", company("SC1", "FIRST"), company("2", "OTHER"), company("SC000001", "SECOND"))
    summary = load([file], tmp_path / "set")
    assert (summary.rows, summary.kept, summary.refused) == (3, 2, {"number.duplicate": 1})
    assert the_entry(tmp_path / "set", "SC000001").name == "FIRST"


def test_refused_rows_are_counted_by_reason_and_written_to_the_rejects_file(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows = [company("1"), company("12-34"), company("3", "  "), company("1")]
    file.write_text(snapshot(rows) + '"too","short"\n\n', encoding="utf-8")
    summary = load([file], tmp_path / "set")
    assert (summary.rows, summary.kept) == (5, 1)
    assert summary.rows == summary.kept + sum(summary.refused.values())
    with summary.rejects.open(encoding="utf-8", newline="") as stream:
        assert sorted(csv.reader(stream)) == [
            ["2", "12-34", "number.malformed"],
            ["3", "3", "name.missing"],
            ["4", "00000001", "number.duplicate"],
            ["5", "", "row.columns"],
            ["row", "company_number", "reason"],
        ]


def test_a_company_after_rows_that_are_not_kept_is_found_by_its_name_and_by_a_word(tmp_path: Path) -> None:
    rows = (company("1", "FIRST"), company("12-34", "BAD"), company("1", "AGAIN"), company("2", "SECOND ACORN LTD"))
    load([write(tmp_path / "a.csv", *rows)], tmp_path / "set")
    register = RegisterReader(tmp_path / "set")
    index = register.index()
    assert index is not None
    for found in (index.named(["secondacorn"], 9), index.matching("acorn", 9)):
        assert [entry.number for entry in index.companies(found)] == ["00000002"]
    assert index.matching("bad OR again", 9) == []
    register.close()


def test_an_enormous_cell_costs_only_its_row(tmp_path: Path) -> None:
    file = write(tmp_path / "a.csv", company("1", "X" * 200_000), company("2"))
    summary = load([file], tmp_path / "set")
    assert (summary.rows, summary.kept, summary.refused) == (2, 1, {"row.columns": 1})


def test_a_cell_that_cannot_be_read_is_unknown_and_counted(tmp_path: Path) -> None:
    row = company(
        "1",
        IncorporationDate="31/02/2020",
        DissolutionDate="NA",
        ConfStmtNextDueDate="2020-01-01",
        Accounts_AccountRefDay="32",
        Accounts_AccountRefMonth="12",
        Mortgages_NumMortCharges="many",
        SICCode_SicText_1="62012 - Business - and domestic",
        SICCode_SicText_2="None Supplied",
        SICCode_SicText_3="software",
    )
    summary = load([write(tmp_path / "a.csv", row)], tmp_path / "set")
    assert summary.warnings == {"date.unreadable": 2, "number.unreadable": 2, "sic.unreadable": 1}
    entry = the_entry(tmp_path / "set", "00000001")
    assert entry.incorporated is None
    assert entry.accounts.reference_day is None
    assert entry.accounts.reference_month == 12
    assert entry.charges.total is None
    assert entry.activities == (Activity("62012", "Business - and domestic"),)


def test_a_past_event_of_a_day_to_come_is_unknown_and_what_is_due_is_not(tmp_path: Path) -> None:
    """credit §11: the load is of 1 November 2026."""
    row = company(
        "1", IncorporationDate="02/11/2026", Accounts_NextDueDate="30/09/2027", ConfStmtLastMadeUpDate="01/11/2026"
    )
    summary = load([write(tmp_path / "a.csv", row)], tmp_path / "set")
    found = the_entry(tmp_path / "set", "00000001")
    assert summary.warnings == {"date.to_come": 1}
    assert (found.incorporated, found.accounts.next_due) == (None, dt.date(2027, 9, 30))
    assert found.confirmation_last_made_up == dt.date(2026, 11, 1)


def test_a_snapshot_of_a_day_to_come_is_refused(tmp_path: Path) -> None:
    """It would pass for the newest for as long."""
    with pytest.raises(LoadError, match="2026-11-02, which is yet to come"):
        load([write(tmp_path / "BasicCompanyData-2026-11-02.csv", company("1"))], tmp_path / "set")


def test_names_and_addresses_hold_no_controls_and_nothing_that_turns_the_order(tmp_path: Path) -> None:
    row = company("1", "EVIL\u202eDETIMIL\x1b LTD", RegAddress_AddressLine1="1\0 HIGH STREET")
    load([write(tmp_path / "a.csv", row)], tmp_path / "set")
    found = the_entry(tmp_path / "set", "00000001")
    assert (found.name, found.office.line_1) == ("EVILDETIMIL  LTD", "1  HIGH STREET")


def test_an_unknown_status_is_kept_as_it_is_and_named(tmp_path: Path) -> None:
    file = write(tmp_path / "a.csv", company("1", CompanyStatus="Dreaming"), company("2", CompanyStatus="ACTIVE"))
    assert load([file], tmp_path / "set").unknown_statuses == {"Dreaming": 1}
    assert the_entry(tmp_path / "set", "00000001").status == "Dreaming"


def test_columns_that_are_missing_are_named(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    header = [name for name in HEADER if name.strip() not in ("CompanyStatus", "RegAddress.PostCode")]
    file.write_text(snapshot([company("1")], header), encoding="utf-8")
    with pytest.raises(LoadError, match=r"lacks the columns RegAddress\.PostCode, CompanyStatus\."):
        load([file], tmp_path / "set")


@pytest.mark.parametrize(
    ("parts", "missing"), [((3,), "1, 2 of 3"), ((1, 3), "2 of 3"), ((1, 2, 3), "")], ids=["one", "two", "all"]
)
def test_all_the_parts_in_the_file_names_are_required(tmp_path: Path, parts: tuple[int, ...], missing: str) -> None:
    """credit §11: a part of the register would take the rest of it away."""
    names = [f"BasicCompanyData-2020-05-01-part{part}_3.csv" for part in parts]
    files = [write(tmp_path / name, company(str(n))) for n, name in enumerate(names, 1)]
    if not missing:
        assert load(files, tmp_path / "set").kept == 3
        return
    with pytest.raises(LoadError, match=f"parts {missing} are missing"):
        load(files, tmp_path / "set")


@pytest.mark.parametrize("cut", [1, 5, 30, 200])
def test_a_file_that_ends_in_the_middle_of_a_row_is_cut_off(tmp_path: Path, cut: int) -> None:
    file = write(tmp_path / "a.csv", company("1"), company("2"))
    file.write_bytes(file.read_bytes().rstrip()[:-cut])
    with pytest.raises(LoadError, match=r"a.csv is cut off"):
        load([file], tmp_path / "set")


def test_a_file_may_end_without_an_end_of_line(tmp_path: Path) -> None:
    file = write(tmp_path / "a.csv", company("1"), company("2"))
    file.write_bytes(file.read_bytes().rstrip())
    assert load([file], tmp_path / "set").kept == 2


def test_parts_of_two_snapshots_do_not_make_one(tmp_path: Path) -> None:
    files = [write(tmp_path / f"x-2026-0{n}-01.csv", company(str(n))) for n in (1, 2)]
    with pytest.raises(LoadError, match="different snapshots: 2026-01-01, 2026-02-01"):
        load(files, tmp_path / "set")


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x05\x06" + bytes(18)])
def test_a_damaged_zip_or_one_without_a_csv_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(content)
    with pytest.raises(LoadError, match=r"a\.zip"):
        load([file], tmp_path / "set")


@pytest.mark.parametrize(
    "content", [b"\0" * 3_000_000, b"\x7fELF\r\0\xff\r,", b'"' + b"x" * 200_000], ids=["0", "elf", "x"]
)
def test_a_file_that_is_no_text_is_no_snapshot(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(content)
    with pytest.raises(LoadError, match=r"a\.csv is not a register snapshot"):
        load([file], tmp_path / "set")


@pytest.mark.parametrize(("place", "value"), [(6, 1), (8, 77)], ids=["encrypted", "unknown compression"])
def test_a_zip_that_cannot_be_unpacked_is_refused(tmp_path: Path, place: int, value: int) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.csv", snapshot([company("1")]))
    content = bytearray(file.read_bytes())
    for start in (0, content.index(b"PK\x01\x02") + 2):  # the member's own header, and the directory's, two bytes on
        content[start + place] = value
    file.write_bytes(content)
    with pytest.raises(LoadError, match=r"a\.zip cannot be read"):
        load([file], tmp_path / "set")


def test_a_zip_that_grows_a_thousandfold_is_refused(tmp_path: Path) -> None:
    """A register grows five- to tenfold when it is unpacked."""
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", snapshot([company("01234567")]) + "\n" * 5_000_000)
    with pytest.raises(LoadError, match="200fold"):
        load([file], tmp_path / "set")


def test_the_progress_is_reported_every_ten_thousand_rows_and_at_the_end(tmp_path: Path) -> None:
    told: list[int] = []
    file = write(tmp_path / "a.csv", *(company(str(n)) for n in range(10_001)))
    load([file], tmp_path / "set", progress=told.append)
    assert told == [10_000, 10_001]


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.csv", "none.csv cannot be read"), ("x-2026-02-30.csv", "a date that does not exist")],
)
def test_a_file_that_is_missing_or_has_an_impossible_date_is_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(LoadError, match=message):
        load([tmp_path / name], tmp_path / "set")
