"""Profiles of companies, in the shapes of real answers and events (credit §4.1). Everything here is invented."""

from pathlib import Path
from typing import Any

import pytest

from credence.companies.facts.company import Profile
from credence.datasets.sources.source import LoadError
from tests.datasets.sources import hand_written as made
from tests.datasets.sources.acts import facts, held, load, reasons
from tests.datasets.sources.test_stream_events import NUMBER, OTHER, write

REMARKS: dict[str, Any] = {
    "has_insolvency_history": True,
    "undeliverable_registered_office_address": False,
    "registered_office_is_in_dispute": False,
}


def profile(number: str = NUMBER, **more: Any) -> dict[str, Any]:
    return {
        "company_name": "PLACEHOLDER LIMITED",
        "company_number": number,
        "company_status": "active",
        "registered_office_address": {"address_line_1": "1 Secret Street", "postal_code": "ZZ99 9ZZ"},
        "type": "ltd",
        **more,
    }


def event(data: dict[str, Any] | None, timepoint: int = 1, number: str = NUMBER) -> dict[str, Any]:
    """One line of the stream of companies; without data the company is deleted."""
    line: dict[str, Any] = {
        "resource_kind": "company-profile",
        "resource_uri": f"/company/{number}",
        "resource_id": number,
        "event": {"timepoint": timepoint, "type": "deleted" if data is None else "changed"},
    }
    return line if data is None else line | {"data": data}


def of(folder: Path, number: str = NUMBER) -> tuple[Profile, ...] | None:
    company = held(folder, number)
    return company.profile.value if company and company.profile else None


def test_the_remarks_of_an_answer_are_read_and_nothing_else(tmp_path: Path) -> None:
    file = made.write_json(tmp_path / "01234567-profile.json", profile(**REMARKS))
    assert facts("profile", file) == [Profile(True, False, False)]


def test_a_remark_that_a_profile_lacks_is_unknown(tmp_path: Path) -> None:
    file = made.write_json(tmp_path / "p.json", profile(has_insolvency_history=False))
    assert facts("profile", file) == [Profile(insolvency_history=False)]


@pytest.mark.parametrize("other", [made.answer(made.CHARGE), {}, [], profile(company_name=None)])
def test_another_answer_is_no_profile(tmp_path: Path, other: Any) -> None:
    with pytest.raises(LoadError, match=r"p\.json is not the profile of a company"):
        facts("profile", made.write_json(tmp_path / "p.json", other))


def test_a_profile_whose_number_is_none_belongs_to_no_company(tmp_path: Path) -> None:
    assert reasons("profile", made.write_json(tmp_path / "p.json", profile("???"))) == ["number.malformed"]


def test_a_later_answer_replaces_the_earlier_one(tmp_path: Path) -> None:
    folder = tmp_path / "credit"
    load("profile", folder, made.write_json(tmp_path / "p.json", profile(**REMARKS)))
    load("profile", folder, made.write_json(tmp_path / "p.json", profile(has_insolvency_history=False)))
    assert of(folder) == (Profile(insolvency_history=False),)


def test_an_event_changes_what_it_has_and_keeps_what_it_lacks(tmp_path: Path) -> None:
    folder = tmp_path / "credit"
    load("profile", folder, made.write_json(tmp_path / "p.json", profile(**REMARKS)))
    newest = event(profile(undeliverable_registered_office_address=True), 9)
    lines = newest, event(profile(undeliverable_registered_office_address=False), 8), event(profile(OTHER), 1, OTHER)
    load("profile", folder, write(tmp_path / "companies.jsonl", *lines))
    assert of(folder) == (Profile(True, True, False),)
    assert of(folder, OTHER) == (Profile(),)
    company = held(folder, OTHER)
    assert company is not None
    assert company.profile is not None
    assert not company.profile.cut


def test_a_deleted_company_has_no_profile(tmp_path: Path) -> None:
    folder = tmp_path / "credit"
    answers = [made.write_json(tmp_path / f"{each}.json", profile(each, **REMARKS)) for each in (NUMBER, OTHER)]
    load("profile", folder, *answers)
    load("officers", folder, made.write_json(tmp_path / "o.json", made.answer(made.officer(NUMBER))))
    load("profile", folder, write(tmp_path / "companies.jsonl", event(None, 2)))
    assert of(folder) == ()
    assert of(folder, OTHER) == (Profile(True, False, False),)


def test_an_event_of_another_stream_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "credit"
    other = event(profile()) | {"resource_uri": f"/company/{NUMBER}/charges/c1"}
    found = load("profile", folder, write(tmp_path / "companies.jsonl", event(profile(**REMARKS)), other))
    assert (found.kept, found.refused) == (1, {"event.other": 1})
