"""`Assessment.Facts`, the day of the facts of the report and their age, and `Assessment.Confidence` (credit §3.4, §10).

A report on an old snapshot has the same form as one on a new snapshot, so its head states the day and the age
(docs/report.md). The confidence is high, medium or low, with reasons.
"""

import datetime as dt
from collections.abc import Iterator

from credence.clock import day_in_words
from credence.companies.durations import age_in_words, whole_months
from credence.companies.facts.accounts import Figure, Method
from credence.companies.facts.company import PARTS, Company, Sourced
from credence.companies.invariants import fails_a_check
from credence.report.build.years import Year
from credence.report.schema import assessment as wire
from credence.report.schema.assessment import Trust

OLD_MONTHS = 3
"""The age at which facts are old, in months: a new snapshot of the register appears every month."""

STALE_ACCOUNTS_MONTHS = 22
"""The age of stale accounts in months: 12 of the next year, 9 to file its accounts, and one of grace (credit §7.4)."""


def facts_of(company: Company, newest_input: dt.date, today: dt.date) -> wire.FactsOf:
    """Return the member; `newest_input` is the day of the newest fact that the score considers."""
    day = _day(company)
    if day is None:
        return wire.FactsOf("Facts of an unknown day", Warning="No source gives the day of its facts.")
    age = age_in_words(day, today)
    newest = newest_input if day < newest_input <= today else None
    since = f", the newest of {day_in_words(newest)}" if newest else ""
    figures = _stale_figures(company, today) if company.register is not None else None
    accounts = f"; figures of {day_in_words(figures)}, {age_in_words(figures, today)} old" if figures else ""
    warnings = (
        _warning("facts", day, today) if is_old(day, today) else "",
        _warning("newest figures of accounts", figures, today) if figures else "",
    )
    return wire.FactsOf(
        Words=f"Facts of {day_in_words(day)}{'' if day >= today else f', {age} old'}{since}{accounts}",
        Day=day,
        Age=age,
        Newest=newest,
        Warning=" ".join(filter(None, warnings)) or None,
    )


def is_old(day: dt.date, today: dt.date) -> bool:
    """Return whether facts that date from `day` are at least three months old on `today`."""
    return whole_months(day, today) >= OLD_MONTHS


def _warning(what: str, day: dt.date, today: dt.date) -> str:
    return (
        f"The {what} are {age_in_words(day, today)} old: what has happened since {day_in_words(day)} is not known here."
    )


def _stale_figures(company: Company, today: dt.date) -> dt.date | None:
    """Return the day of the newest figures if they are stale, which is possible although the register is new."""
    filing = company.accounts_with_figures
    end = filing.periods[0].end if filing else None
    return end if end and whole_months(end, today - dt.timedelta(days=1)) >= STALE_ACCOUNTS_MONTHS else None


def _day(company: Company) -> dt.date | None:
    """Return the day of the register's snapshot; without a register entry, the newest day of the other sources."""
    if company.register is not None:
        return company.register.provenance.as_of
    # The day of a data set of accounts is that of the newest filing of any company.
    sourced: list[Sourced[object] | None] = [getattr(company, field) for field in PARTS if field != "accounts"]
    days = [each.provenance.as_of for each in sourced if each and each.provenance.as_of]
    return max((*days, *((company.accounts_made_up,) if company.accounts_made_up else ())), default=None)


_LEVELS = ("high", "medium", "low")


def confidence(company: Company, years: tuple[Year, ...], today: dt.date) -> Trust:
    """Return the level, decided by the most serious reason, and all reasons."""
    found = list(_reasons(company, years, today))
    return Trust(_LEVELS[max([weight for weight, _ in found], default=0)], tuple([words for _, words in found]))


def _reasons(company: Company, years: tuple[Year, ...], today: dt.date) -> Iterator[tuple[int, str]]:
    if company.register is None:
        yield 2, "No register entry is available: status and charges are unknown."
    elif (as_of := company.register.provenance.as_of) is None:
        yield 1, "The day of the register's snapshot is unknown."
    elif is_old(as_of, today):
        yield 1, f"The register's snapshot is of {as_of}."
    made_up = company.accounts_made_up
    if not years:
        yield 2, f"The accounts of {made_up} tell no figure." if made_up else "No accounts are on record."
        return
    newest = years[0]
    if fails_a_check(newest.balanced, newest.contradictions):
        yield 2, "The figures of the newest accounts fail a check."
    elif newest.balanced is None:
        yield 1, "Whether the newest accounts balance cannot be checked."
    if any(figure.method is Method.REPAIRED for figure in _figures(newest)):
        yield 1, "A sign in the newest accounts was repaired."
    if made_up and made_up > newest.end:
        yield 1, f"The accounts of {made_up} tell no figure of that day: the newest figures are of {newest.end}."
    elif whole_months(newest.end, today - dt.timedelta(days=1)) >= STALE_ACCOUNTS_MONTHS:
        yield 1, f"The newest accounts are of {newest.end}."


def _figures(year: Year) -> Iterator[Figure]:
    for name in year.documents:
        figure: Figure = getattr(year.figures, name)
        yield figure
