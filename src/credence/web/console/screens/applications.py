"""The list of applications, and the screen of one with its secrets, rules and acts (D15, D25)."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

import msgspec

from credence import paths
from credence.clock import Milliseconds
from credence.identity import applications
from credence.identity.applications import application_time
from credence.management.applications import described
from credence.management.reach import may_hand_on
from credence.operations.clocks import advance_clock, reset_clock
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.settings import Environment
from credence.store.records import Application
from credence.web.console.screens.application_use import use_of
from credence.web.screens.application_change import change_application
from credence.web.screens.blocks import Block, Cell, Facts, Field, Form, Page, Table, ago, moment, state_mark
from credence.web.screens.lists import page_of, search_of
from credence.web.screens.operation_forms import acts_of, form_of
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong

LIST = f"{paths.CONSOLE}/applications"
CLOCK_ACTS = (advance_clock, reset_clock)
NEAR_EXPIRY_MS = 14 * 86_400_000

_KEEP_OLD = (("86400", "for a day"), ("604800", "for a week"), ("3600", "for an hour"), ("0", "not at all"))


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
                "By name, client_id, grant, authentication or state.",
            ),
            Table("Applications", columns, rows, "No application has this text.", following),
        ],
        "credence app list",
    )


async def read_one(visit: Visit) -> Page:
    """Return the screen of one application with all its options."""
    found, now = await _found(visit), visit.request.now
    shown = described(found)
    every = [(name.replace("_", " "), _value(value)) for name, value in shown.items() if name not in _ELSEWHERE]
    chosen = [(name, value) for name, value in every if value.text not in ("", "no")]
    chosen.append(("not set", Cell(", ".join(name for name, value in every if value.text in ("", "no")))))
    secrets = [
        [moment(each.created_at), moment(each.expires_at), _life(each.expires_at, now)] for each in found.secrets
    ]
    state = Facts(
        "State",
        [
            ("State", state_mark(_state(found), good=_is_good(found))),
            ("client_id", Cell(found.client_id, code=True)),
            ("Registered", moment(found.created_at)),
            ("Tokens valid from", moment(found.not_before or None)),
            ("Registered by itself", Cell("yes" if found.registration else "no")),
            *([("Time of its test clock", moment(application_time(found, now)))] if found.clock else []),
        ],
    )
    blocks: list[Block] = [
        state,
        *await use_of(visit, found),
        Table("Secrets", ("Made", "Ends", "State"), secrets, "It authenticates without a secret."),
    ]
    if applications.has_secret(found):
        blocks.append(
            Form(
                "rotate",
                "Make another secret",
                "Make another secret",
                "It is shown once. The newest of the old ones stays valid for a while, so that it can be deployed.",
                f"credence app rotate-secret {found.client_id}",
                [Field("keep", "The old one stays valid", "86400", options=_KEEP_OLD)],
            )
        )
    blocks.append(_switch(found))
    if visit.service.settings.environment is Environment.SANDBOX:
        blocks += [form_of(each, found.client_id) for each in CLOCK_ACTS if each.offered(found)]
    blocks.append(Facts("What it may do", chosen))
    return Page(
        found.name,
        blocks,
        f"credence app show {found.client_id}",
        above=("Applications", LIST),
        links=_links(found.client_id),
    )


def _switch(found: Application) -> Form:
    if found.disabled:
        text = "It gets tokens again. Those from before stay invalid."
        return Form("enable", "Enable it", "Enable it", text, f"credence app set {found.client_id} --enable")
    text = "It gets no more tokens, and those that it has are revoked at once, on every node."
    command = f"credence app set {found.client_id} --disable"
    return Form("disable", "Disable it", "Disable it", text, command, dangerous=True)


async def rotate(visit: Visit, values: Mapping[str, str]) -> Done:
    """Add a secret; the answer shows it once."""
    found, service, now = await _found(visit), visit.service, visit.request.now
    require_reach_of_application(visit, found)
    if values.get("keep") not in dict(_KEEP_OLD):
        raise Wrong("Choose for how long the old secret stays valid.", "keep")
    if not applications.has_secret(found):
        raise Wrong(f"The application authenticates by {found.authentication}: it has no secret.")
    prefix, key = service.settings.environment.prefix, service.authority.secrets.digest
    wanted, secret = applications.rotate_secret(found, prefix, key, now, now + int(values["keep"]) * 1000)
    await change_application(visit, "app rotate-secret", found, wanted)
    return Done(f"{found.name} has another secret.", (f"client_secret of {found.client_id}", secret))


async def disable(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Disable the application, which revokes its tokens."""
    if await _set_disabled(visit, disabled=True):
        return Done("The application is disabled, and its tokens are revoked.")
    return Done("The application is disabled already. Nothing was changed.")


async def enable(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Enable the application."""
    if await _set_disabled(visit, disabled=False):
        return Done("The application is enabled.")
    return Done("The application is enabled already. Nothing was changed.")


async def _set_disabled(visit: Visit, *, disabled: bool) -> bool:
    """Disable or enable the application; return False if it is so already."""
    found = await _found(visit)
    require_reach_of_application(visit, found)
    wanted = applications.with_disabled(found, visit.request.now, disabled=disabled)
    if wanted == found:
        return False
    await change_application(visit, "app set", found, wanted)
    return True


async def _found(visit: Visit) -> Application:
    found = await visit.service.authority.store.application(visit.request.segment)
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return found


def require_reach_of_application(visit: Visit, found: Application) -> None:
    """Raise Wrong if the application may use the management API, unless an owner acts.

    Its secret would give an operator more rights than their role has.
    """
    if not may_hand_on(visit.account.console_role, found.scopes or ()):
        raise Wrong("This application may manage the service: only an owner changes it.")


def _links(client_id: str) -> Sequence[tuple[str, str]]:
    return (
        ("Log lines of it", f"{paths.CONSOLE}/log?q={quote(f'client:{client_id}')}"),
        ("Audit lines of it", f"{paths.CONSOLE}/audit?q={quote(client_id)}"),
    )


_ELSEWHERE = {"client_id", "name", "disabled", "secrets", "created_at", "tokens_valid_from"}


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
    f"{LIST}/{{client_id}}",
    "Application",
    "reader",
    read_one,
    (
        Act("rotate", "operator", rotate),
        Act("disable", "operator", disable),
        Act("enable", "operator", enable),
        *acts_of(f"{LIST}/{{client_id}}", *CLOCK_ACTS),
    ),
    listed=False,
)
