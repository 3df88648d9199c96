"""The day for which a company is judged (credit §5)."""

import datetime as dt

from credence.companies.facts.company import Company


def judged_on(company: Company, today: dt.date) -> dt.date:
    """Return the day of the register's snapshot, for what is due and the status are of that day; never a later one."""
    return register_day(company.register.provenance.as_of if company.register else None, today)


def register_day(as_of: dt.date | None, today: dt.date) -> dt.date:
    """Return the day for which every company of a register snapshot is judged."""
    return today if as_of is None else min(as_of, today)
