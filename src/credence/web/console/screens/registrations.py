"""The screen of registrations: applications not made by an operator, their hosts, and invitations (RFC 7591, D29)."""

import asyncio
from collections.abc import Mapping
from urllib.parse import quote

from credence import paths
from credence.errors import InvalidInput
from credence.identity.applications import is_unverified
from credence.management.audit_search import search_trail
from credence.management.client_hosts import VERDICTS, HostSeen, checked_host, decide_on, hosts_seen, verdict_change
from credence.management.inventory import scopes
from credence.management.invitations import invitation_of, state_of
from credence.management.reach import may_hand_on
from credence.management.service_schema import InvitationBody, TrailPage
from credence.oauth.grants import GRANTS
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.registration.invitation import MAX_LIFETIME_SECONDS, MAX_USES
from credence.operations.audit_changes import changes
from credence.settings import Settings
from credence.store.records import Application
from credence.telemetry.audit_files import DEEDS
from credence.web.console.screens.applications import address as address_of_application
from credence.web.screens.blocks import Block, Cell, Facts, Field, Form, Page, Table, Tone, moment, state_mark
from credence.web.screens.lists import page_of, search_of
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

PATH = f"{paths.CONSOLE}/registrations"

INVITATIONS_SHOWN = 10
HOSTS_SHOWN = 50

_LIVES = (("86400", "a day"), ("604800", "a week"), (str(MAX_LIFETIME_SECONDS), "thirty days"), ("3600", "an hour"))
_VERDICT_TEXTS = {
    "allow": "let in by an operator",
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
    columns = ("Name", "client_id", "Registered", "May have, or owner", "Since", "State")
    blocks: list[Block] = [
        _policy(settings),
        search_of(visit, "Find a registration", "By name, client_id, or how it registered."),
        Table("Applications that operators did not make", columns, rows, "There is none with this text.", following),
        *await _hosts(visit),
        await asyncio.to_thread(_invitations, settings),
        _invite_form(),
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
        return "by itself" if application.registration.unverified else "by an invitation"
    return "in the developer portal" if application.owner else ""


def _policy(settings: Settings) -> Facts:
    documents = {"off": "off", "listed": "of listed hosts", "any": "of any host that is not blocked"}
    return Facts(
        "Who may register",
        [
            ("With an invitation", Cell("yes" if settings.registration else "no")),
            ("Without one", Cell("yes, once a person allows it" if settings.open_registration else "no")),
            ("By a document", Cell(documents[settings.client_documents])),
            ("Hosts of the settings", Cell(", ".join(settings.client_document_hosts))),
            ("Blocked by the settings", Cell(", ".join(settings.client_document_blocked_hosts))),
            ("Waiting for a person", Cell("kept for a day, and not listed: nothing is stored that nobody allowed")),
        ],
    )


async def _hosts(visit: Visit) -> list[Block]:
    store, settings = visit.service.authority.store, visit.service.settings
    found = await hosts_seen(store, settings)
    rows = [_host_row(each) for each in found[:HOSTS_SHOWN]]
    columns = ("Host", "Clients", "Now", "Because", "Act")
    title = "Hosts of clients with a document"
    if len(found) > HOSTS_SHOWN:
        title = f"{title}: the first {HOSTS_SHOWN} of {len(found):,}"
    form = Form(
        "host",
        "Decide on a host",
        "Decide",
        "A block ends every login of its clients. It holds on all nodes at once; the settings stay as they are.",
        "credence app host HOST block",
        [
            Field("host", "Host", hint="Such as app.example.", required=True),
            Field(
                "verdict",
                "Its clients are",
                "block",
                options=[("block", "blocked"), ("allow", "let in"), ("settings", "as the settings say")],
            ),
        ],
    )
    return [Table(title, columns, rows, "No person has allowed such a client.", numbers=frozenset({1})), form]


def _host_row(each: HostSeen) -> list[Cell]:
    tone: Tone = "good" if each.accepted else "bad"
    text, verdict = ("Block", "block") if each.accepted else ("Let in", "allow")
    return [
        Cell(each.host),
        Cell(f"{each.clients:,}"),
        Cell("let in" if each.accepted else "refused", tone=tone),
        Cell(_VERDICT_TEXTS[each.verdict]),
        Cell(text, act="host", hidden=[("host", each.host), ("verdict", verdict)], about=each.host),
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
    none = f"None since {found.next_before[:10]}; older lines were not read." if found.is_partial else "None was made."
    return Table("Invitations made, of this node's audit trail", ("Time, UTC", "By", "Through"), rows, none)


def _invite_form() -> Form:
    return Form(
        "invite",
        "Make an invitation",
        "Make an invitation",
        "A token with which a developer's program registers itself. It is shown once; only its uses are counted.",
        "credence app invite",
        [
            Field("uses", "Applications", "1", hint=f"At most {MAX_USES}."),
            Field("expires_in", "Valid for", "86400", options=_LIVES),
            Field("grants", "Grants", "client_credentials", hint=f"Separated by blanks. Of {', '.join(GRANTS)}."),
            Field("scopes", "Scopes", " ".join(SCOPES), hint="Separated by blanks."),
        ],
    )


def _scopes(settings: Settings) -> Table:
    rows = [
        [Cell(each.scope, code=True), Cell(each.opens), Cell(each.resource or "not served here")]
        for each in scopes(settings).scopes
    ]
    return Table("Scopes and resources", ("Scope", "Opens", "Tokens are for"), rows, "")


async def invite(visit: Visit, values: Mapping[str, str]) -> Done:
    """Make an invitation; the answer shows its token once."""
    uses = values.get("uses", "").strip()
    if not (uses.isascii() and uses.isdigit() and len(uses) < 4 and 1 <= int(uses) <= MAX_USES):
        raise Wrong(f"An invitation is for 1 to {MAX_USES} applications.", "uses")
    if values.get("expires_in") not in dict(_LIVES):
        raise Wrong("Choose for how long it is valid.", "expires_in")
    body = InvitationBody(int(uses), int(values["expires_in"]))
    for name in ("grants", "scopes"):
        words = values.get(name, "").split()
        try:
            wanted = invitation_of(InvitationBody(body.uses, body.expires_in, **{name: words}), visit.request.now)
        except InvalidInput as error:
            raise Wrong(str(error), name) from None
        setattr(body, name, list(getattr(wanted, name)))
    service = visit.service
    invitation = invitation_of(body, visit.request.now)
    if not may_hand_on(visit.account.console_role, invitation.scopes):
        raise Wrong("An application with a scope manage:… may manage the service: only an owner invites one.", "scopes")
    state = state_of(invitation, service.settings.environment.prefix, service.authority.secrets.digest)
    await record(visit, "app invite")
    off = (
        "" if service.settings.registration else " Registration is off: set CREDENCE_REGISTRATION=on before it is used."
    )
    return Done(
        f"It is valid until {moment(invitation.expires_at).text}.{off}",
        ("Initial access token", str(state.initial_access_token)),
    )


async def decide(visit: Visit, values: Mapping[str, str]) -> Done:
    """Allow or block the clients of a host, or remove the verdict so that the settings decide."""
    try:
        host = checked_host(values.get("host", ""))
    except InvalidInput as error:
        raise Wrong(str(error), "host") from None
    verdict = next((each for each in VERDICTS if each == values.get("verdict")), None)
    if verdict is None:
        raise Wrong("Choose what becomes of its clients.", "verdict")
    store = visit.service.authority.store
    await record(visit, "app host", changes(*await verdict_change(store, host, verdict)), host=host)
    clients = await decide_on(store, host, verdict, visit.request.now)
    ended = f" Every login of its {clients:,} clients has ended." if verdict == "block" and clients else ""
    return Done(f"{host}: {_VERDICT_TEXTS[verdict]}.{ended}")


REGISTRATIONS = Screen(
    PATH,
    "Registrations",
    "operator",
    read,
    (Act("invite", "operator", invite), Act("host", "operator", decide)),
)
