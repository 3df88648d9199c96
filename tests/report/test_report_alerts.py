"""Alerts and disputes in the report: each rule where it applies and nowhere else (docs/report.md, credit §10)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Profile
from credence.companies.facts.events import CaseDate, Filing, InsolvencyCase, Notice
from credence.report.build.alerts import RULES
from tests.report.hand_made import CHARGE, ENTRY, WHOLE, YEAR_2025, company, filing, held, report_on

DAY = dt.date(2026, 3, 2)


def alert_codes(subject: Any) -> list[str]:
    """The codes of the alerts of a report."""
    (alerts,) = report_on(subject)["Alerts"]
    notes = alerts.get("Notes", [])
    assert alerts["NotesCount"] == len(notes)
    assert alerts["NotesLength"] == str(sum(len(each["AlertNote"]) for each in notes))
    return [each["AlertCode"] for each in notes]


def wound_up(type_: str) -> InsolvencyCase:
    """A liquidation that began on the day."""
    return InsolvencyCase("1", type_, (CaseDate("wound-up-on", DAY),))


def test_a_company_without_problems_has_an_alert_count_of_zero() -> None:
    clean = msgspec.structs.replace(WHOLE, insolvency=held(()), notices=held(()), charges=held(()), disputes=())
    clean = msgspec.structs.replace(clean, profile=held((Profile(False, False, False),)))
    assert alert_codes(clean) == []


@pytest.mark.parametrize(("due", "late"), [(dt.date(2026, 4, 30), True), (dt.date(2026, 5, 1), False)])
def test_accounts_are_overdue_by_the_day_of_the_snapshot_not_of_the_report(due: dt.date, late: bool) -> None:
    """Credit §2.2: overdue is next due < snapshot date, here 1 May 2026; the report is of 1 June."""
    entry = msgspec.structs.replace(ENTRY, accounts=msgspec.structs.replace(ENTRY.accounts, next_due=due))
    assert ("ACCOUNTS-LATE" in alert_codes(company(register=entry))) is late


def test_an_overdue_confirmation_statement_has_its_days() -> None:
    entry = msgspec.structs.replace(ENTRY, confirmation_next_due=dt.date(2026, 4, 30))
    notes = report_on(company(register=entry))["Alerts"][0]["Notes"]
    note = next(each for each in notes if each["AlertCode"] == "STATEMENT-LATE")
    assert note["AlertNote"].endswith("had not been filed on 2026-05-01, 1 day late.")


def test_a_dissolved_company_is_not_late() -> None:
    entry = msgspec.structs.replace(ENTRY, status="Dissolved", confirmation_next_due=dt.date(2020, 1, 1))
    assert alert_codes(company(register=entry)) == ["DISSOLVED"]


def test_a_proposal_to_strike_off_is_an_alert_until_it_is_discontinued() -> None:
    proposed = Filing("1", dt.date(2026, 1, 1), "gazette", "GAZ1", "gazette-notice-voluntary")
    dropped = Filing("2", dt.date(2026, 2, 1), "gazette", "DISS40", "gazette-filings-brought-up-to-date")
    assert alert_codes(company(filings=(proposed,))) == ["STRIKE-OFF"]
    assert alert_codes(company(filings=(proposed, dropped))) == []


def test_an_insolvency_is_an_alert_and_a_solvent_liquidation_is_not() -> None:
    """Credit §4.1: a members' voluntary liquidation shows J and H too and is no failure."""
    notices = (Notice("1", "2441", DAY), Notice("2", "2443", DAY))
    insolvent = company(insolvency=(wound_up("creditors-voluntary-liquidation"),), notices=notices)
    solvent = company(insolvency=(wound_up("members-voluntary-liquidation"),), notices=notices)
    assert alert_codes(insolvent) == ["INSOLVENCY"]
    assert alert_codes(solvent) == []
    assert [each["EventType"] for each in report_on(solvent)["LegalNotices"]["SummaryLine"]] == ["J", "H"]
    assert [each["Solvent"] for each in report_on(solvent)["Assessment"]["InsolvencyCases"]] == [True]
    assert [each["Solvent"] for each in report_on(insolvent)["Assessment"]["InsolvencyCases"]] == [False]


def test_a_case_of_an_unknown_type_has_no_solvency() -> None:
    """Credit §4.1: unknown is left out, never a guess."""
    (case,) = report_on(company(insolvency=(wound_up("restructuring-plan"),)))["Assessment"]["InsolvencyCases"]
    assert case["Type"] == "Restructuring plan"
    assert "Solvent" not in case


@pytest.mark.parametrize(
    ("changed", "alert"),
    [
        ({"created": dt.date(2025, 6, 2)}, True),
        ({"created": dt.date(2025, 6, 1)}, False),
        ({"status": "fully-satisfied"}, False),
        ({"created": None, "delivered": dt.date(2026, 1, 1)}, True),
        ({"created": None, "delivered": None}, False),
    ],
)
def test_a_charge_is_new_for_twelve_months(changed: dict[str, Any], alert: bool) -> None:
    charge = msgspec.structs.replace(CHARGE, **changed)
    assert alert_codes(company(charges=(charge,))) == (["NEW-CHARGE"] if alert else [])


def test_contradictory_accounts_are_an_alert() -> None:
    """Credit §3.4."""
    unbalanced = filing(msgspec.structs.replace(YEAR_2025, balanced=False))
    assert alert_codes(company(accounts=(unbalanced,))) == ["UNBALANCED"]
    unchecked = filing(msgspec.structs.replace(YEAR_2025, balanced=None))
    assert alert_codes(company(accounts=(unchecked,))) == []


def test_a_dispute_is_carried_until_it_is_closed() -> None:
    """Credit §10."""
    said = report_on(WHOLE)
    assert said["NoticeOfCorrection"] == {
        "NumCorrections": 1,
        "NOCDetail": [{"Reference": "NumberEmployees", "Text": "It was six (open since 2026-05-03)"}],
    }
    assert "DISPUTED" in alert_codes(WHOLE)
    assert report_on(company(register=ENTRY))["NoticeOfCorrection"] == {"NumCorrections": 0}


def test_alert_codes_and_headings_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.header for rule in RULES}) == len(RULES)
