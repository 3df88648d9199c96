"""Rules about the age of what is on record, and about what is not held (D39)."""

import datetime as dt

from credence.clock import day_in_words
from credence.companies.durations import age_in_words
from credence.scoring.basis.sectors import is_holding
from credence.scoring.reservations.judged import Found, Gap, Judged, Measures, ReservationRule, no_figures

_DORMANT = "DORMANT"
_NO_ACCOUNTS = frozenset({"", "NO ACCOUNTS FILED", "ACCOUNTS TYPE NOT AVAILABLE"})
"""Accounts categories of the register that do not say that accounts exist."""
_SAME_YEAR = dt.timedelta(days=31)
"""Balance sheet dates up to this apart are of one year: a year may end some days earlier or later than the register says."""


def measure(judged: Judged, into: Measures) -> None:
    """Add the rules about ages, and about what is not held."""
    register, period = judged.company.register, judged.period
    if (
        register is not None and register.value.status
    ):  # an entry made of filed accounts has no status, and is no snapshot
        as_of = register.provenance.as_of
        into["register-undated" if as_of is None else "register-older"] = (
            1 if as_of is None else (judged.days.judgement - as_of).days
        )
    newest = judged.newest_made_up
    if period is None:
        exist = newest is not None or (judged.entry and judged.entry.accounts.category.upper() not in _NO_ACCOUNTS)
        into["accounts-not-held" if exist else "none-filed"] = 1
    else:
        into["figures-older"] = judged.months_since(period.end)
        if newest is not None and newest - period.end > _SAME_YEAR:
            into["newer-accounts"] = 1
    if is_holding(judged.company):
        into["holding"] = 1
    if _is_dormant(judged):
        into["dormant"] = 1


def _is_dormant(judged: Judged) -> bool:
    """Return whether the newest accounts are those of a dormant company, by the filing or the register's category."""
    accounts, entry = judged.accounts, judged.entry
    if accounts is not None and accounts.dormant:
        return True
    if entry is None or entry.accounts.category.upper() != _DORMANT:
        return False
    made_up = entry.accounts.last_made_up
    # Newer accounts that are on record do not say so.
    return accounts is None or (made_up is not None and accounts.periods[0].end <= made_up)


def _register(judged: Judged) -> Found:
    as_of = judged.company.register.provenance.as_of if judged.company.register else None
    return _aged(judged, as_of) if as_of else Found({})


def _figures(judged: Judged) -> Found:
    return _aged(judged, judged.period.end) if judged.period else Found({})


def _aged(judged: Judged, day: dt.date) -> Found:
    return Found({"day": day_in_words(day), "age": age_in_words(day, judged.days.judgement)}, day=day)


def _newer(judged: Judged) -> Found:
    newest, period = judged.newest_made_up, judged.period
    values = {"newer": day_in_words(newest) if newest else "", "day": day_in_words(period.end) if period else ""}
    return Found(values, day=newest)


def _not_held(judged: Judged) -> Found:
    newest = judged.newest_made_up
    return Found({"made_up": f" made up to {day_in_words(newest)}" if newest else ""}, day=newest)


def _dormant(judged: Judged) -> Found:
    accounts, entry = judged.accounts, judged.entry
    by_filing = accounts is not None and accounts.dormant
    day = accounts.periods[0].end if accounts and by_filing else entry.accounts.last_made_up if entry else None
    return Found({"day": day_in_words(day) if day else "an unknown day"}, day=day)


def _no_register(judged: Judged) -> Gap | None:
    return None if judged.entry else Gap("No register entry is available.")


def _dormancy_unknown(judged: Judged) -> Gap | None:
    known = judged.accounts or (judged.entry and judged.entry.accounts.category)
    return None if known else Gap("Neither accounts nor the register's category of accounts are on record.")


RULES = {
    "register-older": ReservationRule(_register, _no_register),
    "register-undated": ReservationRule(_register, _no_register),
    "figures-older": ReservationRule(_figures, no_figures),
    "newer-accounts": ReservationRule(_newer, no_figures),
    "accounts-not-held": ReservationRule(_not_held, _no_register),
    "none-filed": ReservationRule(_not_held, _no_register),
    "holding": ReservationRule(lambda _: Found({}), _no_register),
    "dormant": ReservationRule(_dormant, _dormancy_unknown),
}
"""Name -> rule."""
