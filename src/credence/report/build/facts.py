"""`Assessment.Facts`: of which day the facts of the report are, and how old they are (docs/report.md).

A report on an old snapshot is written like one on a new snapshot, so its head says the day and the age.
"""

import datetime as dt

from credence.clock import day_in_words
from credence.companies.facts.company import PARTS, Company, Sourced
from credence.report.build.durations import age_in_words, whole_months
from credence.report.schema import assessment as wire

OLD_MONTHS = 3
"""Age of old facts: a new snapshot of the register appears every month."""


def facts_of(company: Company, newest_input: dt.date, today: dt.date) -> wire.FactsOf:
    """Return the member; `newest_input` is the day of the newest fact that the score considers."""
    day = _day(company)
    if day is None:
        return wire.FactsOf("Facts of an unknown day", Warning="No source gives the day of its facts.")
    age = age_in_words(day, today)
    newest = newest_input if day < newest_input <= today else None
    since = f", the newest of {day_in_words(newest)}" if newest else ""
    return wire.FactsOf(
        Words=f"Facts of {day_in_words(day)}, {age} old{since}",
        Day=day,
        Age=age,
        Newest=newest,
        Warning=_warning(day, age) if is_old(day, today) else None,
    )


def is_old(day: dt.date, today: dt.date) -> bool:
    """Return whether facts of a day are older than three months."""
    return whole_months(day, today) >= OLD_MONTHS


def _warning(day: dt.date, age: str) -> str:
    return f"The facts are {age} old: what has happened since {day_in_words(day)} is not known here."


def _day(company: Company) -> dt.date | None:
    """Return the day of the register's snapshot; without a register entry, the newest day of the other sources."""
    if company.register is not None:
        return company.register.provenance.as_of
    held: list[Sourced[object] | None] = [getattr(company, field) for field in PARTS]
    return max((each.provenance.as_of for each in held if each and each.provenance.as_of), default=None)
