"""Failures and late filings around a company (docs/judgement.md): facts, which neither score nor name a person."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.events import CaseDate, Filing, InsolvencyCase
from credence.companies.facts.people import Officer
from credence.report.build.group import Group, group_of
from credence.report.render.compose import compose
from credence.report.schema.report import LtdCompanyData
from tests.report.hand_made import DIRECTOR, ENTRY, company, held, report_on
from tests.report.render.companies import CONTACT
from tests.report.test_report_people import Register

WOUND_UP = dt.date(2024, 11, 5)


def other(*cases: InsolvencyCase, number: str = "00000002", **changes: Any) -> Company:
    """Another company of the director, with insolvency cases."""
    officer = msgspec.structs.replace(DIRECTOR, appointed=dt.date(2015, 1, 1), **changes)
    entry = msgspec.structs.replace(ENTRY, number=number, name="INVENTED PAST LIMITED")
    return Company(number=number, register=held(entry), officers=held((officer,)), insolvency=held(cases))


def connections(*others: Company, officers: tuple[Officer, ...] = (DIRECTOR,), **parts: Any) -> dict[str, Any]:
    subject = company(register=ENTRY, officers=officers, **parts)
    found: dict[str, Any] = report_on(subject, group_of(subject, Register(subject, *others)))["Assessment"][
        "Connections"
    ]
    return found


ORDERED = InsolvencyCase("1", "compulsory-liquidation", (CaseDate("ordered-to-wind-up-on", WOUND_UP),))


def test_failed_companies_of_present_directors_are_counted_with_their_numbers_and_without_names_of_people() -> None:
    said = connections(other(ORDERED))
    assert said["DirectorsCompaniesFailed"] == 1
    assert said["FailedCompanies"] == [
        {"RegNumber": "00000002", "Event": "winding-up order", "Date": "2024-11-05", "Name": "INVENTED PAST LIMITED"}
    ]
    assert DIRECTOR.surname not in str(said)


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({"resigned": dt.date(2023, 11, 7)}, 1),
        ({"resigned": dt.date(2023, 11, 5)}, 0),
        ({"role": "secretary"}, 0),
        ({"id": "another"}, 0),
    ],
    ids=["left within a year", "left before", "secretary", "a namesake"],
)
def test_only_a_director_in_the_year_before_the_failure_counts(changes: dict[str, Any], counts: int) -> None:
    """Insolvency Act 1986, section 216: in the twelve months before the liquidation. A name alone matches nobody."""
    assert connections(other(ORDERED, **changes))["DirectorsCompaniesFailed"] == counts


@pytest.mark.parametrize(
    "case",
    [
        InsolvencyCase("1", "compulsory-liquidation", (CaseDate("petitioned-on", WOUND_UP),)),
        InsolvencyCase("1", "members-voluntary-liquidation", (CaseDate("wound-up-on", WOUND_UP),)),
    ],
    ids=["petition", "solvent"],
)
def test_a_petition_and_a_solvent_liquidation_are_no_failures(case: InsolvencyCase) -> None:
    assert connections(other(case))["DirectorsCompaniesFailed"] == 0


def test_former_directors_do_not_count_and_without_officers_the_number_is_unknown() -> None:
    former = msgspec.structs.replace(DIRECTOR, resigned=dt.date(2025, 1, 1))
    assert connections(other(ORDERED), officers=(former,))["DirectorsCompaniesFailed"] == 0
    assert "Connections" not in report_on(company(register=ENTRY), Group())["Assessment"]


def test_the_score_and_what_is_held_against_a_company_do_not_know_of_them() -> None:
    subject = company(register=ENTRY, officers=(DIRECTOR,))
    alone = report_on(subject, group_of(subject, Register(subject)))["Assessment"]
    beside = report_on(subject, group_of(subject, Register(subject, other(ORDERED))))["Assessment"]
    assert alone["Score"] == beside["Score"]
    assert alone["Headline"] == beside["Headline"]


def accounts_filed(made_up: str, filed: str, type_: str = "AA") -> Filing:
    day = dt.date.fromisoformat
    return Filing(f"{made_up} {filed}", day(filed), "accounts", type_, made_up=day(made_up))


def test_accounts_filed_after_their_day_are_a_history() -> None:
    """Nine months to the last of a month (Companies Act 2006, sections 442 and 443); SI 2020/645 added three."""
    said = connections(
        filings=(
            accounts_filed("2025-06-30", "2026-03-31"),  # the last day
            accounts_filed("2024-06-30", "2025-04-10"),  # ten days late
            accounts_filed("2024-06-30", "2025-05-10", "AAMD"),  # amended accounts say nothing of the first
            accounts_filed("2023-06-30", "2024-04-01"),  # the night after
            accounts_filed("2019-06-30", "2020-06-30"),  # three months more in 2020
        )
    )
    assert said["LateAccounts"] == {"Filed": 4, "Late": 1, "DaysLate": [10]}


def test_the_page_has_the_count_the_companies_and_the_history() -> None:
    subject = company(register=ENTRY, officers=(DIRECTOR,), filings=(accounts_filed("2024-06-30", "2025-04-10"),))
    made = report_on(subject, group_of(subject, Register(subject, other(ORDERED))))
    page = compose(msgspec.convert(made, LtdCompanyData), CONTACT)
    text = str(page)
    assert "INVENTED PAST LIMITED" in text
    assert "It says nothing about the conduct of a person." in text
    assert "Accounts filed late" in text
