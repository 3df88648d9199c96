"""The refusals that a command can read: from the trail of this node, or of all nodes from a shared store.

A line from a shared store has the name of its node as a further field.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from credence.cli.deployment import opened
from credence.settings import Settings
from credence.store.shared_refusals import SharedRefusal
from credence.telemetry.audit_files import DEEDS, REFUSALS, read_newest_first

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


async def _shared_line(settings: Settings, request_id: str) -> Line | None:
    async with opened(settings) as store:
        refusal = await store.refusals.of_request(request_id) if store.refusals else None
        return _line(refusal) if refusal else None


def _line(refusal: SharedRefusal) -> Line:
    return {**msgspec.json.decode(refusal.line), "node": refusal.node}
