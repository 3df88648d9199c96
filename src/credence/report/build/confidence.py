"""`Assessment.Confidence`: high, medium or low, with reasons (credit §3.4, §10)."""

import datetime as dt
from collections.abc import Iterator

from credence.companies.durations import whole_months
from credence.companies.facts.accounts import Figure, Method
from credence.companies.facts.company import Company
from credence.companies.invariants import fails_a_check
from credence.report.build.facts import STALE_ACCOUNTS_MONTHS, is_old
from credence.report.build.years import Year
from credence.report.schema.assessment import Trust

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
