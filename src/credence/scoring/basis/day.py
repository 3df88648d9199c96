"""The two days of a score: the register's day and the day of judgement (D39).

The day of judgement is today for a report and the day of the run for a scoring run: every age counts to it, and later facts
are ignored. The register's day is the date of its snapshot. What is overdue refers to it, because an old snapshot lacks
later filings.
"""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company

DAYS_A_MONTH = 30.4375
"""Mean length of a month over four years."""


class Days(msgspec.Struct, frozen=True):
    """Both days of one score; `register` is never later than `judgement`."""

    register: dt.date
    judgement: dt.date


def days_of(company: Company, judgement: dt.date) -> Days:
    """Return the days for a company; without a dated snapshot both are the day of judgement."""
    as_of = company.register.provenance.as_of if company.register else None
    return Days(register_day(as_of, judgement), judgement)


def register_day(as_of: dt.date | None, judgement: dt.date) -> dt.date:
    """Return the register's day for a snapshot dated `as_of`."""
    return judgement if as_of is None else min(as_of, judgement)
