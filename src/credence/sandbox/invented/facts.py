"""Builders of the facts of invented companies, in the same form as loaded facts (D24)."""

import datetime as dt
from typing import TypeVar

import msgspec

from credence.companies.facts.accounts import Accounts, Figure, Figures, Method, Period
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.events import Charge, Filing
from credence.companies.facts.people import Officer, Owner
from credence.companies.facts.profile import Profile
from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName, Office, RegisterEntry
from credence.sandbox.invented.balance_sheets import Amounts

T = TypeVar("T")

DAY = dt.date(2026, 5, 1)
"""The date of the facts. A sandbox dates them from the day on which it is made (`dating`)."""

YEAR_END = dt.date(2025, 12, 31)
_INVENTED = Provenance("Invented for the sandbox; these companies do not exist", DAY, DAY)

OFFICE = Office(line_1="1 Invented Street", town="NOWHERE", postcode="ZZ99 9ZZ")
_SOFTWARE = (Activity("62012", "Business and domestic software development"),)


def sourced(value: T) -> Sourced[T]:
    """Return a part of the facts with the provenance that marks it as invented."""
    return Sourced(value, _INVENTED)


def with_profile(company: Company, *, office_undeliverable: bool = False) -> Company:
    """Return a company with the register's profile that its insolvency cases imply."""
    history = bool(company.insolvency and company.insolvency.value)
    return msgspec.structs.replace(company, profile=sourced((Profile(history, office_undeliverable, False),)))


def entry(
    number: str,
    name: str,
    incorporated: dt.date,
    *,
    status: str = "Active",
    dissolved: dt.date | None = None,
    accounts_due: dt.date | None = dt.date(2026, 9, 30),
    accounts_made_up: dt.date = YEAR_END,
    category: str = "TOTAL EXEMPTION FULL",
    activities: tuple[Activity, ...] = _SOFTWARE,
    former_names: tuple[FormerName, ...] = (),
    charges: tuple[int, int] = (0, 0),
) -> Sourced[RegisterEntry]:
    """Return an entry in the register; `charges` are the numbers of outstanding and of satisfied charges."""
    outstanding, satisfied = charges
    ended = dissolved or DAY
    return sourced(
        RegisterEntry(
            number=number,
            name=name,
            category="Private Limited Company",
            status=status,
            country_of_origin="United Kingdom",
            incorporated=incorporated,
            dissolved=dissolved,
            office=OFFICE,
            activities=activities,
            former_names=former_names,
            accounts=AccountsFiling(31, 12, accounts_due, accounts_made_up, category),
            confirmation_next_due=None if dissolved else dt.date(2027, 1, 31),
            confirmation_last_made_up=dt.date(ended.year, 1, 17),
            annual_return_last_made_up=None,
            charges=Charges(outstanding + satisfied, outstanding, 0, satisfied),
        )
    )


def filed(
    number: str, now: Amounts, before: Amounts, *, end: dt.date = YEAR_END, dormant: bool = False
) -> Sourced[tuple[Accounts, ...]]:
    """Return the accounts of two years; the earlier figures are the comparative column of the later accounts."""
    periods = tuple(
        Period(
            end=day,
            start=dt.date(day.year, 1, 1),
            figures=Figures(**{name: Figure(amount, Method.REPORTED) for name, amount in amounts.items()}),
            balanced=True,
        )
        for day, amounts in ((end, now), (dt.date(end.year - 1, 12, 31), before))
    )
    accounts = Accounts(
        company=number,
        document=document_of(number, end),
        filed=dt.date(end.year + 1, 4, 1),
        balance_sheet_date=end,
        currency="GBP",
        periods=periods,
        group_periods=(),
        layout="frc",
        taxonomy="",
        standard="SmallEntities",
        dormant=dormant,
    )
    return sourced((accounts,))


def document_of(number: str, end: dt.date) -> str:
    """Return the name of the accounts of a company that are made up to `end`."""
    return f"Invented_{number}_{end:%Y%m%d}"


def filing_history(*changes: Filing, received: dt.date = dt.date(2026, 4, 1)) -> Sourced[tuple[Filing, ...]]:
    """Return the filings of the accounts of two years and of the changes of the register, newest first."""
    accounts = tuple(
        Filing(
            f"accounts-{year}",
            received.replace(year=year + 1),
            "accounts",
            "AA",
            "accounts-with-accounts-type-total-exemption-full",
            dt.date(year, 12, 31),
        )
        for year in (received.year - 1, received.year - 2)
    )
    return sourced(tuple(sorted((*changes, *accounts), key=lambda each: each.date, reverse=True)))


def officer(
    number: str,
    role: str,
    surname: str,
    forenames: str,
    appointed: dt.date,
    resigned: dt.date | None = None,
    *,
    born: tuple[int, int] | None = (1975, 6),
    title: str = "",
) -> Officer:
    """Return one appointment of an invented person; `number` is the director number, `born` year and month."""
    is_secretary = role == "secretary"
    year, month = (None, None) if is_secretary or born is None else born
    return Officer(
        id=number,
        role=role,
        surname=surname,
        forenames=forenames,
        title=title,
        appointed=appointed,
        resigned=resigned,
        birth_year=year,
        birth_month=month,
        nationality="" if is_secretary else "British",
        occupation="" if is_secretary else "Director",
    )


def parent(name: str, number: str, since: dt.date) -> Owner:
    """Return a company as the owner of more than three quarters of the shares."""
    return Owner(
        id=f"owner-{number}",
        kind="corporate-entity-person-with-significant-control",
        name=name,
        natures=("ownership-of-shares-75-to-100-percent", "voting-rights-75-to-100-percent"),
        corporate=True,
        registration_number=number,
        country="United Kingdom",
        notified=since,
    )


def charge(number: str, created: dt.date, satisfied: dt.date | None = None) -> Charge:
    """Return a charge of an invented bank; `number` is the number of the charge."""
    return Charge(
        id=number,
        status="fully-satisfied" if satisfied else "outstanding",
        classification="A registered charge",
        created=created,
        delivered=created + dt.timedelta(days=7),
        satisfied=satisfied,
        holders=("IMAGINARY BANK PLC",),
        floating=True,
        covers_all=True,
    )
