"""The refusals that a command can read: from the trail of this node, or of all nodes from a shared store.

A line from a shared store has the name of its node as a further field.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from credence.cli.deployment import opened
from credence.settings import Settings
from credence.store.shared_refusals import SharedRefusal
from credence.telemetry.audit_files import DEEDS, REFUSALS, files_in_order, read_file, read_newest_first

Line = Mapping[str, Any]


def line_of_request(settings: Settings, request_id: str) -> Line | None:
    """Return the refusal of the request with this id, from the trail or the store; None if neither has it.

    Raises StoreUnavailable.
    """
    lines = (
        line
        for trail in (REFUSALS, DEEDS)  # version 0.2 wrote refusals into the trail of acts
        for line in read_newest_first(settings.audit_folder, trail, request_id.encode())
    )
    found = next((line for line in lines if line.get("request_id") == request_id and "reason" in line), None)
    if not settings.store:
        return found
    return {**found, "node": settings.node} if found else asyncio.run(_shared_line(settings, request_id))


def matching(settings: Settings, wanted: Line, count: int) -> list[Line]:
    """Return the newest refusals with the values of `wanted`, the newest first.

    With a shared store those of all nodes, otherwise those of this node. Raises StoreUnavailable.
    """
    if settings.store:
        return asyncio.run(_shared_lines(settings, wanted, count))
    found = (line for line in _own_lines(settings) if "reason" in line and _has(line, wanted))
    return [line for line, _ in zip(found, range(count), strict=False)]


def _own_lines(settings: Settings) -> Iterator[Line]:
    for file in reversed(files_in_order(settings.audit_folder, REFUSALS)):
        yield from reversed(list(read_file(file)))


def _has(line: Line, wanted: Line) -> bool:
    return all(line.get(name) == value for name, value in wanted.items())


async def _shared_line(settings: Settings, request_id: str) -> Line | None:
    async with opened(settings) as store:
        refusal = await store.refusals.of_request(request_id) if store.refusals else None
        return _line(refusal) if refusal else None


async def _shared_lines(settings: Settings, wanted: Line, count: int) -> list[Line]:
    lines: list[Line] = []
    async with opened(settings) as store:
        before: int | None = None
        while store.refusals is not None and len(lines) < count:
            page, before = await store.refusals.page(before)
            lines += (line for line in map(_line, page) if _has(line, wanted))
            if before is None:
                break
    return lines[:count]


def _line(refusal: SharedRefusal) -> Line:
    return {**msgspec.json.decode(refusal.line), "node": refusal.node}
