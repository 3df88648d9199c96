"""`Assessment.Insolvency` and `AlertsNotTried`: one answer, and no silence that reads as "clean" (docs/report.md)."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.events import CaseDate, Filing, InsolvencyCase, Notice
from credence.report.build.alerts import RULES
from credence.report.render.compose import compose
from tests.report.hand_made import ENTRY, LARGER, NOTHING, WHOLE, YEAR_2025, company, filing, held, report_on
from tests.report.render.companies import CONTACT, report
from tests.report.test_report_score import sound

DAY = dt.date(2026, 4, 10)
PETITION = Notice("1", "2450", DAY)
ORDER = Notice("2", "2452", dt.date(2026, 5, 5))
DISMISSED = Notice("3", "2461", dt.date(2026, 5, 20))
SECOND, AGAIN = Notice("4", "2450", dt.date(2026, 5, 1)), Notice("5", "2450", dt.date(2026, 5, 25))
PETITIONED = InsolvencyCase("1", "compulsory-liquidation", (CaseDate("petitioned-on", DAY),))
STRUCK_OFF = Filing("1", DAY, "gazette", "GAZ2", "gazette-dissolved-voluntary")
STATUSES = ("Active", "Liquidation", "Voluntary Arrangement", "RECEIVERSHIP", "Active - Proposal to Strike off")


OF_ACCOUNTS = (
    "RELATED-DEBTORS",
    *("GOING-CONCERN", "OPINION", "NET-LIABILITIES", "LOSS", "NO-COVER", "THIN", "STOCKS"),
    *("OWNER-SUPPORT", "MODELS", "CURRENCY"),
    *("UNBALANCED", "OLD-ACCOUNTS", "NEWER-ACCOUNTS"),
)
"""Alerts that only accounts with figures can raise."""


def case(type_: str, *steps: tuple[str, dt.date]) -> InsolvencyCase:
    """An insolvency case with these steps."""
    return InsolvencyCase("1", type_, tuple(CaseDate(*step) for step in steps))


def answer(**parts: Any) -> dict[str, Any]:
    """`Assessment.Insolvency` of a company of these parts."""
    found: dict[str, Any] = report_on(company(**parts))["Assessment"]["Insolvency"]
    return found


def entry(status: str, **changes: Any) -> Any:
    """A register entry with this status."""
    return msgspec.structs.replace(ENTRY, status=status, **changes)


@pytest.mark.parametrize(
    ("parts", "state", "since"),
    [
        ({"register": ENTRY}, "none known", None),
        ({"register": ENTRY, "notices": (PETITION,)}, "petition", DAY),
        ({"register": ENTRY, "insolvency": (case("compulsory-liquidation", ("petitioned-on", DAY)),)}, "petition", DAY),
        ({"register": ENTRY, "notices": (PETITION, ORDER)}, "failed", dt.date(2026, 5, 5)),
        ({"register": ENTRY, "notices": (PETITION, DISMISSED)}, "none known", None),
        ({"register": ENTRY, "notices": (PETITION, DISMISSED, AGAIN)}, "petition", AGAIN.published),
        ({"register": ENTRY, "notices": (PETITION, SECOND, DISMISSED)}, "petition", SECOND.published),
        ({"register": ENTRY, "notices": (DISMISSED,), "insolvency": (PETITIONED,)}, "none known", None),
        ({"register": ENTRY, "insolvency": (case("in-administration", ("administration-started-on", DAY)),)}, "failed", DAY),
        ({"register": entry("Liquidation")}, "failed", None),
        ({"register": entry("In Administration")}, "failed", None),
        ({"register": ENTRY, "insolvency": (case("moratorium", ("moratorium-started-on", DAY)),)}, "proceedings", DAY),
        ({"register": ENTRY, "insolvency": (case("restructuring-plan"),)}, "proceedings", None),
        ({"register": ENTRY, "notices": (Notice("1", "2441", DAY),)}, "proceedings", DAY),
        ({"register": entry("Dissolved", dissolved=DAY)}, "dissolved", DAY),
        ({"register": ENTRY, "filings": (STRUCK_OFF,)}, "dissolved", DAY),
        ({"register": NOTHING}, "unknown", None),
        ({"accounts": (filing(YEAR_2025),)}, "unknown", None),
        ({"accounts": (filing(YEAR_2025),), "notices": ()}, "none known", None),
        ({"accounts": (filing(YEAR_2025),), "insolvency": ()}, "none known", None),
    ],
)  # fmt: skip
def test_the_state_and_its_first_day(parts: dict[str, Any], state: str, since: dt.date | None) -> None:
    found = answer(**parts)
    assert found["State"] == state
    assert found.get("Since") == (since.isoformat() if since else None)


@pytest.mark.parametrize(
    "status", ["Active", "Liquidation", "Voluntary Arrangement", "RECEIVERSHIP", "Active - Proposal to Strike off"]
)
@pytest.mark.parametrize("cases", [(), (case("in-administration", ("administration-started-on", DAY)),)])
def test_failed_is_what_the_score_calls_failed(status: str, cases: tuple[InsolvencyCase, ...]) -> None:
    """Two answers to one question would be none."""
    said = report_on(company(register=entry(status), insolvency=cases, notices=()))["Assessment"]
    assert (said["Insolvency"]["State"] == "failed") is said["Score"]["Failed"]


def test_a_solvent_liquidation_is_no_insolvency_and_an_ended_case_is_none_either() -> None:
    """Credit §4.1: the members' creditors are paid."""
    solvent = case("members-voluntary-liquidation", ("declaration-solvent-on", DAY), ("wound-up-on", DAY))
    found = answer(register=ENTRY, insolvency=(solvent,), notices=(Notice("1", "2441", DAY),))
    assert (found["State"], found["Words"]) == ("none known", "in a solvent liquidation by its members")
    ended = case("in-administration", ("administration-started-on", DAY), ("administration-ended-on", DAY))
    assert answer(register=ENTRY, insolvency=(ended,))["State"] == "none known"


def test_an_old_case_that_ended_gives_neither_day_nor_words_to_a_new_one() -> None:
    begun, ended = ("administration-started-on", dt.date(2019, 1, 1)), ("administration-ended-on", dt.date(2020, 1, 1))
    old = case("in-administration", begun, ended)
    found = answer(register=ENTRY, insolvency=(old, case("moratorium", ("moratorium-started-on", DAY))))
    assert (found["Since"], found["Words"]) == (DAY.isoformat(), "insolvency proceedings since 10 April 2026")
    assert answer(register=entry("Liquidation"), insolvency=(old,))["Words"] == "failed"


def test_each_source_has_what_it_says_and_its_day_and_the_others_are_named() -> None:
    found = answer(register=ENTRY, notices=(PETITION,))
    assert found["Sources"] == [
        {"Part": "Register", "Says": "Active", "AsOf": "2026-05-01"},
        {"Part": "Notices", "Says": "winding-up petition of 10 April 2026", "AsOf": "2026-05-01"},
    ]
    assert found["NotHeld"] == ["Insolvency"]
    assert answer(accounts=(filing(YEAR_2025),))["NotHeld"] == ["Register", "Insolvency", "Notices"]


@pytest.mark.parametrize(
    ("subject", "head"),
    [
        (company(register=ENTRY, notices=(PETITION,)), "Active, winding-up petition of 10 April 2026"),
        (company(register=ENTRY), "Active, no insolvency known"),
        (company(register=entry("Liquidation")), "Liquidation, failed"),
        (company(accounts=(filing(YEAR_2025),)), "Insolvency unknown: no source of it is on record"),
    ],
)
def test_the_head_of_the_page_has_the_answer_beside_the_status(subject: Company, head: str) -> None:
    assert head in compose(report(subject), CONTACT).facts


def untried(subject: Company) -> dict[str, str]:
    """Code of each rule that was not tried -> how far it was."""
    found = report_on(subject)["Assessment"].get("AlertsNotTried", [])
    assert all(each["Reason"].endswith(".") for each in found)
    return {each["AlertCode"]: each["Tried"] for each in found}


def test_a_company_of_which_nothing_is_held_is_not_clean() -> None:
    """Every rule waits for facts but those of disputes, which are our own, and of groups and partnerships: it is neither."""
    subject = Company(number="00000001", accounts=held(()))
    (alerts,) = report_on(subject)["Alerts"]
    assert alerts["NotesCount"] == 0
    own = {"DISPUTED", "GROUP-WEAKER", "MEMBERS-DEBTS"}
    assert untried(subject) == {rule.code: "not" for rule in RULES if rule.code not in own}


def test_a_rule_is_tried_in_part_when_one_of_its_sources_is_missing() -> None:
    assert untried(company(register=ENTRY, notices=())) == {
        "INSOLVENCY": "in part",
        "INSOLVENCY-HISTORY": "not",
        "OFFICE": "not",
        "NEW-CHARGE": "not",
        "SLOW-PAYER": "not",
        **dict.fromkeys(OF_ACCOUNTS, "not"),
    }


def test_a_petition_leads_the_words_of_the_band() -> None:
    """Whoever reads only the headline reads of it first."""
    said = report_on(msgspec.structs.replace(sound(), notices=held((PETITION,))))["Assessment"]
    assert said["Headline"]["Reservations"][0]["Code"] == "PETITION"
    assert said["Headline"]["Words"].startswith("Very high risk: a petition to wind it up is open")


def test_open_proceedings_that_are_no_failure_are_named_beside_the_band() -> None:
    open_case = held((case("moratorium", ("moratorium-started-on", DAY)),))
    said = report_on(msgspec.structs.replace(sound(), insolvency=open_case))["Assessment"]
    assert said["Insolvency"]["State"] == "proceedings"
    assert said["Headline"]["Words"] == f"{said['Score']['BandText']}, but insolvency proceedings are open"


def test_an_open_case_that_is_too_old_to_count_is_named_beside_the_status_and_the_band() -> None:
    steps = (CaseDate("wound-up-on", dt.date(2023, 1, 1)),)
    old = held((InsolvencyCase("1", "creditors-voluntary-liquidation", steps),))
    said = report_on(msgspec.structs.replace(sound(), insolvency=old))["Assessment"]
    assert said["Insolvency"]["State"] == "none known"
    assert said["Insolvency"]["Words"] == "no insolvency known now, last event: resolution to wind up on 1 January 2023"
    assert said["Headline"]["Words"] == f"{said['Score']['BandText']}, but a past insolvency event is on record"


def test_the_alert_of_a_case_that_has_ended_names_its_end() -> None:
    ended = case(
        "in-administration",
        ("administration-started-on", dt.date(2019, 3, 1)),
        ("administration-ended-on", dt.date(2020, 3, 1)),
    )
    report = report_on(company(register=ENTRY, insolvency=(ended,)))
    (note,) = (each["AlertNote"] for each in report["Alerts"][0]["Notes"] if each["AlertCode"] == "INSOLVENCY")
    assert (
        note
        == "The latest event: administrator appointed, 2019-03-01; since then: administrator discharged, 2020-03-01."
    )
    words = report["Assessment"]["Insolvency"]["Words"]
    assert words == "no insolvency known now, last event: administrator discharged on 1 March 2020"


def test_a_rule_that_applies_was_tried_whatever_is_missing() -> None:
    assert "INSOLVENCY" not in untried(company(notices=(PETITION,)))


def test_with_every_source_every_rule_is_tried() -> None:
    assert untried(LARGER) == {}
    assert untried(WHOLE) == {"MODELS": "not"}, "a balance sheet of 1,500 is too small for them"


def test_no_charge_on_the_register_is_no_new_charge() -> None:
    none = msgspec.structs.replace(ENTRY, charges=msgspec.structs.replace(ENTRY.charges, total=0))
    assert "NEW-CHARGE" not in untried(company(register=none))


def test_without_a_due_date_nothing_can_be_late() -> None:
    undated = msgspec.structs.replace(
        ENTRY, confirmation_next_due=None, accounts=msgspec.structs.replace(ENTRY.accounts, next_due=None)
    )
    assert {"ACCOUNTS-LATE", "STATEMENT-LATE"} <= untried(company(register=undated)).keys()
    gone = msgspec.structs.replace(undated, status="Dissolved", dissolved=DAY)
    assert not {"ACCOUNTS-LATE", "STATEMENT-LATE"} & untried(company(register=gone)).keys()


def test_the_page_names_what_was_not_tried() -> None:
    page = compose(report(company(register=ENTRY)), CONTACT)
    assert "Some checks could not be run" in [each.head for each in page.warnings.notes]
    assert "Some checks could not be run" not in [each.head for each in compose(report(LARGER), CONTACT).warnings.notes]
