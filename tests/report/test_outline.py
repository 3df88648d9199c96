"""What lists show of a company is what its report says on the same day, for scored and unscored companies."""

import datetime as dt

import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.register import Activity
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.outline import Outline, outline_in, outline_of
from tests.scoring.companies import DAY, SOUND, accounts, case, company, figures, notice

PETITIONED = notice("2450", dt.date(2026, 10, 20))
FINANCIAL = (Activity("64110", "Central banking"),)
LONG_AGO = case("in-administration", ("administration-started-on", dt.date(2019, 1, 1)))
OWING = accounts(figures(**{**SOUND, "net_assets": -4_000, "tangible_net_assets": -4_000}))


def seen(subject: Company) -> Outline:
    return outline_of(subject, DAY)


@pytest.mark.parametrize(
    "subject",
    [
        company(accounts(figures(**SOUND))),
        company(accounts(figures(**SOUND)), notices=(PETITIONED,)),
        company(OWING, cases=(case("moratorium", ("moratorium-started-on", DAY)),)),
        company(OWING, activities=FINANCIAL),
        company(status="Liquidation"),
        company(status="Dissolved", dissolved=dt.date(2026, 1, 1)),
        company(status="Active - Proposal to Strike off"),
        company(
            accounts(figures(**SOUND)),
            cases=(case("in-administration", ("administration-started-on", dt.date(2019, 1, 1))),),
        ),
        Company(number="01234567"),
    ],
    ids=range(9),
)
def test_every_value_is_that_of_the_report(subject: Company) -> None:
    assert seen(subject) == outline_in(build(subject, Group(), DAY))


def test_a_company_with_a_petition_is_not_just_active() -> None:
    petitioned = seen(company(accounts(figures(**SOUND)), notices=(PETITIONED,)))
    assert (petitioned.status, petitioned.insolvency) == ("Active", "petition")
    assert petitioned.standing == "Winding-up petition of 20 October 2026"
    assert not petitioned.is_sound


def test_insolvent_and_unknown_are_two_things() -> None:
    unknown = seen(Company(number="01234567"))
    assert (unknown.insolvency, unknown.standing) == ("unknown", "Status unknown")
    assert seen(company(status="Liquidation")).insolvency == "failed"


def test_a_company_that_is_not_scored_has_its_reservations() -> None:
    assert seen(company(OWING, activities=FINANCIAL)).codes == "NET-LIABILITIES"
