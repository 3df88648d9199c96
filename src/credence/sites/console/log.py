"""The request log: a query line, example and saved queries, and an optional automatic reload (D30)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from urllib.parse import quote, urlencode

from credence import paths
from credence.errors import InvalidInput
from credence.management import saved_queries
from credence.management.log_schema import LogEntry
from credence.management.request_log import search_log
from credence.sites.console.accounts import address as address_of_account
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.blocks import Block, Cell, Field, Form, Links, Note, Page, Search, Table, visible
from credence.sites.kit.lists import MAX_QUERY_CHARACTERS, following
from credence.sites.kit.log_blocks import log_time, notes_of, tone_of
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Screen, Visit
from credence.sites.kit.trail import record
from credence.store.records import Account
from credence.store.saved_queries import SavedQuery

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
    line, live = visit.asked("q")[:MAX_QUERY_CHARACTERS], visit.asked("live") == "1"
    blocks: list[Block] = [Links("Begin with", [(text, address_of(query)) for text, query in _QUERIES])]
    saved = (await _account(visit)).saved_queries
    if saved:
        blocks.append(Links("Saved", [(visible(each.name), address_of(each.query)) for each in saved]))
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
    next_url = following(visit, found.next_page_token) if found.next_page_token else ""
    rows = [_row(each) for each in found.requests]
    columns = ("Time", "Status", "Request", "Reason", "Account", "From", "ms", "Application")
    blocks.append(Table("Requests", columns, rows, "No request matches.", next_url, frozenset({6})))
    blocks += [] if live else _forms(line, saved)  # a reload would clear the fields
    return Page("Log", blocks, f"credence log {line}".strip(), reload_seconds=RELOAD_SECONDS if live else 0)


def address_of(query: str) -> str:
    """Return the path of the log screen with this query line, which operators can send each other as a link."""
    return f"{LIST}?{urlencode({'q': query})}"


def _row(entry: LogEntry) -> list[Cell]:
    client = entry.client_id or ""
    return [
        Cell(log_time(entry.at), f"{LIST}/{quote(entry.request_id, safe='')}", whole=True),
        Cell(str(entry.status), tone=tone_of(entry.status)),
        Cell(f"{entry.method or '?'} {entry.path or 'no route'}"),
        Cell(entry.reason or "", code=bool(entry.reason)),
        Cell(entry.account or "", address_of_account(entry.account) if entry.account else ""),
        Cell(entry.address or ""),
        Cell("" if entry.milliseconds is None else f"{entry.milliseconds:.1f}"),
        Cell(client, address_of_application(client) if client else "", code=bool(client)),
    ]


def _forms(line: str, saved: Sequence[SavedQuery]) -> list[Block]:
    name = Field("name", "Name", hint="A saved query with the same name is replaced.", required=True)
    query = Field("query", "Query line", line, required=True)
    forms: list[Block] = [Form("save-query", "Save this query", "Save", "Only you can see it.", fields=[name, query])]
    if saved:
        names = [(each.name, each.name) for each in saved]
        field = Field("saved", "Saved query", names[0][0], options=names)
        forms.append(Form("delete-query", "Delete a saved query", "Delete", fields=[field]))
    return forms


async def save_query(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Save a query line under a name, in the account of the signed-in person."""
    now = visit.request.now
    with _wrong_at("name"):
        name = saved_queries.checked_name(values.get("name", ""))
    with _wrong_at("query"):
        query = saved_queries.checked_query(values.get("query", ""), now)
    with _wrong_at("name"):
        wanted = saved_queries.with_query(await _account(visit), SavedQuery(name, query))
    await record(visit, saved_queries.SAVE, saved_query=name)
    await visit.service.authority.store.save_account(wanted, now)
    return ActResult(f"The query is saved as {name}.")


async def delete_query(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Delete the saved query with a name."""
    name = values.get("saved", "")
    with _wrong_at("saved"):
        wanted = saved_queries.without_query(await _account(visit), name)
    await record(visit, saved_queries.DELETE, saved_query=name)
    await visit.service.authority.store.save_account(wanted, visit.request.now)
    return ActResult(f"The query {name} is deleted.")


@contextmanager
def _wrong_at(field: str) -> Iterator[None]:
    """Turn InvalidInput into InvalidForm at this field of the form."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidForm(str(error), field) from None


async def _account(visit: Visit) -> Account:
    """Return the account of the signed-in person, read again: the act that this page answers may have changed it."""
    return await visit.service.authority.store.account(visit.account.username) or visit.account


LOG = Screen(
    LIST,
    "Log",
    "support",
    read,
    (Act("save-query", "support", save_query), Act("delete-query", "support", delete_query)),
)
