"""The claim of a comparison: one shared value, whose version also guards every write of the comparison (D31)."""

import datetime as dt

import msgspec

from credence.clock import Milliseconds
from credence.monitoring.loaded import Loaded
from credence.store.contract import Store

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
