"""Hand-made companies, people and filings. All of them are invented; the numbers belong to no company."""

import datetime as dt
from typing import Any

import msgspec

from credence.companies.facts.accounts import Accounts, Figure, Figures, Method, Period
from credence.companies.facts.company import Company, Profile, Provenance, Sourced
from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.companies.facts.events import CaseDate, Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName, Office, RegisterEntry
from credence.report.build.group import Group
from credence.report.build.report import build, encode

TODAY = dt.date(2026, 6, 1)

NOTHING = RegisterEntry(
    number="00000001",
    name="PLACEHOLDER LIMITED",
    category="",
    status="",
    country_of_origin="",
    incorporated=None,
    dissolved=None,
    office=Office(),
    activities=(),
    former_names=(),
    accounts=AccountsFiling(),
    confirmation_next_due=None,
    confirmation_last_made_up=None,
    annual_return_last_made_up=None,
    charges=Charges(),
)
"""A company of which the register says next to nothing."""

ENTRY = msgspec.structs.replace(
    NOTHING,
    category="Private Limited Company",
    status="Active",
    country_of_origin="United Kingdom",
    incorporated=dt.date(2010, 6, 2),
    office=Office(line_1="1 Sample Square", town="NOWHERE", postcode="ZZ99 9ZZ"),
    activities=(Activity("62012", "Business and domestic software development"),),
    former_names=(FormerName("SPECIMEN LIMITED", dt.date(2015, 1, 5)),),
    accounts=AccountsFiling(31, 12, dt.date(2026, 9, 30), dt.date(2024, 12, 31), "SMALL"),
    confirmation_next_due=dt.date(2027, 6, 16),
    confirmation_last_made_up=dt.date(2025, 6, 2),
    charges=Charges(2, 1, 0, 1),
)


def held(value: Any, as_of: dt.date | None = dt.date(2026, 5, 1)) -> Sourced[Any]:
    """A part of the facts from a source."""
    return Sourced(value, Provenance("A source", as_of, dt.date(2026, 5, 2), "A licence line"))


def figure(value: float, method: Method = Method.REPORTED, tag: str = "Tag") -> Figure:
    """A figure as reported."""
    return Figure(value, method, tag)


def figures(**amounts: float | None) -> Figures:
    """Figures as reported; None for one that is not."""
    return Figures(**{name: figure(amount) for name, amount in amounts.items() if amount is not None})


def period(end: dt.date, start: dt.date | None = None, *, balanced: bool | None = True, **amounts: float) -> Period:
    """One column of a filing."""
    return Period(end=end, start=start, figures=figures(**amounts), balanced=balanced)


def filing(*periods: Period, filed: dt.date | None = None, **more: Any) -> Accounts:
    """A filing whose first column is its own year."""
    end = (periods or more["group_periods"])[0].end
    return Accounts(
        **{
            "company": "00000001",
            "document": f"Prod223_0001_00000001_{end:%Y%m%d}",
            "filed": filed,
            "balance_sheet_date": end,
            "currency": "GBP",
            "periods": periods,
            "group_periods": (),
            "layout": "frc",
            "taxonomy": "FRS 102 2023-01-01",
            "standard": "SmallEntities",
            **more,
        }
    )


THIS_YEAR: dict[str, Any] = {
    "fixed_assets": 500,
    "intangible_assets": 100,
    "tangible_assets": 400,
    "current_assets": 1_000,
    "stocks": 200,
    "debtors": 300,
    "cash": 500,
    "creditors_within_year": 400,
    "net_current_assets": 600,
    "total_assets_less_current_liabilities": 1_100,
    "creditors_after_year": 250,
    "provisions": 50,
    "net_assets": 800,
    "equity": 800,
    "share_capital": 100,
    "retained_earnings": 700,
    "total_assets": 1_500,
    "tangible_net_assets": 700,
    "turnover": 3_650,
    "operating_profit": 220,
    "interest_payable": 20,
    "profit_before_tax": 200,
    "tax": 40,
    "profit": 160,
    "employees": 5,
}
"""A year that balances: 500 + 1,000 = 1,500; less 400 is 1,100; less 250 and 50 is 800 = 100 + 700."""

LAST_YEAR: dict[str, Any] = {
    "fixed_assets": 400,
    "intangible_assets": 100,
    "tangible_assets": 300,
    "current_assets": 800,
    "creditors_within_year": 500,
    "net_current_assets": 300,
    "total_assets_less_current_liabilities": 700,
    "creditors_after_year": 60,
    "net_assets": 640,
    "equity": 640,
    "share_capital": 100,
    "retained_earnings": 540,
    "total_assets": 1_200,
    "tangible_net_assets": 540,
    "turnover": 2_920,
    "profit_before_tax": -50,
    "employees": 4,
}

YEAR_2025 = period(dt.date(2025, 12, 31), dt.date(2025, 1, 1), **THIS_YEAR)
YEAR_2024 = period(dt.date(2024, 12, 31), dt.date(2024, 1, 1), **LAST_YEAR)

DIRECTOR = Officer(
    id="abcDEF-1_2",
    role="director",
    surname="Specimen",
    forenames="Ada Jane Invented",
    title="Dr",
    appointed=dt.date(2020, 6, 1),
    birth_year=1980,
    birth_month=3,
    nationality="British",
    occupation="Engineer",
)
FORMER_DIRECTOR = Officer(
    id="two",
    role="corporate-director",
    surname="NOMINEE SERVICES LIMITED",
    corporate=True,
    appointed_before=dt.date(1992, 1, 1),
    resigned=dt.date(2026, 1, 31),
)
SECRETARY = Officer(id="three", role="secretary", surname="Placeholder", forenames="Max", appointed=dt.date(2025, 7, 1))

HOLDING = Owner(
    id="holding",
    kind="corporate-entity-person-with-significant-control",
    name="HOLDINGS OF NOWHERE LIMITED",
    natures=("ownership-of-shares-75-to-100-percent", "voting-rights-75-to-100-percent"),
    corporate=True,
    registration_number="2",
    country="England",
    notified=dt.date(2016, 4, 6),
)
PERSON = Owner(
    id="person",
    kind="individual-person-with-significant-control",
    name="Dr Ada Specimen",
    natures=("ownership-of-shares-75-to-100-percent",),
)

CHARGE = Charge(
    id="000000010002",
    status="outstanding",
    classification="A registered charge",
    created=dt.date(2026, 2, 1),
    delivered=dt.date(2026, 2, 9),
    holders=("IMAGINARY BANK PLC",),
    floating=True,
    covers_all=True,
    particulars="A house in Nowhere",
)
SATISFIED_CHARGE = Charge(
    id="1",
    status="fully-satisfied",
    classification="Debenture",
    created=dt.date(2011, 1, 1),
    satisfied=dt.date(2019, 5, 5),
    holders=("IMAGINARY BANK PLC", "FICTITIOUS FINANCE LIMITED"),
)

WHOLE = Company(
    number="00000001",
    register=held(ENTRY),
    accounts=held((filing(YEAR_2025, YEAR_2024, filed=dt.date(2026, 4, 1), findings=()),)),
    officers=held((DIRECTOR, FORMER_DIRECTOR, SECRETARY)),
    owners=held((HOLDING,)),
    charges=held((CHARGE, SATISFIED_CHARGE)),
    insolvency=held((InsolvencyCase("1", "creditors-voluntary-liquidation", (CaseDate("wound-up-on", TODAY),)),)),
    notices=held((Notice("n1", "2450", dt.date(2026, 3, 1)),)),
    filings=held(
        (
            Filing("f1", dt.date(2026, 4, 10), "accounts", "AA", "accounts", made_up=dt.date(2025, 12, 31)),
            Filing("f2", dt.date(2026, 1, 2), "address", "AD01", "change-registered-office-address"),
        )
    ),
    payment_practices=held(
        (
            PaymentPractice(
                "p1", dt.date(2025, 1, 1), dt.date(2025, 6, 30), dt.date(2025, 7, 20), 37.0, 60.0, 30.0, 10.0
            ),
        )
    ),
    profile=held((Profile(True, False, False),)),
    disputes=(Dispute("NumberEmployees", "It was six", DisputeStatus.OPEN, dt.date(2026, 5, 3), dt.date(2026, 5, 3)),),
)
"""A company of which every part is on record."""


LARGER = msgspec.structs.replace(
    WHOLE,
    accounts=held(
        (
            filing(
                period(
                    dt.date(2025, 12, 31), dt.date(2025, 1, 1), **{name: each * 10 for name, each in THIS_YEAR.items()}
                ),
                filed=dt.date(2026, 4, 1),
                findings=(),
            ),
        )
    ),
)
"""The same, with a balance sheet of 15,000 that the published models take."""


def company(**parts: Any) -> Company:
    """A company of these parts, each from a source."""
    provided: dict[str, Any] = {name: held(value) for name, value in parts.items()}
    return Company(number="00000001", **provided)


def report_on(subject: Company, group: Group | None = None, today: dt.date = TODAY) -> dict[str, Any]:
    """The report as a client reads it."""
    decoded: dict[str, Any] = msgspec.json.decode(encode(build(subject, group or Group(), today)))
    return decoded
