"""The request log: one query line, queries to begin with, and a page that reloads itself on request (D30)."""

from urllib.parse import quote, urlencode

from credence import paths
from credence.errors import InvalidInput
from credence.management.log_schema import LogEntry
from credence.management.request_log import search_log
from credence.web.console.screens.accounts import address as address_of_account
from credence.web.console.screens.applications import address as address_of_application
from credence.web.screens.blocks import Block, Cell, Links, Note, Page, Search, Table
from credence.web.screens.lists import MAX_QUERY_CHARACTERS, following
from credence.web.screens.log_blocks import notes_of, tone_of
from credence.web.screens.screen import Screen, Visit

LIST = f"{paths.CONSOLE}/log"
PAGE_ROWS = 50
RELOAD_SECONDS = 5

_QUERIES = (
    ("Refusals of an hour", "status:4xx since:1h"),
    ("Faults of a day", "status:5xx since:1d"),
    ("Spike arrests of a day", "reason:spike* since:1d"),
    ("Wrong passwords of an hour", "reason:password* since:1h"),
    ("Everything of five minutes", "since:5m"),
)

_HINT = "client:… account:… reason:… status:4xx path:… method:… from:… id:… node:… since:1h until:… and - to exclude"


async def read(visit: Visit) -> Page:
    """Return the requests that the query line wants, the newest first."""
    line, live = visit.asked("q")[:MAX_QUERY_CHARACTERS], visit.asked("live") == "1"
    blocks: list[Block] = [Links("Begin with", [(text, address_of(query)) for text, query in _QUERIES])]
    try:
        found = await search_log(
            visit.service.settings,
            visit.service.authority.store,
            line,
            visit.request.now,
            size=PAGE_ROWS,
            page=visit.asked("after"),
        )
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
    onward = following(visit, found.next_page_token) if found.next_page_token else ""
    rows = [_row(each) for each in found.requests]
    columns = ("Time", "Status", "Request", "Reason", "Account", "From", "ms", "Application")
    blocks.append(Table("Requests", columns, rows, "No request matches.", onward, frozenset({6})))
    return Page("Log", blocks, f"credence log {line}".strip(), reload_seconds=RELOAD_SECONDS if live else 0)


def address_of(query: str) -> str:
    """Return the address of a query, which can be sent to another operator."""
    return f"{LIST}?{urlencode({'q': query})}"


def _row(entry: LogEntry) -> list[Cell]:
    client = entry.client_id or ""
    return [
        Cell(entry.at[5:19].replace("T", " "), f"{LIST}/{quote(entry.request_id, safe='')}"),
        Cell(str(entry.status), tone=tone_of(entry.status)),
        Cell(f"{entry.method or '?'} {entry.path or 'no route'}"),
        Cell(entry.reason or "", code=bool(entry.reason)),
        Cell(entry.account or "", address_of_account(entry.account) if entry.account else ""),
        Cell(entry.address or ""),
        Cell("" if entry.milliseconds is None else f"{entry.milliseconds:.1f}"),
        Cell(client, address_of_application(client) if client else "", code=bool(client)),
    ]


LOG = Screen(LIST, "Log", "support", read)
