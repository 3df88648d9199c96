"""The search of the audit trail: what operators and applications did, and what was refused (D30).

`operations/trails.py` says who may search. The screen *Registrations* uses the search to show the lines about registrations.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from credence.clock import seconds
from credence.management.service_schema import TrailPage
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.shared_refusals import SharedRefusals
from credence.telemetry.audit_files import DEEDS, REFUSALS, beginning_of, files_in_order, read_end, read_file

BUDGET_SECONDS = 1.0
"""The maximum duration of a search, except that a file that was begun is read to its end; the next page goes on."""

_SPARE_LINES = 1_000
"""Lines beyond twice those of a page after which the older ones are dropped."""

FIELDS = ("event", "act", "operator", "application", "account", "reason", "request_id", "address", "node")
"""The fields of a line that a search compares."""


async def search_deeds(settings: Settings, wanted: Mapping[str, str], size: int, before: str, text: str) -> TrailPage:
    """Return a page of what was done on this node; the parameters are those of `search_trail`."""
    return await asyncio.to_thread(search_trail, settings.audit_folder, DEEDS, wanted, size, before, text)


async def search_refusals(
    settings: Settings, store: Store, wanted: Mapping[str, str], size: int, before: str, text: str
) -> TrailPage:
    """Return a page of what was refused on this node, and on the nodes that share the store; each line names its node.

    The parameters are those of `search_trail`. Raises StoreUnavailable.
    """
    node = settings.node
    rest = {name: value for name, value in wanted.items() if name != "node"}
    own = TrailPage([], "")
    if wanted.get("node", node) == node:
        own = await asyncio.to_thread(search_trail, settings.audit_folder, REFUSALS, rest, size, before, text)
    lines, elsewhere = [{**line, "node": node} for line in own.lines], ""
    if store.refusals is not None and wanted.get("node") != node:
        others, elsewhere = await _of_other_nodes(store.refusals, node, wanted, size, before, text)
        lines += others
    searched_to = max(own.next_before, elsewhere)
    found = sorted((line for line in lines if _time(line) >= searched_to), key=_time, reverse=True)
    if len(found) > size:
        searched_to = _time(found[size - 1])
        return TrailPage([line for line in found if _time(line) >= searched_to], searched_to)
    return TrailPage(found, searched_to, is_partial=bool(searched_to))


async def _of_other_nodes(
    refusals: SharedRefusals, node: str, wanted: Mapping[str, str], size: int, before: str, text: str
) -> tuple[list[dict[str, Any]], str]:
    """Return refusals of other nodes, and the time to which their rows were searched; empty for all of them."""
    found: list[dict[str, Any]] = []
    deadline, position = seconds() + BUDGET_SECONDS, None
    while True:
        rows, position = await refusals.page(position)
        lines = [msgspec.json.decode(row.line) | {"node": row.node} for row in rows if row.node != node]
        found += (dict(line) for line in _matching(lines, wanted, before, text.casefold()))
        if position is None:
            return found, ""
        if len(found) > size or seconds() > deadline:
            return found, str(msgspec.json.decode(rows[-1].line)["time"])


def search_trail(
    folder: Path, trail: str, wanted: Mapping[str, str], size: int, before: str, text: str = ""
) -> TrailPage:
    """Return the newest lines with the values `wanted` and with `text` in a value, from before a time, the newest first.

    `before` empty means now. A page contains all lines of the millisecond of its last line, so that the next page begins
    before that. Processes write in turn, so the end of a file may be newer than the beginning of the next: it is searched
    together with the end of the one before it, as far back as its own beginning.
    """
    found: list[Mapping[str, Any]] = []
    deadline = seconds() + BUDGET_SECONDS
    files = list(reversed(files_in_order(folder, trail)))
    searched_to = ""
    for file, older in zip_longest(files, files[1:]):
        began = beginning_of(file)
        if began and before and began >= before:
            searched_to = began
            continue
        lines = _lines(file, searched_to, older, began)
        found += _newest(_matching(lines, wanted, before, text.casefold()), size)
        if len(found) > size:
            last = str(found[size - 1]["time"])
            shown = [line for line in found if str(line["time"]) >= last]
            return TrailPage([dict(line) for line in shown], last)
        searched_to = began or searched_to
        if began and older is not None and seconds() > deadline:
            return TrailPage([dict(line) for line in found], began, is_partial=True)
    return TrailPage([dict(line) for line in found], "")


def _lines(file: Path, until: str, older: Path | None, began: str) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a file from before `until`, then those at the end of the older file from `began` on."""
    yield from (line for line in read_file(file) if not until or str(line.get("time")) < until)
    if began and older is not None:
        yield from (line for line in read_end(older) if str(line.get("time", "")) >= began)


def _newest(lines: Iterable[Mapping[str, Any]], size: int) -> list[Mapping[str, Any]]:
    """Return the newest lines, more than `size` if there are more, with all of the millisecond of the last.

    A file may be large (`audit_file_megabytes`): the others are not kept in memory.
    """
    kept: list[Mapping[str, Any]] = []
    most = 2 * size + _SPARE_LINES
    for line in lines:
        kept.append(line)
        if len(kept) > most:
            kept = _cut(kept, size)
            most = 2 * len(kept) + _SPARE_LINES  # more than before only if many lines have one time
    return _cut(kept, size)


def _cut(lines: list[Mapping[str, Any]], size: int) -> list[Mapping[str, Any]]:
    ordered = sorted(lines, key=_time, reverse=True)
    return ordered if len(ordered) <= size else [line for line in ordered if _time(line) >= _time(ordered[size])]


def _time(line: Mapping[str, Any]) -> str:
    return str(line["time"])


def _matching(
    lines: Iterable[Mapping[str, Any]], wanted: Mapping[str, str], before: str, text: str
) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        if (
            "time" in line
            and (not before or str(line["time"]) < before)
            and all(str(line.get(name, "")) == value for name, value in wanted.items())
            and (not text or any(text in str(value).casefold() for value in line.values()))
        ):
            yield line
