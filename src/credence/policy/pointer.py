"""Pointers to members of a report: JSON Pointer (RFC 6901) with `*` for every element of a list.

A pointer is checked against the report's schema when a policy is read, so a misspelt member is an error and not unknown.
"""

import datetime as dt
import types
from collections.abc import Iterator
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from credence.errors import UnusableContent
from credence.report.schema.report import LtdCompanyData

EACH = "*"

Found = tuple[tuple[str, Any], ...]
"""The members to which a pointer leads, each with its own pointer; empty if the list on the way is empty.

The value None means an absent member, or everything behind an absent one on the way.
"""


class Pointer(msgspec.Struct, frozen=True):
    """A checked pointer, such as `/Alerts/0/Notes/*/AlertCode`."""

    text: str
    steps: tuple[str, ...]
    type: Any
    """The type of the member: `str`, `bool`, `dt.date`, a number, a struct or a tuple."""

    @property
    def numeric(self) -> bool:
        """Whether the member is a number, such as pounds, days or points."""
        kinds = _alternatives(self.type)
        return bool not in kinds and all(kind in (int, float) for kind in kinds)

    @property
    def dated(self) -> bool:
        """Whether the member is a date."""
        return _alternatives(self.type) == (dt.date,)


def pointer(text: str) -> Pointer:
    """Return the pointer with this text; UnusableContent if the report has no such member."""
    if not text.startswith("/"):
        raise UnusableContent(f"{text!r} is not a pointer: it begins with a slash, as /Assessment/Score/Band.")
    steps = tuple(step.replace("~1", "/").replace("~0", "~") for step in text[1:].split("/"))
    member: Any = LtdCompanyData
    for place, step in enumerate(steps):
        after = _step(member, step)
        if after is None:
            raise UnusableContent(f"The report has no member /{'/'.join(steps[: place + 1])} (docs/report.md).")
        member = after
    return Pointer(text, steps, member)


def read(report: LtdCompanyData, pointer: Pointer) -> Found:
    """Return the members to which the pointer leads."""
    if EACH not in pointer.steps:
        value: Any = report
        for step in pointer.steps:
            value = _element(value, int(step)) if isinstance(value, tuple) else getattr(value, step)
            if value is None:
                break
        return ((pointer.text, value),)
    return tuple(_walk(report, pointer.steps, ""))


def _walk(value: Any, steps: tuple[str, ...], place: str) -> Iterator[tuple[str, Any]]:
    if not steps or value is None:
        yield place, value
        return
    step, rest = steps[0], steps[1:]
    if not isinstance(value, tuple):
        yield from _walk(getattr(value, step), rest, f"{place}/{step}")
    elif step == EACH:
        for number, each in enumerate(value):
            yield from _walk(each, rest, f"{place}/{number}")
    else:
        yield from _walk(_element(value, int(step)), rest, f"{place}/{step}")


def _element(values: tuple[Any, ...], place: int) -> Any:
    return values[place] if place < len(values) else None


def _step(member: Any, step: str) -> Any:
    """Return the type behind one step of a type, None if it has no such step."""
    for kind in _alternatives(member):
        if get_origin(kind) is tuple and (step == EACH or step.isdecimal()):
            return get_args(kind)[0]
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and step in kind.__struct_fields__:
            return get_type_hints(kind)[step]
    return None


def _alternatives(member: Any) -> tuple[Any, ...]:
    if get_origin(member) in (Union, types.UnionType):
        return tuple(kind for kind in get_args(member) if kind is not type(None))
    return (member,)
