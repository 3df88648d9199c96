"""Events of the register's streams about single entries, in the shapes of real ones (credit §4.1).

Real events have the company in their address alone, and those about officers do not name the person. Everything here is
invented.
"""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from credence.companies.ownership import Subsidiaries
from credence.datasets.credit_data import CreditData
from credence.datasets.loading.retention import remove
from credence.datasets.sources.source import FilesRejected, LoadError
from tests.datasets.sources import hand_written as made
from tests.datasets.sources.acts import held, load, load_companies
from tests.report.hand_made import report_on
from tests.sweeps import sample

NUMBER = "01234567"
OTHER = "07654321"


def event(
    resource: str,
    entry: str,
    data: dict[str, Any] | None,
    timepoint: int = 1,
    number: str = NUMBER,
    published: str = "2026-11-02",
) -> dict[str, Any]:
    """One line of a stream; without data the entry is deleted."""
    line: dict[str, Any] = {
        "resource_kind": "company-any",
        "resource_uri": f"/company/{number}/{resource}/{entry}",
        "resource_id": entry.rpartition("/")[2],
        "event": {
            "timepoint": timepoint,
            "published_at": f"{published}T18:28:02",
            "type": "deleted" if data is None else "changed",
        },
    }
    return line if data is None else line | {"data": data}


def write(file: Path, *lines: dict[str, Any]) -> Path:
    file.write_text("\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
    return file


def appointment(id_: str, number: str = NUMBER, **more: Any) -> dict[str, Any]:
    return {
        "name": "SAMPLE, Ada",
        "officer_role": "director",
        "appointed_on": "2020-01-01",
        "links": {"self": f"/company/{number}/appointments/{id_}"},
        **more,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made_folder = tmp_path / "credit"
    made_folder.mkdir()
    load_companies(made_folder, NUMBER, OTHER)
    return made_folder


def test_an_event_changes_one_officer_and_keeps_the_others_and_the_person(folder: Path, tmp_path: Path) -> None:
    person = {"officer": {"appointments": "/officers/the-person/appointments"}}
    first, second = appointment("a1"), appointment("a2", name="EXAMPLE, Bo")
    for each in (first, second):
        each["links"] |= person if each is first else {"officer": {"appointments": "/officers/other/appointments"}}
    load("officers", folder, made.write_json(tmp_path / "o.json", {"items": [first, second], "total_results": 2}))
    resigned = event("appointments", "a1", appointment("a1", resigned_on="2026-01-02"), 20)
    typed_before = event("appointments", "a1", appointment("a1", resigned_on="2025-01-02"), 10)
    load("officers", folder, write(tmp_path / "officers.jsonl", resigned, typed_before))
    company = held(folder, NUMBER)
    assert company is not None
    assert company.officers is not None
    assert {(each.id, str(each.resigned)) for each in company.officers.value} == {
        ("the-person", "2026-01-02"),
        ("other", "None"),
    }
    assert not company.officers.cut


def test_a_deleted_officer_is_gone_from_the_report_and_from_the_search(folder: Path, tmp_path: Path) -> None:
    load("officers", folder, made.write_json(tmp_path / "o.json", made.answer(made.officer(NUMBER))))
    credit_data = CreditData(folder)
    (officer,) = credit_data.company(NUMBER).officers.value  # type: ignore[union-attr]
    id_ = made.officer(NUMBER)["links"]["self"].rpartition("/")[2]
    load("officers", folder, write(tmp_path / "officers.jsonl", event("appointments", id_, None)))
    company = credit_data.company(NUMBER)
    assert company is not None
    assert company.officers is not None
    assert company.officers.value == ()
    assert list(credit_data.appointments(f"surname {officer.surname.lower()}")) == []
    credit_data.close()


def test_an_event_about_a_company_whose_list_is_not_held_says_that_there_may_be_more(
    folder: Path, tmp_path: Path
) -> None:
    load("officers", folder, write(tmp_path / "officers.jsonl", event("appointments", "a1", appointment("a1"))))
    company = held(folder, NUMBER)
    assert company is not None
    assert company.officers is not None
    assert [each.surname for each in company.officers.value] == ["SAMPLE"]
    reasons = {each["Member"]: each["Reason"] for each in report_on(company)["Assessment"]["NotHeld"]}
    assert reasons["ManagementInfo"] == "The register's answer was cut: there are more than are listed."


def test_charges_and_filings_load_from_their_streams(folder: Path, tmp_path: Path) -> None:
    charge: dict[str, Any] = {"charge_code": "012345670001", "status": "outstanding", "created_on": "2025-02-03"}
    charge |= {"links": {"self": f"/company/{NUMBER}/charges/c1"}}
    load("charges", folder, write(tmp_path / "charges.jsonl", event("charges", "c1", charge)))
    satisfied = charge | {"status": "fully-satisfied", "satisfied_on": "2026-01-05"}
    load("charges", folder, write(tmp_path / "charges.jsonl", event("charges", "c1", satisfied, 2)))
    filing = {"transaction_id": "f1", "date": "2026-01-07", "category": "accounts", "type": "AA"}
    load("filing-history", folder, write(tmp_path / "filing.jsonl", event("filing-history", "f1", filing)))
    company = held(folder, NUMBER)
    assert company is not None
    assert company.charges is not None
    assert company.filings is not None
    assert [(each.id, each.status) for each in company.charges.value] == [("012345670001", "fully-satisfied")]
    assert [each.id for each in company.filings.value] == ["f1"]


def test_owners_change_on_top_of_a_snapshot_and_not_without_one(folder: Path, tmp_path: Path) -> None:
    changed = made.person(NUMBER, "p1", ceased_on="2026-01-03")["data"]
    new = made.body(OTHER, NUMBER, "b2")["data"]
    lines = (
        event("persons-with-significant-control/individual", "p1", changed),
        event("persons-with-significant-control/corporate-entity", "b2", new, number=OTHER),
        event("persons-with-significant-control/individual", "p2", None),
    )
    file = write(tmp_path / "psc.jsonl", *lines)
    with pytest.raises(LoadError, match="load the snapshot first"):
        load("psc", folder, file)
    snapshot = made.persons(tmp_path, made.person(NUMBER), made.person(NUMBER, "p2"))
    load("psc", folder, snapshot)
    load("psc", folder, file)
    credit_data = CreditData(folder)
    company = credit_data.company(NUMBER)
    assert company is not None
    assert company.owners is not None
    assert [(each.id, str(each.ceased)) for each in company.owners.value] == [("p1", "2026-01-03")]
    assert credit_data.subsidiaries(NUMBER) == Subsidiaries((OTHER,))
    credit_data.close()


def test_an_event_that_cannot_be_read_leaves_its_entry_unknown(folder: Path, tmp_path: Path) -> None:
    charge: dict[str, Any] = {"charge_code": "012345670001", "status": "outstanding", "created_on": "2025-02-03"}
    charge |= {"links": {"self": f"/company/{NUMBER}/charges/c1"}}
    second = {"charge_code": "012345670002", "links": {"self": f"/company/{NUMBER}/charges/c2"}}
    other = event("charges", "c2", charge | second)
    load("charges", folder, write(tmp_path / "charges.jsonl", event("charges", "c1", charge), other))
    load(
        "charges", folder, write(tmp_path / "charges.jsonl", event("charges", "c1", charge | {"status": ""}, 2), other)
    )
    company = held(folder, NUMBER)
    assert company is not None
    assert company.charges is not None
    assert [each.id for each in company.charges.value] == ["012345670002"]
    assert company.unreadable == ("charges",)


def loaded_officers(folder: Path) -> list[tuple[str, str]]:
    company = held(folder, NUMBER)
    assert company is not None
    assert company.officers is not None
    return [(each.surname, str(each.resigned)) for each in company.officers.value]


@pytest.mark.parametrize("last", [None, appointment("a1", resigned_on="2026-10-30")])
def test_an_older_event_that_is_loaded_later_changes_nothing(
    folder: Path, tmp_path: Path, last: dict[str, Any] | None
) -> None:
    before = write(tmp_path / "1.jsonl", event("appointments", "a1", appointment("a1"), 10))
    after = write(tmp_path / "2.jsonl", event("appointments", "a1", last, 20))
    load("officers", folder, after)
    found = loaded_officers(folder)
    summary = load("officers", folder, before)
    assert summary.warnings == {"event.older": 1}
    assert loaded_officers(folder) == found
    newest = write(tmp_path / "3.jsonl", event("appointments", "a1", appointment("a1", name="OTHER, Ada"), 30))
    load("officers", folder, newest)
    assert loaded_officers(folder) == [("OTHER", "None")]


def test_an_event_that_was_loaded_changes_no_answer_that_is_loaded_after_it(folder: Path, tmp_path: Path) -> None:
    changed = write(tmp_path / "1.jsonl", event("appointments", "a1", appointment("a1"), 10))
    load("officers", folder, changed)
    resigned = {"items": [appointment("a1", resigned_on="2026-10-30")], "total_results": 1}
    load("officers", folder, made.write_json(tmp_path / "o.json", resigned))
    load("officers", folder, changed)
    assert loaded_officers(folder) == [("SAMPLE", "2026-10-30")]


def test_an_event_from_before_the_snapshot_changes_nothing(folder: Path, tmp_path: Path) -> None:
    load("psc", folder, made.persons(tmp_path, made.person(NUMBER), day="2026-11-01"))
    resource = "persons-with-significant-control/individual"
    for day, expected in (("2026-10-31", 1), ("2026-11-01", 0)):
        load("psc", folder, write(tmp_path / "psc.jsonl", event(resource, "p1", None, published=day)))
        company = held(folder, NUMBER)
        assert company is not None
        assert company.owners is not None
        assert len(company.owners.value) == expected


def test_events_of_an_entry_end_in_the_same_present_in_any_order(folder: Path, tmp_path: Path) -> None:
    events = [
        event("appointments", "a1", appointment("a1"), 10),
        event("appointments", "a1", appointment("a1", officer_role=""), 20),
        event("appointments", "a1", None, 30),
        event("appointments", "a1", appointment("a1", name="OTHER, Ada"), 40),
        event("appointments", "a1", appointment("a1", officer_role=""), 50),
    ]
    for size in (3, len(events)):
        found = set[str]()
        for order in sample(list(itertools.permutations(events[:size])), 6):
            remove("officers", folder)
            load("officers", folder, write(tmp_path / "0.jsonl", event("appointments", "a0", appointment("a0"))))
            for line in order:
                load("officers", folder, write(tmp_path / "1.jsonl", line))
            company = held(folder, NUMBER)
            assert company is not None
            found.add(f"{company.officers} {company.unreadable}")
        assert len(found) == 1, found


def test_an_event_of_another_stream_is_refused(folder: Path, tmp_path: Path) -> None:
    file = write(tmp_path / "any.jsonl", event("appointments", "a1", appointment("a1")))
    with pytest.raises(FilesRejected, match=r"event\.other"):
        load("charges", folder, file)
