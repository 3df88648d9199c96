"""The day of each input of a score: a score is as old as its inputs, and they differ in age (credit §10)."""

import datetime as dt
from collections.abc import Iterable

import msgspec

from credence.companies.facts.company import Company
from credence.scoring.basis.day import Days
from credence.scoring.legal import LegalRules, newest_case, newest_notice

ACCOUNTS = "Accounts made up to"


class DatedInput(msgspec.Struct, frozen=True):
    """One input and its day."""

    words: str
    day: dt.date


def dated_inputs(company: Company, rules: LegalRules, days: Days) -> tuple[DatedInput, ...]:
    """Return what the score rests on, each with its day: register, accounts, notices and cases.

    Inputs without a known day, or later than the day for which the company is scored, are left out.
    """
    return tuple(
        [DatedInput(words, day) for words, day in _days(company, rules, days) if day and day <= days.judgement]
    )


def newest_day(inputs: Iterable[DatedInput], days: Days) -> dt.date:
    """Return the day of the newest input: register, notice, case, or accounts by the day of filing, if it is known."""
    return max([days.register, *[each.day for each in inputs]])


def _days(company: Company, rules: LegalRules, days: Days) -> list[tuple[str, dt.date | None]]:
    found: list[tuple[str, dt.date | None]] = []
    if company.register is not None:
        found.append(("Register's snapshot", company.register.provenance.as_of))
    if (accounts := company.accounts_with_figures) is not None:
        found += ((ACCOUNTS, accounts.periods[0].end), ("Accounts filed", accounts.filed))
    if (of_group := company.accounts_of_group) is not None:
        found.append(("Accounts of the group made up to", of_group.group_periods[0].end))
    if company.notices is not None:
        found.append(("Notice in the Gazette", newest_notice(company, rules, days)))
    if company.insolvency is not None:
        found.append(("Step of an insolvency case", newest_case(company, days)))
    return found
