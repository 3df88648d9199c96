"""The audit trail of this node, with a search and an export (threats A11, I12)."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

import msgspec

from credence import paths
from credence.blocks.text import visible
from credence.blocks.values import Cell, Links, Note, Table
from credence.management.service_schema import TrailPage
from credence.operations import perform
from credence.operations.operation import Operation
from credence.operations.table import OPERATIONS
from credence.operations.trails import MAX_LINES, TrailQuery, search_audit
from credence.sites.console.accounts import address as address_of_account
from credence.sites.console.applications import address as address_of_application
from credence.sites.console.log import LIST as LOG
from credence.sites.kit.lists import MAX_QUERY_CHARACTERS, following, search_of
from credence.sites.kit.operation_forms import acting_on_site
from credence.sites.kit.screen import Exported, Page, Screen, Visit

LIST = f"{paths.CONSOLE}/audit"
PAGE_ROWS = 50

COLUMNS = ("time", "act", "operator", "through", "about", "address", "more")

_SHOWN = {"time", "event", "act", "operator", "through", "address", "environment", "application", "account", "kid"}
_LINKS = {"previous", "digest", "prev"}
"""Members that chain the lines of the trail; the screen leaves them out."""

_MOST_DETAILS = 240
"""The most characters of the further members; the export has all."""

_OF_THE_REQUEST = {"request_id", "route", "method"}
"""Members that the screen of the request has; the time leads there."""

_OWN_ACTS = {
    *("signed_in", "signed_up", "authorized", "consent_given", "consent_withdrawn", "session_ended", "own_data_sent"),
    *("password_chosen", "password_changed", "factor_added", "factor_removed", "mail_address_changed"),
    *("device_allowed", "device_refused"),
}
"""Events that only the person of the account causes, at the pages for signing in and for the own account."""

Line = Mapping[str, Any]


async def read(visit: Visit) -> Page:
    """Return a page of the trail, newest line first."""
    found = await _search(visit, PAGE_ROWS, visit.parameter("after"))
    next_url = following(visit, found.next_before) if found.next_before else ""
    rows = [_row(line) for line in found.lines]
    titles = ("Time (UTC)", "Action", "By", "Object", "From", "Details")
    export = f"{LIST}.csv?{visit.request.query.decode('latin-1')}"
    return Page(
        "Audit",
        [
            search_of(visit, "Find lines", "Search for a name, act, address or request id."),
            *(
                [Note(f"Searched back to {found.next_before} so far: the next page goes on.")]
                if found.is_partial
                else []
            ),
            Table("What was done", titles, rows, "No entry matches.", next_url),
            Links("Export", [(f"Download as CSV, {MAX_LINES:,} at most", export)]),
        ],
        "credence audit verify",
        lead="Entries of this node. Each is written before the act and contains a digest of the previous one.",
    )


async def export(visit: Visit) -> Exported:
    """Return the lines that match the search as rows of a spreadsheet."""
    found = await _search(visit, MAX_LINES, visit.parameter("after"))
    lines = found.lines
    while found.is_partial and len(lines) < MAX_LINES:
        found = await _search(visit, MAX_LINES - len(lines), found.next_before)
        lines += found.lines
    return Exported(COLUMNS, [fields_of(line) for line in lines])


def fields_of(line: Line) -> tuple[str, ...]:
    """Return the fields of a line in the order of `COLUMNS`."""
    about = " ".join(str(line[name]) for name in ("application", "account", "kid") if line.get(name))
    rest = _rest(line)
    return (
        str(line.get("time", "")),
        str(line.get("act") or line.get("event", "")),
        str(line.get("operator", "")),
        str(line.get("through", "")),
        about,
        str(line.get("address", "")),
        msgspec.json.encode(rest).decode() if rest else "",
    )


def _rest(line: Line) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in _SHOWN | _LINKS}


def _row(line: Line) -> list[Cell]:
    """Return the fields of a line for people: the time to the second, and further members as words."""
    time, act, operator, through, about, address, _ = fields_of(line)
    request_id = str(line.get("request_id", ""))
    rest = {name: value for name, value in _rest(line).items() if not request_id or name not in _OF_THE_REQUEST}
    more = "; ".join(f"{name.replace('_', ' ')} {_in_words(value)}" for name, value in rest.items())
    return [
        Cell(time[:19].replace("T", " "), f"{LOG}/{quote(request_id, safe='')}" if request_id else "", whole=True),
        Cell(_action(act), detail=act, whole=True),
        Cell(operator, detail=through) if operator else Cell(_person(line)),
        _object(line, about),
        Cell(address),
        Cell(visible(more, _MOST_DETAILS)),
    ]


def _person(line: Line) -> str:
    """Return the login name of the person who did it; empty if an application, an issuer or a stranger may have."""
    return str(line.get("account") or "") if line.get("event") in _OWN_ACTS else ""


def _object(line: Line, about: str) -> Cell:
    """Return what a line is about: its application with its account, or the only one of its objects."""
    application, account = str(line.get("application", "")), str(line.get("account", ""))
    if application:
        return Cell(application, address_of_application(application), code=True, detail=account)
    return Cell(account, address_of_account(account)) if account == about and account else Cell(about, code=True)


def _action(act: str) -> str:
    """Return what was done in words: the title of the operation, or the name of the event without its underscores."""
    title = _titles().get(act) or act.replace("mcp_", "MCP tool ", 1).replace("_", " ").replace(".", " ")
    return title[:1].upper() + title[1:]


@cache
def _titles() -> Mapping[str, str]:
    """Return command -> title; of a command for several operations, the change of some fields comes first."""
    found = sorted(OPERATIONS, key=lambda each: not (isinstance(each, Operation) and each.patches))
    return {each.name: each.title for each in reversed(found)}


def _in_words(value: Any) -> str:
    """Return a member without the signs of JSON; of one that changed, the value before and after."""
    if isinstance(value, Mapping):
        if value and value.keys() <= {"before", "after"}:
            was, now = (_in_words(value.get(name)) for name in ("before", "after"))
            return f"{was} → {now}" if "before" in value else now
        return ", ".join(f"{name} {_in_words(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(_in_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


async def _search(visit: Visit, size: int, before: str) -> TrailPage:
    query = TrailQuery(text=visit.parameter("q")[:MAX_QUERY_CHARACTERS], before=before, page_size=size)
    found: TrailPage = await perform.read(search_audit, acting_on_site(visit), query=query)
    return found


AUDIT = Screen(LIST, "Audit", search_audit.access.role, read, export=export)
