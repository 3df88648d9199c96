"""The conditions that hold against a company when a portfolio begins to watch it: they become events like later changes."""

from collections.abc import Iterator, Sequence

from credence.companies.codes import ACTIVE_STATUSES, STATUS_EVENTS
from credence.monitoring.observing import Observation
from credence.monitoring.rules import RULES
from credence.monitoring.transitions import ENDS, ObservedChange

_RULES = ("status", "accounts-overdue", "confirmation-overdue", "group", "reservation")
"""Rules whose value says what holds now. The lists of the others have what was long ago as well."""


_SOUND = (ACTIVE_STATUSES - STATUS_EVENTS.keys()) | {"registered"}


def conditions(state: Observation) -> Sequence[ObservedChange]:
    """Return what holds against a company as changes from nothing. Their day is empty: it is not known since when."""
    return tuple(_found(state))


def _found(state: Observation) -> Iterator[ObservedChange]:
    for code in _RULES:
        rule = RULES[code]
        value = state.get(rule.value)
        if value is None or (code == "status" and str(value).lower() in _SOUND):
            continue
        for change in rule.changes(code, None, value):
            if change.kind not in ENDS:
                yield change
