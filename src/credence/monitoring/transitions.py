"""The transitions of an observed value: what an event says when the value is another one than before.

Each function takes the code of a rule and the value before and after, which differ, and yields what happened. None is a
value too: the company is not scored, or not in the register any more. Events in their order lead from the first value to
the present one.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

ENDED = "ended"
"""The kind of a change to no value."""

WITHDRAWN = "withdrawn"
"""The kind of a fact that its publisher has withdrawn."""

CLOSED = "closed"
"""The kind of a dispute that is decided."""

NOT_WEAKER = "not weaker"
"""The kind of a parent whose score is not below the company's own."""

ENDS = frozenset({ENDED, WITHDRAWN, CLOSED, NOT_WEAKER})

_PAST = frozenset({"left", WITHDRAWN})
"""The kinds of facts that have ended, and may be deleted without news."""


class ObservedChange(NamedTuple):
    """One difference between two observations."""

    rule: str
    kind: str
    before: Any
    after: Any
    day: str
    """The day of the fact in its source; empty if it has none."""
    fact: str
    """The id of the fact, if the rule is about a list; empty otherwise."""


Changes = Callable[[str, Any, Any], Iterable[ObservedChange]]


def _change(rule: str, kind: str, before: Any, after: Any) -> ObservedChange:
    return ObservedChange(rule, ENDED if after is None else kind, before, after, "", "")


def of_text(rule: str, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield the change of a text or list of texts."""
    yield _change(rule, "changed", before, after)


def of_status(rule: str, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield the change of the register's status, whose kind is the new one."""
    yield _change(rule, str(after).lower(), before, after)


def of_digest(rule: str, _before: Any, _after: Any) -> Iterator[ObservedChange]:
    """Yield a change without values, because they are digests, which mean nothing to a reader."""
    yield ObservedChange(rule, "changed", None, None, "", "")


def of_number(rule: str, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield a fall or rise; a value where there was none has begun."""
    fell = None not in (before, after) and after < before
    yield _change(rule, "began" if before is None else "fell" if fell else "rose", before, after)


def of_band(rule: str, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield a fall or rise of a letter, of which A is the highest."""
    fell = None not in (before, after) and after > before
    yield _change(rule, "began" if before is None else "fell" if fell else "rose", before, after)


def of_state(rule: str, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield the beginning and the end of a state that is true or false; unknown is no state."""
    if bool(before) != bool(after):
        yield ObservedChange(rule, "began" if after else ENDED, before, after, "", "")


def of_parent(rule: str, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield the change of how the parent's score compares."""
    yield _change(rule, str(after), before, after)


def of_list(gone: str = "") -> Changes:
    """Return the function for a list of facts by id, each with kind and day.

    `gone` is the kind of a change in which a fact is missing that was there; empty if that is no change.
    """
    return partial(_of_list, gone=gone)


def _of_list(rule: str, before: Any, after: Any, *, gone: str) -> Iterator[ObservedChange]:
    known = before or {}
    for fact, (kind, day) in sorted(after.items()):
        old = known[fact][0] if fact in known else None
        if old != kind and not (old is None and kind == WITHDRAWN):
            yield ObservedChange(rule, kind, old, kind, day, fact)
    for fact in sorted(known.keys() - after.keys()) if gone else ():
        if known[fact][0] not in _PAST:
            yield ObservedChange(rule, gone, known[fact][0], None, "", fact)


def of_decisions(rule: str, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield changes of the outcome.

    A decision is an outcome and the hash of its policy; another version of a policy counts as a first decision.
    """
    known = before or {}
    for policy, (outcome, version) in sorted(after.items()):
        old, old_version = known.get(policy, (outcome, version))
        if old != outcome and old_version == version:
            yield ObservedChange(rule, outcome, old, outcome, "", policy)
