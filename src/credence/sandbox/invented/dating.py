"""Dates the invented companies from another day than that of their facts, so that they demonstrate the same on any day.

The day of the facts becomes the other day, and the days of the week before it keep their distance; every other date moves
by the whole months between the two, and the last day of a month stays one. A sandbox dates them from the day on which it is
made (D24).
"""

import calendar
import datetime as dt
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company
from credence.companies.facts.register import AccountsFiling
from credence.sandbox.invented.companies import DAY, INVENTED
from credence.sandbox.invented.facts import document_of

WEEK = 7
"""Days that keep their distance to the day of the facts, so that what fails this week does so on any day."""


@lru_cache(maxsize=4)
def invented_on(day: dt.date) -> Mapping[str, Company]:
    """Return the invented companies by number, with facts of `day`."""
    return INVENTED if day == DAY else {number: _dated(company, day) for number, company in INVENTED.items()}


def moved(date: dt.date, day: dt.date) -> dt.date:
    """Return a date of facts of DAY as one of facts of `day`."""
    if 0 <= (age := (DAY - date).days) < WEEK:
        return day - dt.timedelta(days=age)
    months = date.year * 12 + date.month - 1 + (day.year - DAY.year) * 12 + day.month - DAY.month
    year, month = months // 12, months % 12 + 1
    last = calendar.monthrange(year, month)[1]
    is_last = date.day == calendar.monthrange(date.year, date.month)[1]
    return dt.date(year, month, last if is_last else min(date.day, last))


def _dated(value: Any, day: dt.date) -> Any:
    if isinstance(value, dt.date):
        return moved(value, day)
    if isinstance(value, tuple):
        return tuple(_dated(each, day) for each in value)
    if not isinstance(value, msgspec.Struct):
        return value
    fields = {name: _dated(getattr(value, name), day) for name in value.__struct_fields__}
    if isinstance(value, Accounts):
        fields["document"] = document_of(value.company, fields["balance_sheet_date"])
    if isinstance(value, AccountsFiling) and (made_up := fields["last_made_up"]):
        fields |= {"reference_day": made_up.day, "reference_month": made_up.month}
    return type(value)(**fields)
