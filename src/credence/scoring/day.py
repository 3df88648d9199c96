"""The two days of a score (credit §5): the register's day and the day of judgement.

The day of judgement is today for a report and the day of the run for a scoring run: no fact of a later day counts. The
register's day is that of its snapshot: what is due and the status are of that day, and an old snapshot must not be
judged by the calendar of a later one.
"""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company


class Days(msgspec.Struct, frozen=True):
    """Both days of one score; `register` is never later than `judgement`."""

    register: dt.date
    judgement: dt.date


def days_of(company: Company, judgement: dt.date) -> Days:
    """Return the days by which a company is judged; without a dated snapshot both are the day of judgement."""
    as_of = company.register.provenance.as_of if company.register else None
    return Days(register_day(as_of, judgement), judgement)


def register_day(as_of: dt.date | None, judgement: dt.date) -> dt.date:
    """Return the register's day for every company of a snapshot."""
    return judgement if as_of is None else min(as_of, judgement)
