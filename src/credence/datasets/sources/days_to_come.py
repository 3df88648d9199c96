"""A day after that of the load is a slip of whoever typed it and never a fact (credit §11).

Where the day decides what is said, such as that an officer has left, the fact is refused; elsewhere it stays unknown.
"""

import datetime as dt
from collections.abc import Sequence

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.events import PLANNED, Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.datasets.sources import LoadError
from credence.datasets.sources.record import Fact

_DECIDING: dict[type, Sequence[str]] = {
    Accounts: ("balance_sheet_date",),
    Officer: ("appointed", "appointed_before", "resigned"),
    Owner: ("ceased",),
    Notice: ("published",),
    Filing: ("date",),
}

_OTHERS: dict[type, Sequence[str]] = {
    Accounts: ("filed",),
    Owner: ("notified",),
    Charge: ("created", "delivered", "satisfied"),
    Filing: ("made_up",),
    PaymentPractice: ("start", "end", "filed"),
}

REASON = "date.to_come"


def is_decided_by_one(fact: Fact, today: dt.date) -> bool:
    """Say whether a day to come decides what the fact says."""
    return bool(_later(fact, _DECIDING, today))


def without(fact: Fact, today: dt.date) -> tuple[Fact, int]:
    """Return a fact in which no day is to come, and how many were and are unknown now."""
    if isinstance(fact, InsolvencyCase):
        steps = tuple(step for step in fact.dates if step.date <= today or step.type == PLANNED)
        return msgspec.structs.replace(fact, dates=steps), len(fact.dates) - len(steps)
    later = _later(fact, _OTHERS, today)
    return (msgspec.structs.replace(fact, **dict.fromkeys(later)) if later else fact), len(later)


def require_day_of_snapshot(day: dt.date | None, today: dt.date) -> None:
    """Raise LoadError for a snapshot of a day to come: it would pass for the newest for as long."""
    if day is not None and day > today:
        raise LoadError(f"The files are named as a snapshot of {day}, which is yet to come.")


def _later(fact: Fact, fields: dict[type, Sequence[str]], today: dt.date) -> list[str]:
    return [name for name in fields.get(type(fact), ()) if (day := getattr(fact, name)) is not None and day > today]
