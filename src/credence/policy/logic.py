"""Whether the conditions of a rule hold, in three-valued logic (Kleene): true, false, or None for unknown.

A rule holds if all its conditions do: one that is false makes it false, even if others are unknown; otherwise one that is
unknown makes it unknown. The order of conditions does not matter. A condition on a list holds if it does for one element:
one that holds makes it true, otherwise an element without the member makes it unknown; of an empty list it is false. A rule
may bind its conditions to one element, for which all of them must hold.
"""

import datetime as dt
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from credence.policy.pointer import Found
from credence.policy.policy import ReadRule, Test

Members = Mapping[str, Found]
"""Text of a pointer -> the members to which it leads."""


class Verdict(NamedTuple):
    """Whether something holds, and the member that makes it so."""

    holds: bool | None
    place: str
    value: Any = None


def verdict_of(rule: ReadRule, members: Members, today: dt.date) -> Verdict:
    """Return whether a rule holds. The member is that of the first condition of which the verdict is that of the rule."""
    return _weakest(_verdicts(rule, members, today))


def _verdicts(rule: ReadRule, members: Members, today: dt.date) -> Iterator[Verdict]:
    for test in rule.tests:
        yield _any(test, members[test.pointer.text], today)
    if rule.bound:
        elements = _elements(rule, members)
        of_each = [_weakest(_any(test, each[test.pointer.text], today) for test in rule.bound) for each in elements]
        yield _strongest(of_each, rule.of)


def _weakest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of several conditions that must all hold, up to the first that is false."""
    first = unknown = None
    for verdict in verdicts:
        if verdict.holds is False:
            return verdict
        if verdict.holds is None:
            unknown = unknown or verdict
        first = first or verdict
    return unknown or first or Verdict(True, "")


def _any(test: Test, found: Found, today: dt.date) -> Verdict:
    """Return whether a condition holds for one of the members to which its pointer leads."""
    operator, operand, unknown = test.operator, test.operand, False
    if operator == "held":
        there = next(((place, value) for place, value in found if value is not None), None)
        return Verdict((there is not None) is operand, *(there or (test.pointer.text, None)))
    holds = _OPERATORS[operator]
    for place, value in found:
        if value is None:
            unknown = True
        elif holds(value, operand, today):
            return Verdict(True, place, value)
    return Verdict(None if unknown else False, test.pointer.text)


def _strongest(verdicts: Sequence[Verdict], place: str) -> Verdict:
    """Return the verdict of a list from those of its elements."""
    for wanted in (True, None):
        found = next((each for each in verdicts if each.holds is wanted), None)
        if found is not None:
            return found
    return Verdict(False, place)


def _elements(rule: ReadRule, members: Members) -> list[Members]:
    """Return each element of the list of a rule, as the members of it to which the bound conditions lead."""
    length = rule.of.count("/") + 1
    texts = [test.pointer.text for test in rule.bound]
    found: dict[str, dict[str, list[tuple[str, Any]]]] = {}
    for text in dict.fromkeys(texts):
        for place, value in members[text]:
            element = found.setdefault("/".join(place.split("/")[:length]), {each: [] for each in texts})
            element[text].append((place, value))
    return [{text: tuple(each) for text, each in element.items()} for element in found.values()]


def months_before(day: dt.date, months: int) -> dt.date:
    """Return the day a number of months before another one, at most the last of its month."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    if year < dt.MINYEAR:
        return dt.date.min
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


_OPERATORS: dict[str, Callable[[Any, Any, dt.date], bool]] = {
    "is": lambda value, operand, _: _comparable(value) == operand,
    "is_not": lambda value, operand, _: _comparable(value) != operand,
    "in": lambda value, operand, _: _comparable(value) in operand,
    "not_in": lambda value, operand, _: _comparable(value) not in operand,
    "starts_with": lambda value, operand, _: value.startswith(operand),
    "below": lambda value, operand, _: value < operand,
    "at_most": lambda value, operand, _: value <= operand,
    "above": lambda value, operand, _: value > operand,
    "at_least": lambda value, operand, _: value >= operand,
    "older_than_months": lambda value, operand, today: value < months_before(today, operand),
    "newer_than_months": lambda value, operand, today: value > months_before(today, operand),
}


def _comparable(value: Any) -> Any:
    """Return a date as the text with which a policy compares it, any other value unchanged."""
    return value.isoformat() if isinstance(value, dt.date) else value
