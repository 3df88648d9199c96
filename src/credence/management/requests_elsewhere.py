"""The requests of other nodes, from a shared store: the blocks of their logs, and refusals of the last minute (threats A11).

A node shares a block of its log when it is full or a minute old, and a refusal within a second. A search reads the blocks,
and of the refusals those that no block has yet.
"""

import datetime as dt
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from credence.clock import Milliseconds, seconds
from credence.request_log.block import unpacked
from credence.request_log.marks import may_have
from credence.request_log.query import Query
from credence.request_log.record import Record
from credence.request_log.search import BUDGET_SECONDS, Found, Place, matches_of
from credence.store.shared_refusals import SharedRefusals
from credence.store.shared_requests import PAGE_BLOCKS, BlockHead, SharedRequests, Wanted

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Of:
    """A record, and the node that answered the request."""

    node: str
    record: Record


async def logged_elsewhere(
    requests: SharedRequests, own: tuple[str, Milliseconds], query: Query, size: int, before: Place
) -> tuple[list[Of], Found]:
    """Return the matching requests in the shared blocks, and how far back they were searched.

    `own` is this node, and the oldest instant of its file: what is younger is read there. Raises StoreUnavailable, and
    OSError for a damaged block.
    """
    deadline = seconds() + BUDGET_SECONDS
    wanted = Wanted(query.since, min(before.at, query.until - 1), *own, query.nodes, query.serial)
    found, lost = list[Of](), 0
    place: tuple[Milliseconds, int] | None = None
    while True:
        heads = await requests.page(wanted, place)
        lost += sum(head.lost for head in heads)
        found += await _matches(requests, [head for head in heads if may_have(head.marks, query.marks)], query, before)
        if len(heads) < PAGE_BLOCKS:
            return found, Found(lost=lost)
        place = heads[-1].last, heads[-1].number
        further = Place(place[0] + 1, "")  # blocks that were not read have nothing from then on
        if sum(each.record.at >= further.at for each in found) > size:
            return found, Found(next=further, lost=lost)
        if further.at < before.at and seconds() > deadline:
            return found, Found(next=further, looked_back_to=further.at, is_partial=True, lost=lost)


async def _matches(requests: SharedRequests, heads: Sequence[BlockHead], query: Query, before: Place) -> list[Of]:
    contents = await requests.contents([head.number for head in heads]) if heads else {}
    try:
        return [
            Of(head.node, record)
            for head in heads
            if head.number in contents  # it may have been deleted meanwhile
            for record in matches_of(unpacked(contents[head.number]), query, before)
        ]
    except (zlib.error, msgspec.DecodeError) as error:
        raise OSError(f"a shared block of the request log cannot be read: {error}") from error


async def refused_elsewhere(
    refusals: SharedRefusals, own_node: str, query: Query, size: int, before: Place
) -> tuple[list[Of], Found]:
    """Return the matching refusals of other nodes that are in no shared block, and how far back they were searched."""
    found = list[Of]()
    deadline = seconds() + BUDGET_SECONDS
    position: int | None = None
    while True:
        rows, position = await refusals.page(position, unlogged=True)
        for row in rows:
            if row.node == own_node or (query.nodes and row.node not in query.nodes):
                continue
            record = _record(msgspec.json.decode(row.line, type=dict[str, object]))
            if (
                query.since <= record.at < query.until
                and (record.at, record.request_id) < before
                and all(test(record) for test in query.tests)
            ):
                found.append(Of(row.node, record))
        oldest = rows[-1].at if rows else 0
        if position is None or oldest < query.since:
            return found, Found()
        if len(found) > size:
            return found, Found(next=Place(oldest, ""))
        if oldest < before.at and seconds() > deadline:
            return found, Found(next=Place(oldest, ""), looked_back_to=oldest, is_partial=True)


def _record(line: dict[str, object]) -> Record:
    moment = dt.datetime.fromisoformat(str(line["time"]))
    names = ("request_id", "correlation_id", "application", "account", "method", "route")
    texts = [str(line.get(name) or "") for name in names]
    status = line.get("status")
    answered = (status if isinstance(status, int) else 0, 0)
    rest = [str(line.get(name) or "") for name in ("reason", "address", "peer")]
    return Record._make(((moment - _EPOCH) // dt.timedelta(milliseconds=1), *texts, *answered, *rest))
