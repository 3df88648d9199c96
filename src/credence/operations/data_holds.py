"""Holds and releases sources of credit data (D21, D30).

With a shared store, a hold applies to all nodes. An edition that was published before the hold is still fetched, so that
all nodes serve the same data.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Final

from msgspec import Meta, Struct

from credence.datasets import catalogue, holds
from credence.datasets.loading.refresh import due_files
from credence.datasets.publish import Publish
from credence.datasets.replication.changing import changed
from credence.datasets.score_reader import SCORES
from credence.management.instants import instant
from credence.management.inventory import NAMES
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_DATA
from credence.operations.acting import READ, Access, Acting
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.operations.reading import showing
from credence.settings import Settings
from credence.store.contract import Conflict


class HoldBody(Struct, forbid_unknown_fields=True):
    """Why a source is held."""

    reason: Annotated[
        Annotated[str, Meta(min_length=1, max_length=holds.MAX_REASON_CHARACTERS)],
        meaning("The reason in one line, for the next operator.", example="The snapshot of November is incomplete."),
        Input(),
    ]


class HoldState(Struct, frozen=True):
    """Whether a source is held, and what that means."""

    source: Annotated[str, meaning("Its name.")]
    held: Annotated[bool, meaning("Whether loads of it are refused.")]
    since: Annotated[str | None, meaning("Since when.", example="2026-11-22T09:30:00Z")] = None
    by: Annotated[str | None, meaning("Who holds it.", example="ada")] = None
    reason: Annotated[str | None, meaning("Why.", example="The snapshot of November is incomplete.")] = None
    effect: Annotated[str, meaning("What is served, and what happens to newer data.")] = ""


def hold_of(settings: Settings, source: str) -> HoldState:
    """Return the hold of a source, or that it is not held. Raises CatalogueDamaged, OSError."""
    return _state_of(settings, source, catalogue.read(settings.credit_folder).holds.get(source))


async def _find(by: Acting, source: str) -> HoldState | None:
    return await asyncio.to_thread(hold_of, by.means.settings, source) if source in NAMES else None


async def _save(by: Acting, found: HoldState | None, after: HoldState) -> None:
    """Change the holds of the catalogue; Conflict if another hold was placed, replaced or released meanwhile."""
    folder, store = by.means.settings.credit_folder, by.means.settings.store
    is_as_seen = _is_as_seen(found)
    act: Callable[[Publish], object] = partial(holds.release, folder, after.source, is_as_seen=is_as_seen)
    if after.held:
        act = partial(holds.hold, folder, after.source, by.operator, after.reason or "", by.now, is_as_seen=is_as_seen)
    try:
        await asyncio.to_thread(changed, folder, store, holds.HOLDS, act)
    except holds.HoldChanged:
        raise Conflict(after.source) from None


HOLD: Final[Noun[HoldState]] = Noun(
    name="source",
    path="data/sources/{source}/hold",
    help=f"One of {', '.join(NAMES)}.",
    example="register",
    choices=NAMES,
    find=_find,
    save=_save,
    state=as_it_is(HoldState),
    identity=lambda hold: hold.source,
    needs_store=False,
)
_ACCESS = Access(MANAGE_DATA, "operator")


read_hold = showing(
    HOLD,
    "",
    id="read_hold",
    access=READ,
    title="Read whether a source is held",
    text="Show whether a source is held. While it is, loads, refreshes and scoring runs of it are refused, on all nodes.",
)


@operation(
    "data hold",
    on=HOLD,
    api=("PUT", ""),
    access=_ACCESS,
    title="Hold a source",
    button="Hold source",
    id="hold_source",
    shows_effect=True,
)
async def hold(by: Acting, found: HoldState, body: HoldBody) -> Change[HoldState]:
    """Refuse loads, refreshes and scoring runs of a source until it is released. Its data stays as it is.

    If the source is already held, your name and reason replace the earlier ones.
    """
    before = await _newest(by, found)
    after = await asyncio.to_thread(
        _state_of, by.means.settings, found.source, holds.wanted(before, by.operator, body.reason, by.now)
    )
    return Change(after, said=f"{found.source} is held. {after.effect}")


@operation(
    "data release",
    on=HOLD,
    api=("DELETE", ""),
    access=_ACCESS,
    title="Release a source",
    button="Release it",
    id="release_source",
    shows_effect=True,
)
async def release(by: Acting, found: HoldState, _body: None) -> Change[HoldState]:
    """Allow new data of a held source to be loaded again. Nothing is loaded by this itself."""
    if await _newest(by, found) is None:
        return Change(found, said=f"{found.source} is not held.")
    after = await asyncio.to_thread(_state_of, by.means.settings, found.source, None)
    return Change(after, said=f"{found.source} is released. {after.effect}")


async def _newest(by: Acting, found: HoldState) -> catalogue.Hold | None:
    """Return the newest hold of the source. Raises Conflict if this node's file, from which `found` was read, was older.

    An act without a version then begins again, with the file that has been fetched.
    """
    folder, store = by.means.settings.credit_folder, by.means.settings.store
    newest = await asyncio.to_thread(
        changed, folder, store, holds.HOLDS, lambda _publish: catalogue.read(folder).holds.get(found.source)
    )
    if not _is_as_seen(found)(newest):
        raise Conflict(found.source)
    return newest


@members_of.register
def _of_hold(hold: HoldState) -> dict[str, object]:
    return {name: getattr(hold, name) for name in ("held", "since", "by", "reason")}


def _is_as_seen(seen: HoldState | None) -> holds.IsAsSeen:
    def is_as_seen(hold: catalogue.Hold | None) -> bool:
        found = (None, None, None) if hold is None else (instant(hold.since), hold.by, hold.reason)
        return seen is not None and (seen.since, seen.by, seen.reason) == found

    return is_as_seen


def _state_of(settings: Settings, source: str, hold: catalogue.Hold | None) -> HoldState:
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
