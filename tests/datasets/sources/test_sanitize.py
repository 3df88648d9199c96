"""Corrections to the facts of every source before they are stored (credit §11)."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from credence.companies.facts.people import Owner
from credence.datasets.loading.load import load_register
from credence.datasets.sources.sanitize import sanitize
from credence.datasets.sources.source import LoadError, Record
from tests.datasets.snapshots import company as row
from tests.datasets.snapshots import write as write_snapshot
from tests.datasets.sources.acts import NOW, held, load
from tests.datasets.sources.hand_written import (
    CASE,
    CHARGE,
    FILING,
    answer,
    feed,
    notice,
    officer,
    person,
    persons,
    practice,
    practices,
    totals,
    write_json,
)

TO_COME = "3000-01-01"
NUMBER = "00000001"


def test_a_notice_with_a_future_date_is_refused_and_the_others_are_kept(tmp_path: Path, folder: Path) -> None:
    done = load("gazette", folder, feed(tmp_path / "1.json", notice(), notice("4000002", published=TO_COME)))
    assert done.refused == {"date.to_come": 1}
    company = held(folder, NUMBER)
    assert company is not None
    assert company.notices is not None
    assert [each.id for each in company.notices.value] == ["4000001"]


@pytest.mark.parametrize("published", [TO_COME, "soon"])
def test_a_company_with_one_refused_notice_has_unknown_notices(tmp_path: Path, folder: Path, published: str) -> None:
    load_register([write_snapshot(tmp_path / "r.csv", row(NUMBER), row("00000002"))], folder, NOW)
    about_another = notice("4000002", content="<p>(Company Number 00000002)</p>")
    load("gazette", folder, feed(tmp_path / "1.json", notice(published=published), about_another))
    company = held(folder, NUMBER)
    assert company is not None
    assert company.notices is None


@pytest.mark.parametrize("member", ["appointed_on", "resigned_on"])
def test_an_officer_of_a_day_to_come_is_neither_an_officer_nor_none(tmp_path: Path, folder: Path, member: str) -> None:
    load_register([write_snapshot(tmp_path / "r.csv", row(NUMBER))], folder, NOW)
    file = write_json(tmp_path / "o.json", answer(officer(NUMBER, **{member: TO_COME})))
    load("officers", folder, file)
    company = held(folder, NUMBER)
    assert company is not None
    assert company.officers is None


def test_optional_future_dates_are_unknown(tmp_path: Path, folder: Path) -> None:
    load("charges", folder, write_json(tmp_path / "c.json", answer(CHARGE | {"created_on": TO_COME})))
    filing = FILING | {"description_values": {"made_up_date": TO_COME}}
    load("filing-history", folder, write_json(tmp_path / "f.json", answer(filing)))
    rows = practices(tmp_path / "p.csv", practice(**{"Filing date": "9999-12-31"}))
    assert load("payment-practices", folder, rows).warnings == {"date.to_come": 1}
    company = held(folder, NUMBER)
    assert company is not None
    assert company.charges is not None
    assert [each.created for each in company.charges.value] == [None]
    assert company.filings is not None
    assert [each.made_up for each in company.filings.value] == [None]
    assert company.payment_practices is not None
    assert [each.filed for each in company.payment_practices.value] == [None]


def test_of_the_steps_of_a_case_only_a_planned_one_may_be_to_come(tmp_path: Path, folder: Path) -> None:
    dates = [{"date": TO_COME, "type": kind} for kind in ("wound-up-on", "due-to-be-dissolved-on")]
    case = CASE | {"dates": [*CASE["dates"], *dates]}
    load("insolvency", folder, write_json(tmp_path / "i.json", {"cases": [case], "company_number": NUMBER}))
    company = held(folder, NUMBER)
    assert company is not None
    assert company.insolvency is not None
    (found,) = company.insolvency.value
    assert [step.type for step in found.dates] == ["wound-up-on", "petitioned-on", "due-to-be-dissolved-on"]


def test_an_owner_who_ceases_one_day_leaves_the_owners_unknown(tmp_path: Path, folder: Path) -> None:
    lines = person(NUMBER), person(NUMBER, "p2", ceased_on=TO_COME), person("00000002", notified_on=TO_COME)
    load("psc", folder, persons(tmp_path, *lines))
    load_register([write_snapshot(tmp_path / "r.csv", row(NUMBER))], folder, NOW)
    company, other = held(folder, NUMBER), held(folder, "00000002")
    assert company is not None
    assert company.owners is None
    assert other is not None
    assert other.owners is not None
    assert [each.notified for each in other.owners.value] == [None]


@pytest.mark.parametrize(
    "line",
    [
        person(NUMBER, natures_of_control=None) | {"data": {"natures_of_control": None}},
        person(NUMBER, links=None),
        person(NUMBER, ceased_on="2020-13-01"),
    ],
)
def test_a_refused_line_does_not_mean_that_nobody_owns_the_company(
    tmp_path: Path, folder: Path, line: dict[str, Any]
) -> None:
    load_register([write_snapshot(tmp_path / "r.csv", row(NUMBER), row("00000003"))], folder, NOW)
    done = load("psc", folder, persons(tmp_path, person("00000002"), person(NUMBER, "p2"), line))
    assert sum(done.refused.values()) == 1
    company, none = held(folder, NUMBER), held(folder, "00000003")
    assert company is not None
    assert company.owners is None
    assert none is not None
    assert none.owners is not None
    assert none.owners.value == ()


@pytest.mark.parametrize(("refused", "taken"), [(10, True), (11, False)])
def test_a_snapshot_with_many_refused_lines_is_not_taken(
    tmp_path: Path, folder: Path, refused: int, taken: bool
) -> None:
    good = [json.dumps(person(f"{n:08}")) for n in range(1, 101)]
    bad = ['{"company_number": "00000200", "data": null}'] * refused
    file = tmp_path / "psc-snapshot-2026-11-01.txt"
    file.write_text("\n".join([*good, *bad, json.dumps(totals(100 + refused))]))
    if taken:
        assert load("psc", folder, file).kept == 100
        return
    with pytest.raises(LoadError, match="11 cannot be read"):
        load("psc", folder, file)
    assert (folder / "psc.rejects.csv").read_text().count("line.unreadable") == 11


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("EVIL\u202eDETIMIL", "EVILDETIMIL"),
        ("NUL\0 BYTE\x1b[2J", "NUL  BYTE [2J"),
        ("C1 \x85\x9b END", "C1   END"),
        ("\u2066ISOLATED\u2069 \u200fRIGHT", "ISOLATED RIGHT"),
        ('QUOTED "NAME" \\ CAF\u00c9 \u0645\u062b\u0627\u0644', 'QUOTED "NAME" \\ CAF\u00c9 \u0645\u062b\u0627\u0644'),
    ],
)
def test_texts_hold_no_controls_and_nothing_that_turns_the_order(name: str, expected: str) -> None:
    owner = Owner("1", "legal-person", name, (name,), notified=dt.date(2020, 1, 1))
    (found,) = sanitize([Record(NUMBER, "1", owner)], dt.date(2026, 11, 1))
    assert found == Record(NUMBER, "1", Owner("1", "legal-person", expected, (expected,), notified=dt.date(2020, 1, 1)))


def test_a_snapshot_of_owners_of_a_day_to_come_is_refused(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(LoadError, match="2026-11-06, which is yet to come"):
        load("psc", folder, persons(tmp_path, person(NUMBER), day="2026-11-06"))
