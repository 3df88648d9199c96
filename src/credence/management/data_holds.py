"""Holds and releases sources of credit data, for the command line, the management API and the console (D30).

With a shared store, a hold applies to all nodes. An edition that was published before the hold is still fetched, so that
all nodes serve the same data.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from credence.clock import Milliseconds
from credence.datasets import catalogue, holds
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.refresh import SOURCES, due_files
from credence.datasets.publish import Publish
from credence.datasets.replication.changing import changed
from credence.datasets.score_reader import SCORES
from credence.errors import InvalidInput
from credence.management.instants import instant
from credence.meanings import meaning
from credence.settings import Settings
from credence.store.contract import Conflict

T = TypeVar("T")

NAMES = (REGISTER, *SOURCES, SCORES)
"""The sources, in the order in which they are usually loaded."""

HOLD, RELEASE = "data hold", "data release"
"""The names of the operations in the audit trail, which are those of the commands."""


class UnknownSource(InvalidInput):
    """There is no source of this name."""


class HoldBody(Struct, forbid_unknown_fields=True):
    """Why a source is held."""

    reason: Annotated[
        Annotated[str, Meta(min_length=1, max_length=holds.MAX_REASON_CHARACTERS)],
        meaning("Why, in one line, for the next operator.", example="The snapshot of November is incomplete."),
    ]


class HoldState(Struct):
    """Whether a source is held, and what that means."""

    source: Annotated[str, meaning("Its name.")]
    held: Annotated[bool, meaning("Whether loads of it are refused.")]
    since: Annotated[str | None, meaning("Since when.", example="2026-11-22T09:30:00Z")] = None
    by: Annotated[str | None, meaning("Who holds it.", example="ada")] = None
    reason: Annotated[str | None, meaning("Why.", example="The snapshot of November is incomplete.")] = None
    effect: Annotated[str, meaning("What is served, and what happens to newer data.")] = ""


def hold_of(settings: Settings, source: str) -> HoldState:
    """Return the hold of a source. Raises UnknownSource, CatalogueDamaged, OSError."""
    _require_known(source)
    return _state(settings, source, catalogue.read(settings.credit_folder).holds.get(source))


def held(
    settings: Settings,
    source: str,
    by: str,
    reason: str,
    now: Milliseconds,
    *,
    seen: HoldState | None = None,
    preview: bool = False,
) -> HoldState:
    """Hold a source and return its state; with `preview`, change nothing.

    `seen` is the state that the operator has seen; None replaces any. Raises Conflict for a hold that was placed, replaced
    or released since; UnknownSource; InvalidInput for a reason that is missing or too long; StoreUnavailable, OSError.
    """
    _require_known(source)
    folder = settings.credit_folder
    wanted = holds.wanted(catalogue.read(folder).holds.get(source), by, reason, now)
    if not preview:
        act = partial(holds.hold, folder, source, by, reason, now, is_as_seen=_is_as_seen(seen))
        wanted = _changed(settings, source, act)
    return _state(settings, source, wanted)


def released(settings: Settings, source: str, *, seen: HoldState | None = None, preview: bool = False) -> HoldState:
    """Release a source and return its state; with `preview`, change nothing. Raises as `held` does."""
    _require_known(source)
    folder = settings.credit_folder
    if not preview:
        _changed(settings, source, partial(holds.release, folder, source, is_as_seen=_is_as_seen(seen)))
    return _state(settings, source, None)


def _changed(settings: Settings, source: str, act: Callable[[Publish], T]) -> T:
    try:
        return changed(settings.credit_folder, settings.store, holds.HOLDS, act)
    except holds.HoldChanged:
        raise Conflict(source) from None


def _is_as_seen(seen: HoldState | None) -> holds.IsAsSeen:
    if seen is None:
        return lambda _: True
    return lambda hold: (
        (seen.since, seen.by, seen.reason)
        == ((None, None, None) if hold is None else (instant(hold.since), hold.by, hold.reason))
    )


def _require_known(source: str) -> None:
    if source not in NAMES:
        raise UnknownSource(f"There is no source {source[:40]!r}: it is one of {', '.join(NAMES)}.")


def _state(settings: Settings, source: str, hold: catalogue.Hold | None) -> HoldState:
    effect = _effect(settings, source, held=hold is not None)
    if hold is None:
        return HoldState(source, False, effect=effect)
    return HoldState(source, True, instant(hold.since), hold.by, hold.reason, effect)


def _effect(settings: Settings, source: str, *, held: bool) -> str:
    folder = settings.credit_folder
    current = catalogue.read(folder)
    entry = current.sources.get(source)
    served = "No data of it is served."
    if entry is not None:
        companies = "1 company" if entry.companies == 1 else f"{entry.companies:,} companies"
        served = f"Served: {companies}, as of {entry.as_of or 'an unknown day'}."
    act = "Scoring runs" if source == SCORES else "Loads of it"
    then = f"{act} are {'refused' if held else 'possible'}."
    try:
        waiting = [each for each in due_files(folder / "downloads", current) if each.source == source]
    except OSError:  # most deployments have no such folder
        waiting = []
    if waiting:
        then += f" The folder of downloads has newer files ({', '.join(each.description for each in waiting)}), which "
        then += "wait until the release." if held else "the next refresh loads."
    return f"{served} {then}"
