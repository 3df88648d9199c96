"""Runs an operation: the one way for every face (D30, D41).

In this order: find the object (404), access before and after the change (401, 403), the version that the caller has read
(412, 428), the change itself (422), the audit line, and the change in the store. An act that changes nothing, and a preview,
end before the line.

An act that begins again after a conflict writes its line once. If its change is another one then, it writes a second line,
with the number of the attempt: the last line of an act is what it has saved.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from credence.operations.acting import Acting, Record
from credence.operations.audit_changes import changes
from credence.operations.merge_patch import converted, merged
from credence.operations.operation import Change, Noun, Operation
from credence.operations.reading import Reading
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_UNKNOWN
from credence.store.collections import repeated
from credence.store.errors import Full

Require = Callable[[Struct], None]
"""Raises Refused unless the state of the object is the one that the caller has read."""

_PREVIEW: Final = "This is a preview; nothing has changed yet. The result would be:"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an act."""

    state: Struct
    """The object as it is now, or as it would be after a preview."""
    once: Mapping[str, str] = field(default_factory=dict)
    """Member of the state -> secret that only this answer has."""
    changed: bool = True
    """Whether anything was changed."""
    said: str = ""
    """The result in a sentence, for a person."""
    after: Any = None
    """The object itself."""
    undo: Callable[[], Awaitable[None]] | None = None
    """Restores the object as it was, for a secret that could not be delivered."""


async def perform(
    operation: Operation,
    by: Acting,
    key: str,
    body: Any = None,
    *,
    require_version: Require | None = None,
    preview: bool = False,
) -> Outcome:
    """Do an operation on the object with this key, empty for one that is made. A mapping as the body is a merge patch.

    `require_version` refuses an object that is not as the caller has read it; a conflict then ends the act instead of
    beginning it again. Raises Refused, InvalidInput and other OperatorErrors, and Conflict.
    """
    by = replace(by, record=_written_once(by.record))
    attempt = partial(_attempt, operation, by, key, body, require_version, preview=preview)
    return await (repeated(attempt) if require_version is None else attempt())


def _written_once(record: Record) -> Record:
    """Return `record` for the attempts at one act: a line is written unless it is the one that was written last."""
    written: list[Mapping[str, object]] = []

    async def write(line: Mapping[str, object]) -> None:
        if line in written[-1:]:
            return
        await record({**line, "attempt": len(written) + 1} if written else line)
        written.append(line)

    return write


async def found(noun: Noun[Any], by: Acting, key: str) -> Any:
    """Return the object with this key, if the caller may see it. Raises Refused with 404 for any other key."""
    there = None
    if noun.find is not None:
        there = await noun.find(by, key)
    elif noun.kept is not None:
        there = await by.means.store.get(noun.kept, key)
    is_searched = by.owns is not None and not noun.is_found_by_owner
    if there is None or (is_searched and by.owns not in noun.owners(there)):
        raise Refused(RESOURCE_UNKNOWN, f"{noun.reasons}.unknown")
    return there


async def _attempt(
    operation: Operation, by: Acting, key: str, body: Any, require_version: Require | None, *, preview: bool
) -> Outcome:
    noun = operation.on
    before = None if operation.makes else await found(noun, by, key)
    owner = await _owner(noun, by, key) if operation.makes else None
    by = replace(by, now=by.clock())
    operation.access.require(by)
    if before is not None:
        noun.require_reach(by, before, None if operation.silent else before)
        if require_version is not None:
            require_version(await noun.state(by, before))
        if isinstance(body, Mapping):
            body = _patched(noun, before, body)
    change = await operation.act(by, owner if operation.makes else before, body)
    if change.unchanged is not None:
        return Outcome(change.unchanged, changed=False, said=change.said, after=before)
    after = _next(before, change.after)
    is_same = before is not None and not change.also and _same(before, after)
    if is_same and change.effect is None and not change.once:
        return Outcome(await noun.state(by, before), changed=False, said=change.said, after=before)
    noun.require_reach(by, before, None if is_same else after)
    if preview:
        state = await noun.state(by, before if after is None else after)
        return Outcome(state, said=f"{_PREVIEW} {change.said or operation.title}", after=after)
    await by.record(line_of(operation, before, change))
    if not is_same:
        await _keep(noun, by, before, replace(change, after=after))
    answer = None if change.effect is None else await change.effect()
    state = answer if isinstance(answer, Struct) else await noun.state(by, before if after is None else after)
    undo = None if before is None else partial(_keep, noun, by, after, Change(_next(after, before)))
    return Outcome(state, change.once, said=change.said, after=after, undo=undo)


async def _owner(noun: Noun[Any], by: Acting, key: str) -> Any:
    """Return what a new object will belong to, None if to nothing; an application makes only what is its own."""
    if noun.within is None:
        return None
    return await found(noun.within, replace(by, owns=None) if by.owns == key else by, key)


async def _keep(noun: Noun[Any], by: Acting, before: Any, change: Change[Any]) -> None:
    """Save what an act makes of an object. Raises Conflict; Refused with 409 if its owner has too many."""
    if noun.save is not None:
        await noun.save(by, before, change.after)
        return
    if noun.kept is None:
        return
    store, kept = by.means.store, noun.kept
    if change.after is None:
        await store.delete(kept, before, by.now)
        return
    if noun.prepare is not None:
        await noun.prepare(by, change.after)
    try:
        await store.save(kept, change.after, by.now, most=noun.most if before is None else None, also=change.also)
    except Full:
        owner = "A developer" if noun.within is None else f"An {noun.within.name}"
        many = f"{owner} has at most {noun.most} {noun.name}s."
        raise Refused(because(RESOURCE_CHANGED, many), f"{noun.reasons}.too_many") from None


def _next(before: Any, after: Any) -> Any:
    """Return an object with the version that follows the stored one."""
    if before is None or after is None or not hasattr(after, "version"):
        return after
    return msgspec.structs.replace(after, version=before.version + 1)


async def read(reading: Reading, by: Acting, key: str = "", query: Any = None) -> Any:
    """Return what a reading shows. Raises Refused with 404, 401 or 403, and OperatorErrors of the reading."""
    there = None if reading.lists else await found(reading.on, by, key)
    by = replace(by, now=by.clock())
    reading.access.require(by)
    return await reading.read(by, there, query)


def _patched(noun: Noun[Any], before: Any, patch: Mapping[str, Any]) -> Struct:
    """Return what operators choose of the object after a merge patch."""
    if noun.body_of is None:
        raise TypeError(f"nothing of a {noun.name} can be patched")
    chosen = noun.body_of(before)
    present = {name: value for name, value in msgspec.to_builtins(chosen).items() if value is not None}
    return converted(merged(present, patch), type(chosen))


def _same(before: Any, after: Any) -> bool:
    """Return whether two states of an object differ in nothing but the number of their version."""
    if hasattr(after, "version"):
        after = msgspec.structs.replace(after, version=before.version)
    return bool(before == after)


def line_of(operation: Operation, before: Any, change: Change[Any]) -> dict[str, object]:
    """Return the members of the audit line of an act: the act, its object and what it changes."""
    shown, noun = before if change.after is None else change.after, operation.on
    key = noun.key_of(shown)
    changed = {**changes(before, change.after), **change.effects}
    return {
        "act": operation.recorded_as or operation.name,
        **({noun.member or noun.name: key} if key else {}),
        **noun.also_named(shown),
        **change.named,
        **({"changes": changed} if changed else {}),
    }
