"""Members and gaps that real answers of the register have; companies, people and numbers here are invented (credit §4.1)."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from credence.companies.facts.events import InsolvencyCase, PaymentPractice
from credence.companies.facts.people import Officer
from credence.datasets.sources.source import FilesRejected, Record
from tests.datasets.sources import hand_written as made
from tests.datasets.sources.acts import facts, held, load, load_companies, read
from tests.report.hand_made import ENTRY, company, report_on

NUMBER = "00000001"


@pytest.mark.parametrize("ceased", [1, True])
def test_a_super_secure_owner_that_has_ceased_without_a_day_is_no_owner(tmp_path: Path, ceased: object) -> None:
    kind = "super-secure-person-with-significant-control"
    hidden: dict[str, Any] = {"kind": kind, "name": None, "notified_on": None, "natures_of_control": None}
    gone, present = (made.person(NUMBER, id_, ceased=value, **hidden) for id_, value in (("a", ceased), ("b", None)))
    found = read("psc", made.persons(tmp_path, gone, present))
    assert [each.id for each in found if isinstance(each, Record) and each.fact is not None] == ["b"]


@pytest.mark.parametrize(
    ("role", "name", "corporate"),
    [
        ("nominee-director", "INVENTED SECRETARIAL LIMITED", True),
        ("nominee-secretary", "INVENTED NOMINEES", True),
        ("nominee-director", "SPECIMEN, Ada", False),
        ("nominee-director", "SPECIMEN LIMITED, Ada", False),
        ("director", "INVENTED SECRETARIAL LIMITED", False),
    ],
)
def test_a_nominee_with_the_name_of_a_company_is_a_company(
    tmp_path: Path, role: str, name: str, corporate: bool
) -> None:
    entry = made.officer(NUMBER, officer_role=role, name=name, date_of_birth=None)
    (officer,) = facts("officers", made.write_json(tmp_path / f"{NUMBER}-officers.json", made.answer(entry)))
    assert isinstance(officer, Officer)
    assert officer.corporate is corporate


def test_the_verification_of_identities_is_read_and_shown(tmp_path: Path) -> None:
    verified = made.officer(NUMBER, "a", identity_verification_details={"identity_verified_on": "2026-01-15"})
    due = {"appointment_verification_statement_due_on": "2026-11-17"}
    unverified = made.officer(NUMBER, "b", identity_verification_details=due)
    found = facts("officers", made.write_json(tmp_path / f"{NUMBER}-officers.json", made.answer(verified, unverified)))
    assert [(each.identity_verified, each.verification_due) for each in found] == [
        (dt.date(2026, 1, 15), None),
        (None, dt.date(2026, 11, 17)),
    ]
    report = report_on(company(register=ENTRY, officers=tuple(found)))
    assert report["Assessment"]["IdentityVerification"] == {"Officers": 2, "Verified": 1, "NextDue": "2026-11-17"}


def test_without_a_word_on_verification_the_report_has_none(tmp_path: Path) -> None:
    found = facts("officers", made.write_json(tmp_path / f"{NUMBER}-officers.json", made.answer(made.officer(NUMBER))))
    assert "IdentityVerification" not in report_on(company(register=ENTRY, officers=tuple(found)))["Assessment"]


def test_the_charge_behind_a_receiver_is_read_and_shown(tmp_path: Path) -> None:
    case: dict[str, Any] = {
        "type": "receiver-manager",
        "number": 1,
        "dates": [{"type": "instrumented-on", "date": "2025-05-01"}],
        "links": {"charge": f"/company/{NUMBER}/charges/Ab1-cd2Ef3"},
    }
    (found,) = facts("insolvency", made.write_json(tmp_path / f"{NUMBER}-insolvency.json", {"cases": [case]}))
    assert isinstance(found, InsolvencyCase)
    assert found.charge == "Ab1-cd2Ef3"
    (shown,) = report_on(company(register=ENTRY, insolvency=(found,)))["Assessment"]["InsolvencyCases"]
    assert shown["Charge"] == "Ab1-cd2Ef3"


def test_the_disputed_share_of_invoices_is_read_and_shown(tmp_path: Path) -> None:
    column = "% Invoices not paid within agreed terms due to dispute"
    row = made.practice(**{column: "4.5"})
    (found,) = facts("payment-practices", made.practices(tmp_path / "1.csv", row, header=(*made.WIDE, column)))
    assert isinstance(found, PaymentPractice)
    assert found.disputed == 4.5
    (shown,) = report_on(company(register=ENTRY, payment_practices=(found,)))["Assessment"]["PaymentPractices"]
    assert shown["PercentDisputed"] == 4.5


def test_an_answer_that_is_cut_says_so_in_the_report_until_a_whole_one_is_loaded(tmp_path: Path) -> None:
    file, folder = tmp_path / f"{NUMBER}-officers.json", tmp_path / "credit"
    folder.mkdir()
    load("officers", folder, made.write_json(file, made.answer(made.officer(NUMBER), total_count=74)))
    cut = held(folder, NUMBER)
    assert cut is not None
    reasons = {each["Member"]: each["Reason"] for each in report_on(cut)["Assessment"]["NotHeld"]}
    assert reasons["ManagementInfo"] == "The register's answer was cut: there are more than are listed."
    load("officers", folder, made.write_json(file, made.answer(made.officer(NUMBER))))
    whole = held(folder, NUMBER)
    assert whole is not None
    assert "ManagementInfo" not in {each["Member"] for each in report_on(whole)["Assessment"]["NotHeld"]}


def event(timepoint: int, *cases: dict[str, Any], number: str = NUMBER, type_: str = "changed") -> dict[str, Any]:
    """One line of the stream of insolvency cases; a deleted resource has no data."""
    line: dict[str, Any] = {
        "resource_kind": "company-insolvency",
        "resource_uri": f"/company/{number}/insolvency",
        "resource_id": number,
        "event": {"timepoint": timepoint, "published_at": "2026-01-22T18:28:02", "type": type_},
    }
    return line if type_ == "deleted" else line | {"data": {"cases": list(cases), "etag": "0" * 40}}


def test_the_newest_event_of_a_stream_replaces_the_cases_of_its_company(tmp_path: Path) -> None:
    """The form is typed in within minutes: the second event has the case with its number, whatever order the lines have."""
    started = {"type": "in-administration", "dates": []}
    whole = {
        "type": "in-administration",
        "number": 1,
        "dates": [{"type": "administration-started-on", "date": "2026-01-20"}],
    }
    lines = event(20, whole), event(10, started), event(5, made.CASE, number="SC000002")
    file, folder = tmp_path / "insolvency.jsonl", tmp_path / "credit"
    folder.mkdir()
    load_companies(folder, NUMBER)
    file.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    assert load("insolvency", folder, file).kept == 2
    cases = held(folder, NUMBER)
    assert cases is not None
    assert cases.insolvency is not None
    assert [(case.number, len(case.dates)) for case in cases.insolvency.value] == [("1", 1)]
    file.write_text(json.dumps(event(30, type_="deleted")), encoding="utf-8")
    load("insolvency", folder, file)
    after = held(folder, NUMBER)
    assert after is not None
    assert after.insolvency is not None
    assert after.insolvency.value == ()


def test_a_load_of_an_insolvency_answer_says_that_the_file_carries_the_number(tmp_path: Path) -> None:
    folder = tmp_path / "credit"
    folder.mkdir()
    with pytest.raises(
        FilesRejected, match=r"number\.missing.*Name each file after its company, such as 01234567-insol"
    ):
        load("insolvency", folder, made.write_json(tmp_path / "answer.json", {"cases": [made.CASE]}))
