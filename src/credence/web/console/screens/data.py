"""The screen of the credit data: each source with its day, size and faults, the latest loads, and holds."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from credence.datasets import catalogue
from credence.errors import InvalidInput, OperatorError
from credence.management import data_holds
from credence.management.data_history import loads
from credence.management.inventory import listed_disputes, sources
from credence.management.inventory import policies as listed_policies
from credence.management.service_schema import Source
from credence.operations.audit_changes import changes
from credence.web.console.screens.runs import PATH as RUNS_PATH
from credence.web.screens.blocks import Block, Cell, Field, Form, Note, Page, Table
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

DISPUTES_SHOWN = 50
LOADS_SHOWN = 20


async def read(visit: Visit) -> Page:
    """Return the state of every source on this node, its loads, and the rows that the last load rejected."""
    return await _page(visit, "", "")


async def _page(visit: Visit, source: str, reason: str) -> Page:
    folder, now = visit.service.settings.credit_folder, visit.request.now
    found = (await asyncio.to_thread(sources, visit.service.settings, now)).sources
    entries = (await asyncio.to_thread(catalogue.read, folder)).sources
    rows = [
        [
            Cell(each.source),
            _state(each),
            Cell(each.as_of or ""),
            Cell("" if each.age_in_days is None else str(each.age_in_days)),
            Cell(each.loaded or ""),
            Cell("" if each.companies is None else f"{each.companies:,}"),
            Cell("" if each.facts is None else f"{each.facts:,}"),
            Cell("" if each.bytes is None else f"{each.bytes / 1_000_000:,.1f}"),
        ]
        for each in found
    ]
    columns = ("Source", "State", "As of", "Age, days", "Loaded", "Companies", "Facts", "MB")
    refused = [
        [Cell(source), Cell(reason), Cell(f"{count:,}"), Cell(f"{entry.rows:,}")]
        for source, entry in entries.items()
        for reason, count in entry.refused.items()
    ]
    blocks: list[Block] = [Table("Sources on this node", columns, rows, "", numbers=frozenset({3, 5, 6, 7}))]
    blocks += [Note(f"{each.source}: {each.fault}", "bad") for each in found if each.fault]
    blocks += [
        Note(f"{each.source} is held since {each.held_since} by {each.held_by}: {each.hold_reason}", "warn")
        for each in found
        if each.held_since
    ]
    blocks.append(await _loads(visit))
    whys = ("Source", "Why", "Rejected", "Of")
    empty = "The last loads rejected nothing."
    blocks.append(Table("What the last loads rejected", whys, refused, empty, numbers=frozenset({2, 3})))
    blocks += await _judged(visit)
    blocks.append(_hold_form(source, reason))
    blocks.append(Note("New data is loaded on the command line: credence data refresh FOLDER", "soft"))
    links = (("Scoring runs: what changed, and drift", RUNS_PATH),)
    return Page("Data", blocks, "credence data status", links=links)


async def _loads(visit: Visit) -> Table:
    kept = (await asyncio.to_thread(loads, visit.service.settings)).loads
    rows = [
        [
            Cell(each.loaded_at[:19].replace("T", " "), whole=True),
            Cell(each.source),
            Cell(each.as_of or ""),
            Cell("unknown" if each.seconds is None else f"{each.seconds:,.1f}"),
            Cell("unknown" if each.rows is None else f"{each.rows:,}"),
            Cell("unknown" if each.refused is None else f"{each.refused:,}", tone="warn" if each.refused else ""),
            Cell(f"{each.companies:,}"),
        ]
        for each in kept[:LOADS_SHOWN]
    ]
    columns = ("Loaded, UTC", "Source", "As of", "Seconds", "Rows", "Rejected", "Companies after it")
    title = "Newest loads and scoring runs"
    return Table(title, columns, rows, "Nothing was loaded.", numbers=frozenset({3, 4, 5, 6}))


def _hold_form(source: str, reason: str) -> Form:
    return Form(
        "preview",
        "Hold a source",
        "Show the effect",
        "Its data stays as it is: loads, refreshes and scoring runs of it are refused until it is released, on all nodes.",
        "credence data hold SOURCE --reason TEXT, credence data release SOURCE",
        [
            Field("source", "Source", source, options=[(name, name) for name in data_holds.NAMES]),
            Field("reason", "Reason", reason, hint="For the next operator; a release needs none."),
        ],
        also=[("hold", "Hold it"), ("release", "Release it")],
    )


async def preview(visit: Visit, values: Mapping[str, str]) -> Done:
    """Show the effect of a hold of the source, or of its release if it is held; change nothing."""
    source, reason = values.get("source", ""), values.get("reason", "")
    settings = visit.service.settings
    found = await _known(visit, source)
    would = partial(data_holds.released, settings, source, preview=True)
    if not found.held:
        text = reason.strip() or "not given yet"
        would = partial(
            data_holds.held, settings, source, visit.account.username, text, visit.request.now, preview=True
        )
    state = await _done(would)
    act = "Released" if found.held else "Held"
    return Done(f"{act}, {source}: {state.effect} Nothing is changed yet.", page=await _page(visit, source, reason))


async def hold(visit: Visit, values: Mapping[str, str]) -> Done:
    """Hold a source."""
    source, reason = values.get("source", ""), values.get("reason", "")
    found = await _known(visit, source)
    settings, by, now = visit.service.settings, visit.account.username, visit.request.now
    act = partial(data_holds.held, settings, source, by, reason, now, seen=found)
    changed = changes(found, await _done(partial(act, preview=True)))
    if not changed:
        return Done(f"{source} is held already, for this reason. Nothing was changed.")
    await record(visit, data_holds.HOLD, changed, source=source)
    state = await _done(act)
    return Done(f"{source} is held. {state.effect}")


async def release(visit: Visit, values: Mapping[str, str]) -> Done:
    """Release a source."""
    source = values.get("source", "")
    found = await _known(visit, source)
    if not found.held:
        return Done(f"{source} is not held. Nothing was changed.")
    gone = await _done(partial(data_holds.released, visit.service.settings, source, preview=True))
    await record(visit, data_holds.RELEASE, changes(found, gone), source=source)
    state = await _done(partial(data_holds.released, visit.service.settings, source, seen=found))
    return Done(f"{source} is released. {state.effect}")


async def _known(visit: Visit, source: str) -> data_holds.HoldState:
    try:
        return await asyncio.to_thread(data_holds.hold_of, visit.service.settings, source)
    except data_holds.UnknownSource as error:
        raise Wrong(str(error), "source") from None


async def _done(act: Callable[[], data_holds.HoldState]) -> data_holds.HoldState:
    try:
        return await asyncio.to_thread(act)
    except InvalidInput as error:
        raise Wrong(str(error), "reason") from None


async def _judged(visit: Visit) -> list[Block]:
    """Return the disputes about reports, and the installed policies."""
    settings = visit.service.settings
    try:
        found = (await asyncio.to_thread(listed_disputes, settings)).disputes
    except (OperatorError, OSError):
        return [Note("The disputes cannot be read: credence data disputes says why.", "bad")]
    disputes = [
        [
            Cell(each.company, code=True),
            Cell(each.field),
            Cell(each.status),
            Cell(each.opened),
            Cell(each.answer_due or ""),
        ]
        for each in found[:DISPUTES_SHOWN]
    ]
    policies = [
        [
            Cell(each.policy),
            Cell(each.date or ""),
            Cell("" if each.rules is None else str(each.rules)),
            _fault(each.fault),
        ]
        for each in (await asyncio.to_thread(listed_policies, settings)).policies
    ]
    columns = ("Company", "Disputed", "State", "Opened", "Answer due")
    title = "Disputes" if len(found) <= DISPUTES_SHOWN else f"Disputes: the first {DISPUTES_SHOWN} of {len(found):,}"
    return [
        Table(title, columns, disputes, "Nothing is disputed."),
        Table(
            "Policies",
            ("Policy", "Date", "Rules", "State"),
            policies,
            "No policy is installed.",
            numbers=frozenset({2}),
        ),
    ]


def _fault(fault: str | None) -> Cell:
    return Cell(fault, tone="bad") if fault else Cell("usable", tone="good")


def _state(each: Source) -> Cell:
    if each.fault:
        return Cell("unreadable", tone="bad")
    if each.pending:
        return Cell("newer elsewhere", tone="warn")
    if each.held_since:
        return Cell("held", tone="warn")
    return Cell("served", tone="good") if each.loaded else Cell("not loaded", tone="soft")


DATA = Screen(
    "/console/data",
    "Data",
    "reader",
    read,
    (Act("preview", "operator", preview), Act("hold", "operator", hold), Act("release", "operator", release)),
)
