"""The requests of other nodes, from a shared store: the blocks of their logs, and refusals of the last minute (threats A11).

A node shares a block of its log when it is full or a minute old, and a refusal within a second. A search reads the blocks,
and of the refusals those that no block has yet.
"""

import asyncio
import datetime as dt
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from credence.clock import Milliseconds, seconds
from credence.request_log.block import marks_in, unpacked
from credence.request_log.query import Query
from credence.request_log.record import Record, may_have, serial_of
from credence.request_log.search import BUDGET_SECONDS, Found, Place, matches_of
from credence.store.shared_refusals import SharedRefusal, SharedRefusals
from credence.store.shared_requests import PAGE_BLOCKS, BlockHead, SharedRequests, Wanted
from credence.telemetry.log import warning

UNSHARED_MS = 600_000
"""A request is in a shared block after a minute, or some more if the store was away."""

READ_BLOCKS = 8
"""Blocks that are read at a time: some 15 ms, so that a search ends soon after its budget is spent."""

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Of:
    """A record, and the node that answered the request."""

    node: str
    record: Record


async def logged_elsewhere(
    requests: SharedRequests, own: tuple[str, Sequence[str], Milliseconds], query: Query, size: int, before: Place
) -> tuple[list[Of], Found]:
    """Return the matching requests in the shared blocks, and how far back they were searched.

    `own` is this node, and the processes and the oldest instant in its file: their younger blocks are read there. Blocks
    that are damaged or of another version are left out and counted. Raises StoreUnavailable.
    """
    deadline = seconds() + BUDGET_SECONDS
    wanted = Wanted(query.since, min(before.at, query.until - 1), *own, query.nodes, query.serial)
    found, missing = list[Of](), Found()
    place: tuple[Milliseconds, int] | None = None
    while True:
        heads = await requests.page(wanted, place)
        for first in range(0, len(heads), READ_BLOCKS):
            part = heads[first : first + READ_BLOCKS]
            matches, unreadable = await _matches(requests, part, query, before)
            found += matches
            lost = sum(head.lost for head in part)
            missing = replace(missing, lost=missing.lost + lost, unreadable=missing.unreadable + unreadable)
            if first + READ_BLOCKS >= len(heads) < PAGE_BLOCKS:
                break
            further = Place(part[-1].last + 1, "")  # blocks that were not read have nothing from then on
            if sum(each.record.at >= further.at for each in found) > size:
                return found, replace(missing, next=further)
            if further.at < before.at and seconds() > deadline:
                return found, replace(missing, next=further, looked_back_to=further.at, is_partial=True)
        if len(heads) < PAGE_BLOCKS:
            return found, missing
        place = heads[-1].last, heads[-1].number


async def _matches(
    requests: SharedRequests, heads: Sequence[BlockHead], query: Query, before: Place
) -> tuple[list[Of], int]:
    """Return the matching requests of these blocks, and how many of the blocks cannot be read."""
    marks = {head: marks_in(head.marks) for head in heads}
    wanted = [head for head, known in marks.items() if known is not None and may_have(known, query.marks)]
    of_another_version = sum(known is None for known in marks.values())
    contents = await requests.contents([head.number for head in wanted]) if wanted else {}
    stored = [
        (head, contents[head.number]) for head in wanted if head.number in contents
    ]  # others are deleted meanwhile
    found, damaged = await asyncio.to_thread(_matches_of, stored, query, before) if stored else ([], 0)
    return found, of_another_version + damaged


def _matches_of(stored: Sequence[tuple[BlockHead, bytes]], query: Query, before: Place) -> tuple[list[Of], int]:
    found, damaged = list[Of](), 0
    for head, content in stored:
        try:
            found += [Of(head.node, record) for record in matches_of(unpacked(content), query, before)]
        except (zlib.error, msgspec.DecodeError, ValueError, TypeError) as error:  # the last two: other columns
            warning("request_block_damaged", block=head.number, of_node=head.node, fault=str(error))
            damaged += 1
    return found, damaged


async def refused_elsewhere(
    store: tuple[SharedRefusals, SharedRequests],
    own_node: str,
    query: Query,
    size: int,
    before: Place,
    now: Milliseconds,
) -> tuple[list[Of], Found]:
    """Return the matching refusals of other nodes that are in no shared block, and how far back they were searched.

    Older ones than `UNSHARED_MS` are found by their request id alone: they are in a block, or their node was killed.
    """
    refusals, requests = store
    if query.serial is not None:
        row = await refusals.of_request("{}-{}".format(*query.serial))
        return await _unshared([row] if row is not None else [], requests, own_node, query, before), Found()
    found, deadline = list[Of](), seconds() + BUDGET_SECONDS
    since = max(query.since, now - UNSHARED_MS)
    position: int | None = None
    while True:
        rows, position = await refusals.page(position)
        found += await _unshared([row for row in rows if row.at >= since], requests, own_node, query, before)
        oldest = rows[-1].at if rows else 0
        if position is None or oldest < since:
            return found, Found()
        if len(found) > size:
            return found, Found(next=Place(oldest, ""))
        if oldest < before.at and seconds() > deadline:
            return found, Found(next=Place(oldest, ""), looked_back_to=oldest, is_partial=True)


async def _unshared(
    rows: Sequence[SharedRefusal], requests: SharedRequests, own_node: str, query: Query, before: Place
) -> list[Of]:
    """Return those of other nodes that match and are in no shared block.

    One that is wanted by its id is returned in any case: its block may be damaged.
    """
    matching = [
        Of(row.node, record)
        for row in rows
        if row.node != own_node and (not query.nodes or row.node in query.nodes)
        for record in [_record(msgspec.json.decode(row.line, type=dict[str, object]))]
        if query.since <= record.at < query.until
        and (record.at, record.request_id) < before
        and all(test(record) for test in query.tests)
    ]
    if query.serial is not None:
        return matching
    serials = [serial_of(each.record.request_id) for each in matching]
    shared = await requests.having(serials) if serials else set()
    return [each for each, serial in zip(matching, serials, strict=True) if serial not in shared]


def _record(line: dict[str, object]) -> Record:
    moment = dt.datetime.fromisoformat(str(line["time"]))
    names = ("request_id", "correlation_id", "application", "account", "method", "route")
    texts = [str(line.get(name) or "") for name in names]
    status = line.get("status")
    answered = (status if isinstance(status, int) else 0, 0)
    rest = [str(line.get(name) or "") for name in ("reason", "address", "peer")]
    return Record._make(((moment - _EPOCH) // dt.timedelta(milliseconds=1), *texts, *answered, *rest))
