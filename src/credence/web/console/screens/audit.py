"""The audit trail of this node: who did what, with a search and an export (threats A11, I12)."""

import asyncio
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from credence import paths
from credence.settings import Settings
from credence.telemetry.audit_files import DEEDS, files_in_order, read_file
from credence.web.console.blocks import Cell, Links, Page, Table
from credence.web.console.lists import MAX_QUERY_CHARACTERS, following, search_of
from credence.web.console.screen import Exported, Screen, Visit

LIST = f"{paths.CONSOLE}/audit"
PAGE_ROWS = 50
MAX_LINES = 100_000
"""Lines that one search reads, the newest first."""
MAX_EXPORTED = 10_000

COLUMNS = ("time", "act", "operator", "through", "about", "address", "more")

_SHOWN = {"time", "event", "act", "operator", "through", "address", "environment", "application", "account", "kid"}
_LINKS = {"previous", "digest", "prev"}
"""Members that chain the lines; they say nothing about the act."""

Line = Mapping[str, Any]


async def read(visit: Visit) -> Page:
    """Return a page of the trail, the newest first."""
    wanted, before = visit.asked("q")[:MAX_QUERY_CHARACTERS], visit.asked("after")
    found = await asyncio.to_thread(_page, visit.service.settings, wanted, before)
    onward = following(visit, str(found[-1]["time"])) if len(found) >= PAGE_ROWS else ""
    rows = [[Cell(text) for text in fields_of(line)] for line in found]
    titles = ("Time", "Act", "Operator", "Through", "About", "From", "More")
    export = f"{LIST}.csv?{visit.request.query.decode('latin-1')}"
    return Page(
        "Audit",
        [
            search_of(visit, "Find lines", "Text that a line has: a name, an act, an address, a request id."),
            Table("What was done", titles, rows, "No line has this text.", onward),
            Links("Export", [(f"These lines as CSV, {MAX_EXPORTED:,} at most", export)]),
        ],
        "credence audit verify",
        lead="Of this node. A line is written before the act, and each line has a digest of the one before.",
    )


async def export(visit: Visit) -> Exported:
    """Return what the search finds, for a table calculation."""
    wanted = visit.asked("q")[:MAX_QUERY_CHARACTERS]
    lines = await asyncio.to_thread(lambda: list(islice(_matching(visit.service.settings, wanted), MAX_EXPORTED)))
    return Exported(COLUMNS, [fields_of(line) for line in lines])


def fields_of(line: Line) -> tuple[str, ...]:
    """Return the fields of a line in the order of `COLUMNS`."""
    about = " ".join(str(line[name]) for name in ("application", "account", "kid") if line.get(name))
    rest = {name: value for name, value in line.items() if name not in _SHOWN | _LINKS}
    return (
        str(line.get("time", "")),
        str(line.get("act") or line.get("event", "")),
        str(line.get("operator", "")),
        str(line.get("through", "")),
        about,
        str(line.get("address", "")),
        msgspec.json.encode(rest).decode() if rest else "",
    )


def _page(settings: Settings, wanted: str, before: str) -> list[Line]:
    """Return the next lines older than `before`, and with the last of them all of the same millisecond."""
    found: list[Line] = []
    for line in _matching(settings, wanted):
        at = str(line.get("time", ""))
        if before and at >= before:
            continue
        if len(found) >= PAGE_ROWS and at != found[-1].get("time"):
            return found
        found.append(line)
    return found


def _matching(settings: Settings, wanted: str) -> Iterator[Line]:
    text = wanted.casefold()
    files = reversed(files_in_order(settings.audit_folder, DEEDS))
    lines = (line for file in files for line in reversed(list(read_file(file))))
    for line in islice(lines, MAX_LINES):
        if not text or any(text in str(value).casefold() for value in line.values()):
            yield line


AUDIT = Screen(LIST, "Audit", "operator", read, export=export)
