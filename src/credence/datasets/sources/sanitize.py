"""Corrects the facts of every source: control characters in texts, and dates after the day of the load (credit §11).

A future date is a typing error. If the fact depends on it, such as that an officer resigned, the fact is rejected;
otherwise the date is unknown.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.events import PLANNED, Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.datasets.sources.source import Fact, Found, Record, RejectedPlace, UnreadableValue
from credence.datasets.sources.values import with_plain_texts

FUTURE_DATE = "date.to_come"
"""The reason code of a date after the day of the load."""

_ESSENTIAL: dict[type, Sequence[str]] = {
    Accounts: ("balance_sheet_date",),
    Officer: ("appointed", "appointed_before", "resigned"),
    Owner: ("ceased",),
    Notice: ("published",),
    Filing: ("date",),
}
"""Type of fact -> the dates without which it is rejected."""

_OPTIONAL: dict[type, Sequence[str]] = {
    Accounts: ("filed",),
    Owner: ("notified",),
    Charge: ("created", "delivered", "satisfied"),
    Filing: ("made_up",),
    PaymentPractice: ("start", "end", "filed"),
}


def sanitize(found: Iterable[Found], today: dt.date) -> Iterator[Found]:
    """Yield what a source yields, with each fact corrected or rejected; `today` is the day of the load."""
    for each in found:
        if not isinstance(each, Record) or each.fact is None:
            yield each
            continue
        name = each.fact.document if isinstance(each.fact, Accounts) else each.id
        where = f"{each.company}, {name}"
        if future := _future_dates(each.fact, _ESSENTIAL, today):
            day = max(getattr(each.fact, name) for name in future)
            yield RejectedPlace(where, FUTURE_DATE, each.company, to_come=day)
            continue
        fact, unknown = _without_future_dates(with_plain_texts(each.fact), today)
        yield msgspec.structs.replace(each, fact=fact)
        yield from [UnreadableValue(where, FUTURE_DATE)] * unknown


def _without_future_dates(fact: Fact, today: dt.date) -> tuple[Fact, int]:
    """Return a fact without its optional future dates, and their number."""
    if isinstance(fact, InsolvencyCase):
        steps = tuple(step for step in fact.dates if step.date <= today or step.type == PLANNED)
        return msgspec.structs.replace(fact, dates=steps), len(fact.dates) - len(steps)
    future = _future_dates(fact, _OPTIONAL, today)
    return (msgspec.structs.replace(fact, **dict.fromkeys(future)) if future else fact), len(future)


def _future_dates(fact: Fact, fields: dict[type, Sequence[str]], today: dt.date) -> list[str]:
    return [name for name in fields.get(type(fact), ()) if (day := getattr(fact, name)) is not None and day > today]
