"""Answers of the public register's API, saved as files (credit §4.1, §10). The files are written by hand."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.companies.facts.events import CaseDate, Charge, Filing, InsolvencyCase
from credence.companies.facts.people import Officer
from credence.datasets.sources.source import LoadError, Record
from tests.datasets.sources.acts import facts, held, load, load_companies, read, reasons
from tests.datasets.sources.hand_written import CASE, CHARGE, FILING, answer, officer, write, write_json
from tests.report.hand_made import report_on


def test_an_officer_is_read_with_month_and_year_of_birth_and_nothing_more_private(tmp_path: Path) -> None:
    """credit §10: no address, no day of birth, and no country of residence, which no report shows."""
    (found,) = facts("officers", write_json(tmp_path / "o.json", answer(officer("00000001"))))
    assert found == Officer(
        id="person-o1",
        role="director",
        surname="SAMPLE",
        forenames="Ada Beatrix",
        appointed=dt.date(2015, 3, 1),
        birth_year=1972,
        birth_month=5,
        nationality="British",
        occupation="Engineer",
    )
    kept = msgspec.json.encode(found)
    assert b"Secret" not in kept
    assert b"17" not in kept
    assert b"residence" not in kept


@pytest.mark.parametrize(
    ("name", "role", "expected"),
    [
        ("SAMPLE, Ada, Dr", "director", ("Dr", "Ada", "SAMPLE", False)),
        ("SAMPLE, Sir Bo Carl", "director", ("Sir", "Bo Carl", "SAMPLE", False)),
        ("SAMPLE", "secretary", ("", "", "SAMPLE", False)),
        ("ACME, SONS & CO LIMITED", "corporate-secretary", ("", "", "ACME, SONS & CO LIMITED", True)),
    ],
)
def test_names_of_officers(tmp_path: Path, name: str, role: str, expected: tuple[str, str, str, bool]) -> None:
    (found,) = facts("officers", write_json(tmp_path / "o.json", answer(officer("1", name=name, officer_role=role))))
    assert (found.title, found.forenames, found.surname, found.corporate) == expected


def test_a_charge_is_read_with_its_holders_and_what_floats(tmp_path: Path) -> None:
    (found,) = facts("charges", write_json(tmp_path / "c.json", answer(CHARGE)))
    assert found == Charge(
        id="000000010001",
        status="outstanding",
        classification="A registered charge",
        created=dt.date(2019, 5, 1),
        delivered=dt.date(2019, 5, 3),
        holders=("Placeholder Bank PLC",),
        floating=True,
        covers_all=True,
        secured="All monies due.",
        particulars="All freehold land.",
    )


def test_descriptions_that_come_as_lists_read_alike(tmp_path: Path) -> None:
    """The register's own description of its API calls them arrays."""
    listed = {**CHARGE, **{name: [CHARGE[name]] for name in ("classification", "particulars", "secured_details")}}
    one, other = (write_json(tmp_path / f"{n}.json", answer(each)) for n, each in enumerate((CHARGE, listed)))
    assert facts("charges", one) == facts("charges", other)


def test_a_case_is_read_without_its_practitioners(tmp_path: Path) -> None:
    file = write_json(
        tmp_path / "00000001-insolvency-1.json", {"etag": "0", "cases": [CASE], "status": ["liquidation"]}
    )
    steps = (CaseDate("wound-up-on", dt.date(2024, 2, 1)), CaseDate("petitioned-on", dt.date(2024, 1, 10)))
    assert facts("insolvency", file) == [InsolvencyCase("1", "compulsory-liquidation", steps)]


def test_a_filing_is_read_with_the_day_it_was_made_up_to(tmp_path: Path) -> None:
    (found,) = facts("filing-history", write_json(tmp_path / "f.json", answer(FILING)))
    description = "accounts-with-accounts-type-micro-entity"
    expected = Filing("MzAwMQ", dt.date(2025, 9, 30), "accounts", "AA", description, dt.date(2024, 12, 31), True)
    assert found == expected


def test_a_description_in_free_text_is_not_kept(tmp_path: Path) -> None:
    """It may name people."""
    entry = {**FILING, "description": "Director Ada Sample resigned"}
    (found,) = facts("filing-history", write_json(tmp_path / "f.json", answer(entry)))
    assert found.description == ""


@pytest.mark.parametrize(
    ("name", "page", "company"),
    [
        ("x.json", {"items": [FILING], "company_number": "SC1"}, None),
        ("x.json", {"items": [FILING]}, "00000001"),
        ("00000009-filing-history-1.json", {"items": []}, "00000009"),
        ("SC000009.json", {"items": [], "links": {"self": "/company/SC000009/filing-history"}}, "SC000009"),
        ("page-of-something.json", {"items": []}, None),
    ],
)
def test_whose_answer_it_is(tmp_path: Path, name: str, page: dict[str, Any], company: str | None) -> None:
    """Links and member before the file's name; two that differ are no answer at all."""
    first, *_ = read("filing-history", write_json(tmp_path / name, page))
    assert (first.company if isinstance(first, Record) else None) == company


def test_an_empty_list_means_none(tmp_path: Path) -> None:
    file = write_json(tmp_path / "00000001-charges-1.json", answer())
    assert read("charges", file) == [Record("00000001", "", None)]


def test_an_unreadable_list_does_not_mean_none(tmp_path: Path) -> None:
    file = write_json(tmp_path / "00000001-charges-1.json", answer({**CHARGE, "status": ""}))
    assert [each for each in read("charges", file) if isinstance(each, Record)] == []


@pytest.mark.parametrize(
    "unreadable",
    [
        {**CASE, "type": ""},
        {**CASE, "dates": [*CASE["dates"], {"date": "2024-02-30", "type": "case-end-on"}]},
        {**CASE, "dates": "soon"},
    ],
)
def test_an_unreadable_case_makes_insolvency_unknown_and_the_company_unscored(
    tmp_path: Path, unreadable: dict[str, Any]
) -> None:
    """It may be the one that decides: neither "none known" nor a score may be said of the rest."""
    folder = tmp_path / "credit"
    folder.mkdir()
    load_companies(folder, "00000001")
    solvent = {"type": "members-voluntary-liquidation", "number": "2", "dates": []}
    file = tmp_path / "00000001-insolvency.json"
    load("insolvency", folder, write_json(file, answer(solvent | {"number": "3"}, unreadable, member="cases")))
    company = held(folder, "00000001")
    assert company is not None
    assert (company.insolvency, company.unreadable) == (None, ("insolvency",))
    assessment = report_on(company)["Assessment"]
    assert assessment["NotScored"]["Code"] == "unscored.insolvency"
    assert assessment["Insolvency"]["State"] == "unknown"
    reasons = [each["Reason"] for each in assessment["NotHeld"] if each["Member"] == "LegalNotices (cases)"]
    assert reasons == ["An entry of the source cannot be read: there may be more than are listed."]
    load("insolvency", folder, write_json(file, answer(CASE, member="cases")))
    whole = held(folder, "00000001")
    assert whole is not None
    assert (whole.insolvency is None, whole.unreadable) == (False, ())


def test_another_list_with_an_unreadable_entry_says_that_there_may_be_more(tmp_path: Path) -> None:
    folder, file = tmp_path / "credit", tmp_path / "00000001-charges.json"
    folder.mkdir()
    load("charges", folder, write_json(file, answer(CHARGE, {**CHARGE, "status": ""})))
    company = held(folder, "00000001")
    assert company is not None
    assert company.charges is not None
    assert [each.id for each in company.charges.value] == ["000000010001"]
    reasons = {each["Member"]: each["Reason"] for each in report_on(company)["Assessment"]["NotHeld"]}
    told = "An entry of the source cannot be read: there may be more than are listed."
    assert reasons["Mortgages.MortgageDetail"] == told


def test_pages_and_lines_are_joined_and_a_missing_page_is_noticed(tmp_path: Path) -> None:
    pages = [
        answer(officer("00000001", "o1"), total_results=3, total_count=None, start_index=0),
        answer(officer("00000001", "o2"), total_results=3, total_count=None, start_index=1),
    ]
    file = write(tmp_path / "officers.jsonl", "".join(f"{json.dumps(page)}\n\n" for page in pages))
    assert reasons("officers", file) == ["answer.incomplete"]
    last = write_json(tmp_path / "3.json", answer(officer("00000001", "o3"), total_results=3, total_count=None))
    assert reasons("officers", file, last) == []


@pytest.mark.parametrize(
    ("source", "entry", "reason"),
    [
        ("officers", officer("00000001", name=""), "name.missing"),
        ("officers", officer("00000001", officer_role=""), "role.missing"),
        ("officers", officer("00000001", links={}), "id.missing"),
        ("officers", officer("00000001", resigned_on="2020-02-30"), "entry.unreadable"),
        ("charges", {**CHARGE, "status": ""}, "status.missing"),
        ("filing-history", {**FILING, "date": None}, "date.missing"),
        ("filing-history", {**FILING, "description_values": {"made_up_date": "?"}}, "date.unreadable"),
    ],
)
def test_an_entry_without_what_it_needs_costs_only_itself(
    tmp_path: Path, source: str, entry: dict[str, Any], reason: str
) -> None:
    file = write_json(tmp_path / "x.json", answer(entry, company_number="00000001"))
    assert reasons(source, file) == [reason]


@pytest.mark.parametrize(
    "text", ["", "[1]", "{", '{"errors": []}', '{"items": 3}', "[" * 5_000, '{"x": ' + "[" * 5_000]
)
def test_another_file_is_no_such_answer(tmp_path: Path, text: str) -> None:
    with pytest.raises(LoadError, match=r"x.json is not a list of officers"):
        read("officers", write(tmp_path / "x.json", text))
