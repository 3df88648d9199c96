"""The requests of the developer's own applications, and the screen of one with its checks (D30, threats E13)."""

from urllib.parse import quote, urlencode

from credence import paths
from credence.blocks.forms import Search
from credence.blocks.values import Block, Cell, Code, Facts, Links, Note, Sample, Table
from credence.errors import InvalidInput
from credence.management.explained_request import CurrentRecords, explain_request
from credence.management.log_schema import LogEntry
from credence.management.request_log import find_request
from credence.operations import perform
from credence.operations.trails import LogQuery, search_log
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sandbox.examples import COMPANY_NUMBER
from credence.sites.developers.operations import operations_of
from credence.sites.developers.own import address, own_applications
from credence.sites.developers.trying import address_of as operation
from credence.sites.kit.lists import MAX_QUERY_CHARACTERS, following
from credence.sites.kit.log_blocks import log_day, log_time, notes_of, request_cell, table_of_checks, tone_of
from credence.sites.kit.operation_forms import acting_on_site
from credence.sites.kit.screen import Page, Screen, Visit
from credence.telemetry.reasons import pages
from credence.web.routing.requested_route import requested_route

LIST = f"{paths.DEVELOPERS}/log"
PAGE_ROWS = 50
MOST_WHOLE = 24
"""The most characters of a name that stays on one line."""

_QUERIES = (
    ("Refusals, last 24 hours", "status:4xx since:1d"),
    ("Faults, last 24 hours", "status:5xx since:1d"),
    ("Rate limited, last 24 hours", "reason:spike* since:1d"),
    ("Everything, last 5 minutes", "since:5m"),
)
_UNREADABLE = Note("The log cannot be read at the moment. Contact the operator of the service.", "bad")
_HINT = "client:… account:… reason:… status:4xx path:… method:… id:… since:1h until:… and - to exclude"


async def read_list(visit: Visit) -> Page:
    """Return the requests of the developer's applications that match the query line, the newest first."""
    line = visit.parameter("q")[:MAX_QUERY_CHARACTERS]
    own = {each.client_id: each.name for each in await own_applications(visit)}
    links = Links("Start here", [(text, f"{LIST}?{urlencode({'q': query})}") for text, query in _QUERIES])
    if not own:
        return Page("Log", [Note("You have no applications yet. Create one, and its requests appear here.")], "")
    try:
        query = LogQuery(line, PAGE_ROWS, visit.parameter("after"))
        found = await perform.read(search_log, acting_on_site(visit), query=query)
    except InvalidInput as error:
        return Page("Log", [Search("Query", line, _HINT, wrong=str(error)), links], "")
    except OSError:
        return Page("Log", [_UNREADABLE], "")
    rows = [_row(each, own) for each in found.requests]
    next_url = following(visit, found.next_page_token) if found.next_page_token else ""
    days = [log_day(each.at) for each in found.requests]
    columns = ("Time (UTC)", "Status", "Request", "Account", "ms", "Application")
    table = Table("Requests", columns, rows, "No request matches.", next_url, frozenset({4}), groups=days)
    blocks: list[Block] = [Search("Query", line, _HINT), links, *notes_of(found), table]
    return Page("Log", blocks, "", is_followed=not visit.parameter("after"))


def address_of(query: str) -> str:
    """Return the path of the log screen with this query line."""
    return f"{LIST}?{urlencode({'q': query})}"


def _row(entry: LogEntry, own: dict[str, str]) -> list[Cell]:
    client = entry.client_id or ""
    return [
        Cell(log_time(entry.at), f"{LIST}/{quote(entry.request_id, safe='')}", whole=True),
        Cell(str(entry.status), tone=tone_of(entry.status)),
        request_cell(entry),
        Cell(entry.account or ""),
        Cell("" if entry.milliseconds is None else f"{entry.milliseconds:.1f}"),
        Cell(own[client], address(client), whole=len(own[client]) <= MOST_WHOLE),
    ]


async def read_one(visit: Visit) -> Page:
    """Return a request with its checks, the page about the rule, and a form to repeat it."""
    store, settings = visit.service.authority.store, visit.service.settings
    own = {each.client_id: each for each in await own_applications(visit)}
    try:
        entry = await find_request(settings, store, visit.request.segment, visit.request.now, own)
    except OSError:
        return Page("Request", [_UNREADABLE], "", above=("Log", LIST))
    if entry is None or entry.client_id is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    account = visit.account if entry.account == visit.account.username else None  # nothing is shown of other accounts
    found = explain_request(
        entry,
        requested_route(visit.rows, entry),
        CurrentRecords(own[entry.client_id], account),
        settings,
        visit.request.now,
    )
    facts = [
        ("Time", Cell(entry.at)),
        ("Status", Cell(str(entry.status), tone=tone_of(entry.status))),
        ("Request", Cell(f"{entry.method or '?'} {entry.path or 'no route has the path'}")),
        ("Reason", Cell(entry.reason or "", code=bool(entry.reason))),
        ("Application", Cell(own[entry.client_id].name, address(entry.client_id))),
        ("Account", Cell(entry.account or "")),
        ("Correlation id", Cell(entry.correlation_id or "")),
        ("Request id", Cell(entry.request_id, code=True)),
    ]
    blocks: list[Block] = [Facts("Request", [row for row in facts if row[1].text])]
    if found.rule:
        blocks.append(Facts("Why", [("Rule", Cell(found.rule)), ("What helps", Cell(found.what_to_do or ""))]))
        read_on = [(each.rpartition("/")[2], f"/{each}") for each in pages(found.rule)]
        blocks.append(Links("Read about it", read_on))
    blocks.append(table_of_checks(found.checks))
    if entry.path:
        text = "The log does not store the query, body or token. Add your own before you send it."
        for name, row in operations_of(visit.rows, settings).items():
            if entry.path == row.path and entry.method in row.methods:
                blocks.append(Links("Replay", [("Send it again from here", operation(name))]))
        blocks.append(Code("Send it again", (Sample("curl", _again(settings.issuer, entry)),), text))
    return Page(f"Request {entry.request_id}", blocks, "", above=("Log", LIST))


def _again(issuer: str, entry: LogEntry) -> str:
    path = (entry.path or "").replace("{company_number}", COMPANY_NUMBER)
    if entry.path == paths.TOKEN:
        return f"curl -u '{entry.client_id}:YOUR_CLIENT_SECRET' -d grant_type=client_credentials {issuer}{path}\n"
    method = "" if entry.method == "GET" else f"-X {entry.method} "
    return f"curl {method}-H 'Authorization: Bearer YOUR_ACCESS_TOKEN' '{issuer}{path}'\n"


LOG = Screen(LIST, "Log", "developer", read_list)
REQUEST = Screen(f"{LIST}/{{request_id}}", "Request", "developer", read_one, listed=False)
