"""Searches the request log for operators: the file of this node, and what other nodes have put into a shared store (D30).

The result names the nodes and what was searched of each.
"""

import asyncio
import datetime as dt
from collections.abc import Collection, Sequence

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.errors import InvalidInput
from credence.management.log_schema import LogEntry, LogNode, LogPage
from credence.management.requests_elsewhere import Of, logged_elsewhere, refused_elsewhere
from credence.request_log.block import BLOCK_RECORDS
from credence.request_log.query import of_applications, read_query
from credence.request_log.search import NEWEST, Found, Place, extent, search
from credence.settings import Settings
from credence.store.contract import Store

PAGE_SIZE = 100
MAX_PAGE_SIZE = 1_000

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


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
    previous page. Raises InvalidInput with what is wrong with the line, OSError if the log cannot be read,
    StoreUnavailable.
    """
    query, before = read_query(line, now), _place(page)
    if of is not None:
        query = of_applications(query, of)
    own, own_node = Found(), settings.node
    if not query.nodes or own_node in query.nodes:
        own = await asyncio.to_thread(search, settings.request_log_file, query, size, before)
    found, parts = [Of(own_node, record) for record in own.records], [own]
    searched = {own_node}
    if store.nodes is not None and store.requests is not None and store.refusals is not None:
        searched |= {each.node for each in await store.nodes.noted()}
        own_blocks = await asyncio.to_thread(extent, settings.request_log_file)
        # Refusals first: one that is logged between the two is in both, and not in neither.
        refused, of_refused = await refused_elsewhere(
            (store.refusals, store.requests), own_node, query, size, before, now
        )
        logged, of_logged = await logged_elsewhere(store.requests, (own_node, *own_blocks), query, size, before)
        ids = {each.record.request_id for each in logged}
        found += [*logged, *(each for each in refused if each.record.request_id not in ids)]
        parts += [of_logged, of_refused]
        searched |= {each.node for each in found}
    answered = [LogNode(each, "every request" if each == own_node else "shared") for each in sorted(searched)]
    return _merged(found, parts, size, answered)


async def find_request(
    settings: Settings, store: Store, request_id: str, now: Milliseconds, of: Collection[str] | None = None
) -> LogEntry | None:
    """Return the request with this id from the log of any node; None if none has it."""
    if not request_id or len(request_id) > 64 or not request_id.isascii() or not request_id.isprintable():
        return None
    if " " in request_id or request_id.endswith("*"):
        return None
    page = await search_log(settings, store, f"id:{request_id}", now, size=1, of=of)
    return page.requests[0] if page.requests else None


def missing_from(found: LogPage) -> list[str]:
    """Return a sentence for each kind of request that the searched time had and the log cannot show."""
    missing = []
    if found.lost:
        missing.append(f"{found.lost} requests of this time could not be written to the log.")
    if found.unreadable:
        missing.append(
            f"Up to {found.unreadable * BLOCK_RECORDS:,} requests to other nodes cannot be read here: their blocks are "
            "damaged, or a newer version wrote them."
        )
    return missing


def _merged(found: list[Of], parts: Sequence[Found], size: int, answered: list[LogNode]) -> LogPage:
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
        sum(part.unreadable for part in parts),
    )


def _entry(found: Of) -> LogEntry:
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
