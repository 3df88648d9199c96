"""Companies made up for the tests of the score, said by what differs from a plain one."""

import datetime as dt
from typing import Any

import msgspec

from credence.companies.facts.accounts import Accounts, Figure, Figures, Method, Period
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.events import CaseDate, InsolvencyCase, Notice
from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName, Office, RegisterEntry
from credence.scoring.basis.day import days_of
from credence.scoring.reservations.judged import Judged

DAY = dt.date(2026, 11, 1)
"""The day for which the tests judge."""

SOUND = {
    "fixed_assets": 40_000,
    "current_assets": 60_000,
    "stocks": 10_000,
    "debtors": 30_000,
    "cash": 20_000,
    "creditors_within_year": 20_000,
    "net_current_assets": 40_000,
    "total_assets": 100_000,
    "net_assets": 70_000,
    "tangible_net_assets": 70_000,
    "share_capital": 100,
    "retained_earnings": 69_900,
}
"""Figures of a company that pays its way."""


def figures(**amounts: float | None) -> Figures:
    return Figures(**{name: Figure(value, Method.REPORTED) for name, value in amounts.items() if value is not None})


def accounts(
    now: Figures, before: Figures | None = None, end: dt.date = dt.date(2026, 3, 31), **changes: Any
) -> Accounts:
    periods = [Period(end, dt.date(end.year - 1, 4, 1), now, balanced=True)]
    if before is not None:
        periods.append(Period(dt.date(2025, 3, 31), dt.date(2024, 4, 1), before, balanced=True))
    plain = Accounts(
        company="01234567",
        document="made-up",
        filed=dt.date(2026, 6, 1),
        balance_sheet_date=end,
        currency="GBP",
        periods=tuple(periods),
        group_periods=(),
        layout="frc",
        taxonomy="",
    )
    return msgspec.structs.replace(plain, **changes)


def entry(**changes: Any) -> RegisterEntry:
    plain = RegisterEntry(
        number="01234567",
        name="PLACEHOLDER LIMITED",
        category="Private Limited Company",
        status="Active",
        country_of_origin="United Kingdom",
        incorporated=dt.date(2006, 11, 1),
        dissolved=None,
        office=Office(),
        activities=(Activity("62012", "Business and domestic software development"),),
        former_names=(),
        accounts=AccountsFiling(next_due=dt.date(2027, 1, 1), last_made_up=dt.date(2026, 3, 31)),
        confirmation_next_due=dt.date(2027, 1, 1),
        confirmation_last_made_up=None,
        annual_return_last_made_up=None,
        charges=Charges(0, 0, 0, 0),
    )
    return msgspec.structs.replace(plain, **changes)


def company(
    filed: Accounts | None = None,
    *,
    cases: tuple[InsolvencyCase, ...] | None = None,
    notices: tuple[Notice, ...] | None = None,
    as_of: dt.date | None = DAY,
    **changes: Any,
) -> Company:
    """A company; `as_of` is the day of the register's snapshot."""
    said = Provenance("made up")
    row = entry(**changes)
    return Company(
        number=row.number,
        register=Sourced(row, Provenance("made up", as_of)),
        accounts=None if filed is None else Sourced((filed,), said),
        insolvency=None if cases is None else Sourced(cases, said),
        notices=None if notices is None else Sourced(notices, said),
    )


def judged(subject: Company, day: dt.date = DAY) -> Judged:
    return Judged(subject, days_of(subject, day))


def case(type_: str, *steps: tuple[str, dt.date]) -> InsolvencyCase:
    return InsolvencyCase("1", type_, tuple(CaseDate(*step) for step in steps))


def notice(code: str, published: dt.date) -> Notice:
    return Notice(f"made-up-{code}", code, published)


def former(name: str, changed: dt.date) -> FormerName:
    return FormerName(name, changed)
