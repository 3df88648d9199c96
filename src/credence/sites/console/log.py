"""The request log: a query line, examples of queries, and an optional automatic reload (D30)."""

from urllib.parse import quote, urlencode

from credence import paths
from credence.blocks.forms import Search
from credence.blocks.values import Block, Cell, Links, Note, Table
from credence.errors import InvalidInput
from credence.management.log_schema import LogEntry
from credence.operations import perform
from credence.operations.trails import LogQuery, search_log
from credence.sites.console.accounts import address as address_of_account
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.lists import MAX_QUERY_CHARACTERS, following
from credence.sites.kit.log_blocks import log_day, log_time, notes_of, request_cell, tone_of
from credence.sites.kit.operation_forms import acting_on_site
from credence.sites.kit.screen import Page, Screen, Visit

LIST = f"{paths.CONSOLE}/log"
PAGE_ROWS = 50
RELOAD_SECONDS = 5

_QUERIES = (
    ("Refusals, last hour", "status:4xx since:1h"),
    ("Faults, last 24 hours", "status:5xx since:1d"),
    ("Rate limited, last 24 hours", "reason:spike* since:1d"),
    ("Wrong passwords, last hour", "reason:password* since:1h"),
    ("Everything, last 5 minutes", "since:5m"),
)

_HINT = "client:… account:… reason:… status:4xx path:… method:… from:… id:… node:… since:1h until:… and - to exclude"


async def read(visit: Visit) -> Page:
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
        note = Note("The log of this node cannot be read; its own log says why.", "bad")
        return Page("Log", [note], "credence log")
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


LOG = Screen(LIST, "Log", search_log.access.role, read)
