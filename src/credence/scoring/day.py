"""The two days of a score (credit §5): the register's day and the day of judgement.

The day of judgement is today for a report and the day of the run for a scoring run; later facts are ignored. The register's
day is the date of its snapshot. Status and due dates refer to it, because an old snapshot lacks later filings.
"""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company


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
