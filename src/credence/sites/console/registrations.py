"""The screen of registrations: applications not made by an operator, their hosts, and invitations (RFC 7591, D29)."""

import asyncio
from urllib.parse import quote

from credence import paths
from credence.blocks.values import Block, Cell, Facts, Table, Tone, moment, state_mark
from credence.identity.applications import is_unverified
from credence.management.audit_search import search_trail
from credence.management.inventory import scopes
from credence.management.service_schema import TrailPage
from credence.oauth.parameters.scopes import SCOPES
from credence.operations.client_hosts import HostState, decide, hosts_seen
from credence.operations.invitations import USUAL_GRANTS, invite
from credence.settings import Settings
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.lists import page_of, search_of
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.records import Application
from credence.telemetry.audit_files import DEEDS

PATH = f"{paths.CONSOLE}/registrations"

INVITATIONS_SHOWN = 10
HOSTS_SHOWN = 50

_VERDICT_TEXTS = {
    "allow": "allowed by an operator",
    "block": "blocked by an operator",
    "settings": "as the settings say",
}


async def read(visit: Visit) -> Page:
    """Return the registered applications, their hosts, and the invitations."""
    settings = visit.service.settings
    found, following = await page_of(
        visit,
        visit.service.authority.store.applications,
        lambda each: each.client_id,
        lambda each: (each.client_id, each.name, _way(each)),
        lambda each: bool(_way(each)),
    )
    rows = [
        [
            Cell(each.name, address_of_application(each.client_id)),
            Cell(each.client_id, code=True),
            Cell(_way(each), tone="warn" if is_unverified(each) else ""),
            Cell(", ".join(each.registration.scopes) if each.registration else each.owner),
            moment(each.created_at),
            state_mark("disabled" if each.disabled else "enabled", good=not each.disabled),
        ]
        for each in found
    ]
    columns = ("Name", "client_id", "Registered", "Scopes or owner", "Since", "State")
    blocks: list[Block] = [
        _policy(settings),
        search_of(visit, "Find a registration", "Search by name, client_id or how it was registered."),
        Table("Applications not created by an operator", columns, rows, "No registrations match.", following),
        *await _hosts(visit),
        await asyncio.to_thread(_invitations, settings),
        form_of(invite, present={"grants": list(USUAL_GRANTS), "scopes": list(SCOPES)}),
        _scopes(settings),
    ]
    links = (
        ("Registrations in the log", f"{paths.CONSOLE}/log?q={quote(f'path:{paths.REGISTRATION} since:7d')}"),
        ("Settings", f"{paths.CONSOLE}/settings?q=regist"),
    )
    return Page("Registrations", blocks, "credence app hosts", links=links)


def _way(application: Application) -> str:
    """Return how an application was registered without an operator; empty if an operator registered it."""
    if application.document_digest:
        return "by its document"
    if application.registration is not None:
        return "by the application" if application.registration.unverified else "by an invitation"
    return "in the developer portal" if application.owner else ""


def _policy(settings: Settings) -> Facts:
    documents = {
        "off": "are refused",
        "listed": "are accepted from the hosts below",
        "any": "are accepted from any host that is not blocked",
    }
    without = (
        "may register, and are kept once a person allows them" if settings.open_registration else "may not register"
    )
    return Facts(
        "Applications that register themselves",
        [
            ("With an invitation", Cell("may register" if settings.registration else "may not register")),
            ("Without an invitation", Cell(without)),
            ("With a metadata document", Cell(documents[settings.client_documents])),
            ("Hosts allowed by settings", Cell(", ".join(settings.client_document_hosts) or "none")),
            ("Hosts blocked by settings", Cell(", ".join(settings.client_document_blocked_hosts) or "none")),
            ("Not yet allowed by a person", Cell("not listed here, and deleted after 1 day")),
        ],
    )


async def _hosts(visit: Visit) -> list[Block]:
    store, settings = visit.service.authority.store, visit.service.settings
    found = await hosts_seen(store, settings)
    rows = [_host_row(each) for each in found[:HOSTS_SHOWN]]
    columns = ("Host", "Clients", "Now", "Reason", "Action")
    title = "Hosts of clients with a metadata document"
    if len(found) > HOSTS_SHOWN:
        title = f"{title}: the first {HOSTS_SHOWN} of {len(found):,}"
    return [
        Table(
            title, columns, rows, "No one has allowed a client with a metadata document yet.", numbers=frozenset({1})
        ),
        form_of(decide),
    ]


def _host_row(each: HostState) -> list[Cell]:
    tone: Tone = "good" if each.accepted else "bad"
    text, verdict = ("Block", "block") if each.accepted else ("Allow", "allow")
    return [
        Cell(each.host),
        Cell(f"{each.clients:,}"),
        Cell("accepted" if each.accepted else "refused", tone=tone),
        Cell(_VERDICT_TEXTS[each.verdict]),
        Cell(text, act=decide.slug, hidden=[("host", each.host), ("verdict", verdict)], about=each.host),
    ]


def _invitations(settings: Settings) -> Table:
    try:
        found = search_trail(settings.audit_folder, DEEDS, {"act": "app invite"}, INVITATIONS_SHOWN, "")
    except OSError:
        found = TrailPage([], "")
    rows = [
        [
            Cell(str(each["time"])[:19].replace("T", " ")),
            Cell(str(each.get("operator", ""))),
            Cell(str(each.get("through", "command line"))),
        ]
        for each in found.lines[:INVITATIONS_SHOWN]
    ]
    none = (
        f"None since {found.next_before[:10]}; older lines were not read."
        if found.is_partial
        else "No invitations have been created yet."
    )
    return Table("Invitations in this node's audit trail", ("Time, UTC", "By", "Through"), rows, none)


def _scopes(settings: Settings) -> Table:
    rows = [
        [Cell(each.scope, code=True), Cell(each.opens), Cell(each.resource or "not served here")]
        for each in scopes(settings).scopes
    ]
    return Table("Scopes and resources", ("Scope", "Opens", "Tokens are for"), rows, "")


REGISTRATIONS = Screen(PATH, "Registrations", "operator", read, acts_of(PATH, invite, decide))
