"""One request of the log: every check in order, its value, the values that pass, and its outcome now."""

from credence.blocks.values import Block, Cell, Facts
from credence.management.explained_request import CurrentRecords, explain_request
from credence.management.request_log import find_request
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.console.accounts import address as address_of_account
from credence.sites.console.applications import address as address_of_application
from credence.sites.console.log import LIST
from credence.sites.kit.log_blocks import table_of_checks, tone_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.web.routing.requested_route import requested_route


async def read(visit: Visit) -> Page:
    """Return the screen of a request with its checks."""
    store, settings = visit.service.authority.store, visit.service.settings
    entry = await find_request(settings, store, visit.request.segment, visit.request.now)
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


REQUEST = Screen(f"{LIST}/{{request_id}}", "Request", "support", read, listed=False)
