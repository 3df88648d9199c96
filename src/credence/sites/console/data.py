"""The screen of the credit data: each source with its day, size and faults, the latest loads, and holds."""

import asyncio

from credence import paths
from credence.blocks.text import short_day
from credence.blocks.values import Block, Cell, Note, Table
from credence.datasets import catalogue
from credence.errors import OperatorError
from credence.management.data_history import loads
from credence.management.inventory import listed_disputes, sources
from credence.management.inventory import policies as listed_policies
from credence.management.service_schema import Source
from credence.operations.data_holds import hold, release
from credence.operations.disputes import record_dispute
from credence.operations.held_rules import held_rules, release_rule
from credence.sites.console.runs import PATH as RUNS_PATH
from credence.sites.kit.operation_forms import acting_on_site, acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit

PATH = f"{paths.CONSOLE}/data"
ACTS = (hold, release, record_dispute)
DISPUTES_SHOWN = 50
LOADS_SHOWN = 20


async def read(visit: Visit) -> Page:
    """Return the state of every source on this node, its loads, and the rows that the last load rejected."""
    folder, now = visit.service.settings.credit_folder, visit.request.now
    found = (await asyncio.to_thread(sources, visit.service.settings, now)).sources
    entries = (await asyncio.to_thread(catalogue.read, folder)).sources
    rows = [
        [
            Cell(each.source),
            _state(each),
            Cell(short_day(each.as_of or ""), whole=True),
            Cell("" if each.age_in_days is None else f"{each.age_in_days:,}"),
            Cell(short_day(each.loaded or ""), whole=True),
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
        Note(f"{each.source} has been on hold since {each.held_since} by {each.held_by}: {each.hold_reason}", "warn")
        for each in found
        if each.held_since
    ]
    blocks.append(await _loads(visit))
    whys = ("Source", "Why", "Rejected", "Of")
    empty = "Nothing was rejected in recent loads."
    blocks.append(Table("Rejected in recent loads", whys, refused, empty, numbers=frozenset({2, 3})))
    blocks += await _judged(visit)
    blocks += [form_of(each) for each in ACTS]
    held = [
        (each.rule, f"{each.rule}: {each.companies:,} companies") for each in await held_rules(acting_on_site(visit))
    ]
    blocks += [form_of(release_rule, choices=held)] if held else []
    blocks.append(Note("New data is loaded on the command line: credence data refresh FOLDER", "soft"))
    links = (("Scoring runs: changes and drift", RUNS_PATH),)
    return Page("Data", blocks, "credence data status", links=links)


async def _loads(visit: Visit) -> Table:
    kept = (await asyncio.to_thread(loads, visit.service.settings)).loads
    rows = [
        [
            Cell(each.loaded_at[:19].replace("T", " "), whole=True),
            Cell(each.source),
            Cell(short_day(each.as_of or ""), whole=True),
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
    PATH,
    "Data",
    "reader",
    read,
    acts_of(PATH, *ACTS, release_rule),
)
