"""The values of the expert-set factors, from the register and the accounts (credit §7.1, layer c).

Ages count to the day of judgement (D39); what is overdue is what the register's snapshot says of its own day, because it
lacks later filings. A function returns None for an unknown value. No factor is about a person: no name, age, sex or
nationality (credit §10).
"""

import datetime as dt
from collections.abc import Callable, Mapping

from credence.companies.durations import YEAR_DAYS, is_year
from credence.companies.facts.company import Company
from credence.companies.facts.register import RegisterEntry
from credence.companies.invariants import fails_a_check
from credence.scoring.basis.day import DAYS_A_MONTH, Days
from credence.scoring.basis.ratios import amount


def age(company: Company, days: Days) -> float | None:
    """Return the months since incorporation."""
    entry = _entry(company)
    return None if entry is None or entry.incorporated is None else _months(entry.incorporated, days.judgement)


def accounts_overdue(company: Company, days: Days) -> float | None:
    """Return the days by which the next accounts are late: 0 until they are due, None if the newest accounts are unknown."""
    entry = _entry(company)
    late = None if entry is None else _late(entry.accounts.next_due, days.register)
    return None if late and company.newer_accounts else late


def confirmation_overdue(company: Company, days: Days) -> float | None:
    """Return the days by which the confirmation statement is late: 0 until it is due."""
    entry = _entry(company)
    return None if entry is None else _late(entry.confirmation_next_due, days.register)


def charges_outstanding(company: Company, days: Days) -> float | None:
    """Return the number of charges that are outstanding or satisfied in part."""
    del days
    entry = _entry(company)
    if entry is None or entry.charges.outstanding is None:
        return None
    return entry.charges.outstanding + (entry.charges.part_satisfied or 0)


def names_given_up(company: Company, days: Days) -> float | None:
    """Return the number of names given up in the two years before the day of judgement."""
    entry = _entry(company)
    if entry is None:
        return None
    if not entry.former_names:
        return 0
    return sum(
        1 for former in entry.former_names if former.changed and 0 <= _months(former.changed, days.judgement) < 24
    )


def change_in_net_assets(company: Company, days: Days) -> float | None:
    """Return the change of net assets to the newest balance sheet, brought to a year, as a share of total assets then."""
    del days
    accounts = company.accounts_with_figures
    periods = accounts.periods if accounts else ()
    if len(periods) < 2 or any(fails_a_check(period.balanced, period.contradictions) for period in periods[:2]):
        return None
    now, before = (amount(period.figures.net_assets) for period in periods[:2])
    total = amount(periods[0].figures.total_assets)
    if now is None or before is None or not total or total < 0:
        return None
    between = (periods[0].end - periods[1].end).days
    return (now - before) / total * (1 if is_year(between) else YEAR_DAYS / between)


CONDUCT: Mapping[str, Callable[[Company, Days], float | None]] = {
    "age": age,
    "accounts-overdue": accounts_overdue,
    "confirmation-overdue": confirmation_overdue,
    "charges": charges_outstanding,
    "names-given-up": names_given_up,
    "change-in-net-assets": change_in_net_assets,
}
"""Factor code -> the function of its value."""

OF_ACCOUNTS = frozenset({"change-in-net-assets"})
OF_REGISTER = frozenset({"accounts-overdue", "confirmation-overdue", "charges"})
"""Codes of the factors whose day is that of the accounts, and of those of the register's day; others count to judgement."""


def _entry(company: Company) -> RegisterEntry | None:
    return company.register.value if company.register else None


def _months(earlier: dt.date, later: dt.date) -> float:
    return (later - earlier).days / DAYS_A_MONTH


def _late(due: dt.date | None, day: dt.date) -> float | None:
    return None if due is None else max((day - due).days, 0)
