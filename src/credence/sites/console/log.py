"""The request log, with examples of queries and an automatic reload, and the screen of one request with its checks (D30)."""

from urllib.parse import quote, urlencode

from credence import paths
from credence.blocks.forms import Search
from credence.blocks.values import Block, Cell, Facts, Links, Note, Table
from credence.errors import InvalidInput
from credence.management.explained_request import CurrentRecords, explain_request
from credence.management.log_schema import LogEntry
from credence.management.request_log import find_request
from credence.operations import perform
from credence.operations.trails import LogQuery, search_log
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.console.accounts import address as address_of_account
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.lists import MAX_QUERY_CHARACTERS, following
from credence.sites.kit.log_blocks import log_day, log_time, notes_of, request_cell, table_of_checks, tone_of
from credence.sites.kit.operation_forms import acting_on_site
from credence.sites.kit.screen import Page, Screen, Visit
from credence.web.routing.requested_route import requested_route

LIST = f"{paths.CONSOLE}/log"
PAGE_ROWS = 50
RELOAD_SECONDS = 5

_UNREADABLE = Note("The log of this node cannot be read; its own log says why.", "bad")

_QUERIES = (
    ("Refusals, last hour", "status:4xx since:1h"),
    ("Faults, last 24 hours", "status:5xx since:1d"),
    ("Rate limited, last 24 hours", "reason:spike* since:1d"),
    ("Wrong passwords, last hour", "reason:password* since:1h"),
    ("Everything, last 5 minutes", "since:5m"),
)

_HINT = "client:… account:… reason:… status:4xx path:… method:… from:… id:… node:… since:1h until:… and - to exclude"


async def read_list(visit: Visit) -> Page:
    """Return the requests that match the query line, the newest first."""
    line, live = visit.parameter("q")[:MAX_QUERY_CHARACTERS], visit.parameter("live") == "1"
    blocks: list[Block] = [Links("Start here", [(text, address_of(query)) for text, query in _QUERIES])]
    try:
        query = LogQuery(line, PAGE_ROWS, visit.parameter("after"))
        found = await perform.read(search_log, acting_on_site(visit), query=query)
    except InvalidInput as error:
        search = Search("Query", line, _HINT, wrong=str(error))
        return Page("Log", [search, *blocks], "credence log")
    except OSError:
        return Page("Log", [_UNREADABLE], "credence log")
    other = f"{LIST}?{urlencode({'q': line, **({} if live else {'live': '1'})})}"
    tail = "Stop reloading" if live else f"Reload every {RELOAD_SECONDS} seconds"
    blocks = [Search("Query", line, _HINT), *blocks, Links("This page", [(tail, other)])]
    blocks += notes_of(found)
    next_url = following(visit, found.next_page_token) if found.next_page_token else ""
    rows = [_row(each) for each in found.requests]
    days = [log_day(each.at) for each in found.requests]
    columns = ("Time (UTC)", "Status", "Request", "Account", "From", "ms", "Application")
    blocks.append(Table("Requests", columns, rows, "No request matches.", next_url, frozenset({5}), groups=days))
    reload_seconds, is_followed = RELOAD_SECONDS if live else 0, not visit.parameter("after")
    return Page("Log", blocks, f"credence log {line}".strip(), is_followed=is_followed, reload_seconds=reload_seconds)


def address_of(query: str) -> str:
    """Return the path of the log screen with this query line, which operators can send each other as a link."""
    return f"{LIST}?{urlencode({'q': query})}"


def _row(entry: LogEntry) -> list[Cell]:
    client = entry.client_id or ""
    return [
        Cell(log_time(entry.at), f"{LIST}/{quote(entry.request_id, safe='')}", whole=True),
        Cell(str(entry.status), tone=tone_of(entry.status)),
        request_cell(entry),
        Cell(entry.account or "", address_of_account(entry.account) if entry.account else ""),
        Cell(entry.address or ""),
        Cell("" if entry.milliseconds is None else f"{entry.milliseconds:.1f}"),
        Cell(client, address_of_application(client) if client else "", code=bool(client)),
    ]


LOG = Screen(LIST, "Log", search_log.access.role, read_list)


async def read_one(visit: Visit) -> Page:
    """Return the screen of a request with its checks."""
    store, settings = visit.service.authority.store, visit.service.settings
    try:
        entry = await find_request(settings, store, visit.request.segment, visit.request.now)
    except OSError:
        return Page("Request", [_UNREADABLE], f"credence why {visit.request.segment}", above=("Log", LIST))
    if entry is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    current = CurrentRecords(
        await store.application(entry.client_id) if entry.client_id else None,
        await store.account(entry.account) if entry.account else None,
    )
    found = explain_request(entry, requested_route(visit.rows, entry), current, settings, visit.request.now)
    client, account = entry.client_id or "", entry.account or ""
    blocks: list[Block] = [
        Facts(
            "Request",
            [
                ("Time", Cell(entry.at)),
                ("Status", Cell(str(entry.status), tone=tone_of(entry.status))),
                ("Request", Cell(f"{entry.method or '?'} {entry.path or 'no route has the path'}")),
                ("Reason", Cell(entry.reason or "", code=bool(entry.reason))),
                ("Application", Cell(client, address_of_application(client) if client else "", code=bool(client))),
                ("Account", Cell(account, address_of_account(account) if account else "")),
                ("From", Cell(entry.address or "")),
                ("Through the proxy", Cell(entry.peer or "")),
                ("Answered within", Cell(f"{entry.milliseconds:.2f} ms" if entry.milliseconds else "")),
                ("Node", Cell(entry.node)),
                ("Correlation id", Cell(entry.correlation_id or "")),
                ("Request id", Cell(entry.request_id, code=True)),
            ],
        )
    ]
    if found.rule:
        blocks.append(Facts("Why", [("Rule", Cell(found.rule)), ("What to do", Cell(found.what_to_do or ""))]))
    blocks.append(table_of_checks(found.checks))
    return Page(f"Request {entry.request_id}", blocks, f"credence why {entry.request_id}", above=("Log", LIST))


REQUEST = Screen(f"{LIST}/{{request_id}}", "Request", "support", read_one, listed=False)
