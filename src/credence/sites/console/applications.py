"""The list of applications, and the screen of one with its secrets, rules and acts (D15, D25)."""

from collections.abc import Sequence
from urllib.parse import quote

import msgspec

from credence import paths
from credence.blocks.text import ago
from credence.blocks.values import Block, Cell, Facts, Table, moment, state_mark
from credence.clock import Milliseconds
from credence.identity.applications import application_time
from credence.management.application_fields import options_shown
from credence.management.rules import described as rules_described
from credence.management.rules import rules_body_of
from credence.operations.application_changes import disable, enable, set_rules
from credence.operations.application_logins import end_logins
from credence.operations.clocks import advance_clock, reset_clock
from credence.operations.incidents import end_everything_of_application
from credence.operations.inputs import plain_name
from credence.operations.secrets import end_secret, rotate_secret
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.settings import Environment
from credence.sites.console.application_use import use_of
from credence.sites.kit.lists import page_of, search_of
from credence.sites.kit.operation_forms import acts_of, dangerous_last, form_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.records import Application

LIST = f"{paths.CONSOLE}/applications"
PATH = f"{LIST}/{{client_id}}"
ACTS = (rotate_secret, set_rules, end_logins, disable, enable, end_everything_of_application)
CLOCK_ACTS = (advance_clock, reset_clock)
NEAR_EXPIRY_MS = 14 * 86_400_000


def address(client_id: str) -> str:
    """Return the path of the screen of an application."""
    return f"{LIST}/{quote(client_id, safe='')}"


async def read_list(visit: Visit) -> Page:
    """Return the list of applications, with those that need an operator's attention marked."""
    now = visit.request.now
    found, following = await page_of(
        visit,
        visit.service.authority.store.applications,
        lambda each: each.client_id,
        lambda each: (each.client_id, each.name, *each.grants, each.authentication, _state(each)),
    )
    rows = [
        [
            Cell(each.name, address(each.client_id)),
            Cell(each.client_id, code=True),
            Cell(", ".join(map(_grant, each.grants))),
            Cell(each.authentication),
            _secrets(each, now),
            state_mark(_state(each), good=_is_good(each)),
        ]
        for each in found
    ]
    columns = ("Name", "client_id", "Grants", "Authentication", "Secrets", "State")
    return Page(
        "Applications",
        [
            search_of(
                visit,
                "Find an application",
                "Search by name, client_id, grant, authentication or state.",
            ),
            Table("Applications", columns, rows, "No application matches.", following),
        ],
        "credence app list",
    )


async def read_one(visit: Visit) -> Page:
    """Return the screen of one application with all its options."""
    found, now = await _found(visit), visit.request.now
    shown = {**options_shown(found), "owner": found.owner, **rules_described(found.rules)}
    every = [(plain_name(name), _value(value)) for name, value in shown.items()]
    chosen = [(name, value) for name, value in every if value.text not in ("", "no")]
    secrets = [
        [
            moment(each.created_at),
            moment(each.expires_at),
            _life(each.expires_at, now),
            Cell("Revoke", act=end_secret.slug, hidden=[("secret", str(each.created_at))], about="secret"),
        ]
        for each in found.secrets
    ]
    state = Facts(
        "State",
        [
            ("State", state_mark(_state(found), good=_is_good(found))),
            ("client_id", Cell(found.client_id, code=True)),
            ("Registered", moment(found.created_at)),
            ("Tokens valid from", moment(found.not_before or None)),
            ("Self-registered", Cell("yes" if found.registration else "no")),
            *([("Test clock time", moment(application_time(found, now)))] if found.clock else []),
        ],
    )
    blocks: list[Block] = [
        state,
        *await use_of(visit, found),
        Facts("Options", chosen),
        Table(
            "Secrets",
            ("Created", "Expires", "State", "Action"),
            secrets,
            "This application authenticates without a secret.",
        ),
    ]
    offered = [each for each in ACTS if each.offered(found)]
    if visit.service.settings.environment is Environment.SANDBOX:
        offered += [each for each in CLOCK_ACTS if each.offered(found)]
    rules = msgspec.to_builtins(rules_body_of(found.rules))
    forms = [form_of(each, found.client_id, present=rules if each is set_rules else None) for each in offered]
    blocks += dangerous_last(forms)
    return Page(
        found.name,
        blocks,
        f"credence app show {found.client_id}",
        above=("Applications", LIST),
        links=_links(found.client_id),
    )


async def _found(visit: Visit) -> Application:
    found = await visit.service.authority.store.application(visit.request.segment)
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return found


def _links(client_id: str) -> Sequence[tuple[str, str]]:
    return (
        ("Requests in the log", f"{paths.CONSOLE}/log?q={quote(f'client:{client_id}')}"),
        ("Changes in the audit trail", f"{paths.CONSOLE}/audit?q={quote(client_id)}"),
    )


def _state(application: Application) -> str:
    if application.disabled:
        return "disabled"
    return "enabled, PKCE off" if application.pkce == "off" else "enabled"


def _is_good(application: Application) -> bool:
    return not application.disabled and application.pkce != "off"


def _grant(name: str) -> str:
    return name.rpartition(":")[2]


def _value(value: object) -> Cell:
    if value in (None, "", [], ()):
        return Cell("")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, list):
        return Cell(", ".join(each if isinstance(each, str) else _json(each) for each in value))
    return Cell(value if isinstance(value, str) else _json(value))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _secrets(found: Application, now: Milliseconds) -> Cell:
    live = [each for each in found.secrets if each.expires_at is None or each.expires_at > now]
    if not live:
        return Cell("none")
    ends = [each.expires_at for each in live if each.expires_at is not None]
    if _is_near(found, now):
        return Cell(f"{len(live)}, one ends {ago(min(ends), now)}", tone="warn")
    return Cell(str(len(live)))


def _is_near(found: Application, now: Milliseconds) -> bool:
    """Return whether every valid secret of the application expires soon."""
    live = [each for each in found.secrets if each.expires_at is None or each.expires_at > now]
    return bool(live) and all(each.expires_at is not None and each.expires_at < now + NEAR_EXPIRY_MS for each in live)


def _life(expires_at: Milliseconds | None, now: Milliseconds) -> Cell:
    if expires_at is None:
        return Cell("in use", tone="good")
    return Cell(f"ends {ago(expires_at, now)}", tone="warn") if expires_at > now else Cell("ended", tone="soft")


APPLICATIONS = Screen(LIST, "Applications", "reader", read_list)
APPLICATION = Screen(
    PATH,
    "Application",
    "reader",
    read_one,
    acts_of(PATH, *ACTS, *CLOCK_ACTS, end_secret),
    listed=False,
)
