"""Searches the request log for operators: all requests of this node, and the other nodes' refusals (D30).

Each node has its own log of every request. A shared store has the refusals of all nodes for three days, as for `credence
why`; the result names the nodes and what was searched of each.
"""

import asyncio
import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import msgspec

from credence.clock import Milliseconds, seconds
from credence.crypto import base64url
from credence.errors import InvalidInput
from credence.management.log_schema import LogEntry, LogNode, LogPage
from credence.request_log.query import Query, of_applications, read_query
from credence.request_log.record import Record
from credence.request_log.search import BUDGET_SECONDS, NEWEST, Found, Place, search
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.shared_refusals import SharedRefusals

PAGE_SIZE = 100
MAX_PAGE_SIZE = 1_000

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class _Of:
    """A record, and the node that answered the request."""

    node: str
    record: Record


async def search_log(
    settings: Settings,
    store: Store,
    line: str,
    now: Milliseconds,
    *,
    size: int = PAGE_SIZE,
    page: str = "",
    of: Collection[str] | None = None,
) -> LogPage:
    """Return a page of the requests that match a query line, the newest first.

    `of` are the client_ids whose requests may be shown; None for every request. `page` is the `next_page_token` of the
    previous page. Raises InvalidInput with what is wrong with the line, OSError if this node's log cannot be read,
    StoreUnavailable.
    """
    query, before = read_query(line, now), _place(page)
    if of is not None:
        query = of_applications(query, of)
    own, others = Found(), Found()
    own_node = settings.node
    if not query.nodes or own_node in query.nodes:
        own = await asyncio.to_thread(search, settings.request_log_file, query, size, before)
    answered = [LogNode(own_node, "every request")]
    found = [_Of(own_node, record) for record in own.records]
    if store.refusals is not None and store.nodes is not None:
        names = {each.node for each in await store.nodes.noted()} - {own_node}
        answered += [LogNode(name, "refusals") for name in sorted(names)]
        elsewhere, others = await _refusals(store.refusals, own_node, query, size, before)
        found += elsewhere
    return _merged(found, (own, others), size, answered)


async def find_request(
    settings: Settings, store: Store, request_id: str, now: Milliseconds, of: Collection[str] | None = None
) -> LogEntry | None:
    """Return the request with this id from this node's log or the shared refusals; None if neither has it."""
    if not request_id or len(request_id) > 64 or not request_id.isascii() or not request_id.isprintable():
        return None
    if " " in request_id or request_id.endswith("*"):
        return None
    page = await search_log(settings, store, f"id:{request_id}", now, size=1, of=of)
    return page.requests[0] if page.requests else None


def _merged(found: list[_Of], parts: Sequence[Found], size: int, answered: list[LogNode]) -> LogPage:
    frontier = max(part.looked_back_to if part.is_partial else 0 for part in parts)
    known = sorted(
        (each for each in found if each.record.at >= frontier),
        key=lambda each: (each.record.at, each.record.request_id),
        reverse=True,
    )
    shown = known[:size]
    is_partial = frontier > 0 and len(known) <= size
    if is_partial:
        following: Place | None = Place(frontier, "")
    elif len(known) > size or any(part.next is not None for part in parts):
        following = Place(shown[-1].record.at, shown[-1].record.request_id)
    else:
        following = None
    return LogPage(
        [_entry(each) for each in shown],
        _token(following),
        is_partial,
        _moment(following.at) if following is not None else None,
        sum(part.lost for part in parts),
        answered,
    )


async def _refusals(
    refusals: SharedRefusals, own_node: str, query: Query, size: int, before: Place
) -> tuple[list[_Of], Found]:
    """Return the matching refusals of other nodes, and how far back they were searched."""
    found = list[_Of]()
    deadline = seconds() + BUDGET_SECONDS
    position: int | None = None
    while True:
        rows, position = await refusals.page(position)
        for row in rows:
            if row.node == own_node or (query.nodes and row.node not in query.nodes):
                continue
            record = _record(msgspec.json.decode(row.line, type=dict[str, object]))
            if (
                query.since <= record.at < query.until
                and (record.at, record.request_id) < before
                and all(test(record) for test in query.tests)
            ):
                found.append(_Of(row.node, record))
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


def _entry(found: _Of) -> LogEntry:
    record = found.record
    return LogEntry(
        _moment(record.at),
        record.request_id,
        found.node,
        record.status,
        record.method or None,
        record.path or None,
        record.client_id or None,
        record.account or None,
        record.reason or None,
        record.address or None,
        record.peer or None,
        record.correlation_id or None,
        record.microseconds / 1000 if record.microseconds else None,
    )


def _moment(at: Milliseconds) -> str:
    return (_EPOCH + dt.timedelta(milliseconds=at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _token(place: Place | None) -> str:
    return "" if place is None else base64url.encode(f"{place.at} {place.request_id}".encode())


def _place(token: str) -> Place:
    if not token:
        return NEWEST
    try:
        at, _, request_id = base64url.decode(token).decode().partition(" ")
        if len(token) > 400 or not at.isdigit() or len(at) > 19:
            raise ValueError
        return Place(int(at), request_id)
    except ValueError:
        raise InvalidInput("The page token is not one of this list.") from None
