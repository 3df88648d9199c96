"""Whether a node has loaded newer data than the last comparison of watched companies used (D31).

A comparison is claimed by one shared value, whose version also guards every write of the comparison.
"""

import datetime as dt

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.monitoring.observing import MODEL, POLICIES
from credence.store.contract import Store

OF_NODE = (POLICIES, MODEL)
"""What each node has of its own, and no load brings."""


class Loaded(msgspec.Struct, frozen=True):
    """One loaded source: the day of its data, and when it was loaded (0 where loads have no order)."""

    as_of: dt.date | None
    loaded_at: Milliseconds
    version: str = ""


_NONE = Loaded(None, 0)


def ahead_of_clock(compared: dict[str, Loaded], now: Milliseconds) -> list[str]:
    """Return the sources that were loaded by a clock that is or was ahead, so that their loads have no order with others."""
    return sorted(name for name, each in of_sources(compared).items() if each.loaded_at > now + NODE_TOLERANCE_MS)


def is_older(mine: dict[str, Loaded], compared: dict[str, Loaded]) -> bool:
    """Return whether a source is of an earlier load than the one that was compared."""
    return any(name in mine and mine[name].loaded_at < each.loaded_at for name, each in compared.items())


def older_of_node(own: dict[str, Loaded], compared: dict[str, Loaded]) -> list[str]:
    """Return which of `OF_NODE` differ here from those compared and are not later, such as policies that cannot be read."""
    return [name for name in OF_NODE if name in compared and _is_other_and_older(own.get(name, _NONE), compared[name])]


def _is_other_and_older(own: Loaded, compared: Loaded) -> bool:
    return own.version != compared.version and own.loaded_at <= compared.loaded_at


def with_newest_of_node(mine: dict[str, Loaded], compared: dict[str, Loaded], *, takes_over: bool) -> dict[str, Loaded]:
    """Return what is loaded, with the policies and the model that were compared unless those of this node are later.

    Otherwise nodes with different ones would compare in turn without end. A node that takes over has the newest ones from
    then on.
    """
    found = dict(mine)
    for name in OF_NODE:
        own, before = mine.get(name, _NONE), compared.get(name)
        if before is None or (own.version != before.version and own.loaded_at > before.loaded_at):
            continue
        taken_over = takes_over and own.version != before.version
        found[name] = msgspec.structs.replace(own, loaded_at=before.loaded_at) if taken_over else before
    return found


def is_compared(mine: dict[str, Loaded], compared: dict[str, Loaded]) -> bool:
    """Return whether what is loaded here is what was compared; sources that are not loaded here do not matter."""
    return mine == {name: each for name, each in compared.items() if name in mine}


def of_sources(loaded: dict[str, Loaded]) -> dict[str, Loaded]:
    """Return what loads have brought, without what the node has of its own."""
    return {name: each for name, each in loaded.items() if name not in OF_NODE}


COMPARISON = "comparison"
"""The name of the shared value with the claim."""


class Held(msgspec.Struct, frozen=True):
    """A rule whose events are held back until the operator decides."""

    companies: int
    """The number of companies for which it would fire."""
    observed: int
    since: Milliseconds


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The claim of a comparison, and the data that was compared."""

    loaded: dict[str, Loaded] = {}
    day: dt.date | None = None
    """The day for which scores and decisions were compared."""
    whole: bool = True
    """Whether every source could be read; otherwise scores and decisions were not compared."""
    done: bool = True
    holder: str = ""
    until: Milliseconds = 0
    held: dict[str, Held] = {}
    released: tuple[str, ...] = ()
    """Held rules whose events the operator releases with the next comparison; those in `dropped` make no events."""
    dropped: tuple[str, ...] = ()


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Mark).decode


async def read_mark(store: Store) -> tuple[int, Mark]:
    """Return the version of the claim and the claim; version 0 before the first."""
    found = await store.shared_value(COMPARISON)
    return (found[0], _decode(found[1])) if found else (0, Mark())


async def save_mark(store: Store, version: int, mark: Mark) -> int:
    """Store the claim over its previous version and return the new version; raises Conflict."""
    await store.save_shared_value(COMPARISON, version + 1, _encode(mark))
    return version + 1


async def decide_held(store: Store, rule: str, *, release: bool) -> bool:
    """Release the events of a held rule with the next comparison, or drop them; return False if the rule is not held.

    Raises Conflict if a comparison runs at the same time.
    """
    version, mark = await read_mark(store)
    if rule not in mark.held:
        return False
    released, dropped = {*mark.released} - {rule}, {*mark.dropped} - {rule}
    (released if release else dropped).add(rule)
    mark = msgspec.structs.replace(mark, released=tuple(sorted(released)), dropped=tuple(sorted(dropped)))
    await save_mark(store, version, mark)
    return True
