"""The screen of one application of the developer: its properties, its secrets, and programs that use it."""

from collections.abc import Mapping

from credence import paths
from credence.identity import applications
from credence.identity.applications import application_time
from credence.management.developers import KINDS, kind_of
from credence.operations.clocks import advance_clock, reset_clock
from credence.settings import Environment
from credence.store.records import Application
from credence.web.developers.applications import state_of
from credence.web.developers.log import address_of as log_of
from credence.web.developers.own import APPLICATIONS, address, own_application
from credence.web.developers.snippets import snippets
from credence.web.screens.application_change import change_application
from credence.web.screens.blocks import Block, Cell, Facts, Field, Form, Links, Page, Table, ago, moment
from credence.web.screens.operation_forms import acts_of, form_of
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong

_KEEP_OLD = (("86400", "for a day"), ("604800", "for a week"), ("0", "not at all"))
CLOCK_ACTS = (advance_clock, reset_clock)
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


async def read(visit: Visit) -> Page:
    """Return the screen of one application."""
    found, now = await own_application(visit), visit.request.now
    kind = kind_of(found)
    rows = [
        ("State", state_of(found)),
        ("client_id", Cell(found.client_id, code=True)),
        ("Kind", Cell(KINDS[kind].text)),
        ("Grants", Cell(", ".join(each.rpartition(":")[2] for each in found.grants))),
        ("Authentication", Cell(found.authentication)),
        ("Scopes", Cell(" ".join(found.scopes) if found.scopes is not None else "every scope")),
        ("Redirect URIs", Cell("  ".join(found.redirect_uris))),
        ("Made", moment(found.created_at)),
        ("Time of its test clock", moment(application_time(found, now)) if found.clock else Cell("")),
    ]
    blocks: list[Block] = [Facts("What it is", [row for row in rows if row[1].text])]
    blocks.append(Links("Of this application", [("Log lines", log_of(f"client:{found.client_id}")), *_onward(found)]))
    blocks.append(_limits(visit, found))
    blocks.append(snippets(visit.service.settings, found))
    if applications.has_secret(found):
        secrets = [
            [
                moment(each.created_at),
                Cell(f"ends {ago(each.expires_at, now)}" if each.expires_at > now else "ended", tone="soft")
                if each.expires_at
                else Cell("in use", tone="good"),
            ]
            for each in found.secrets
        ]
        blocks.append(Table("Secrets", ("Made", "State"), secrets, "It has none."))
        blocks.append(
            Form(
                "rotate",
                "Make another secret",
                "Make another secret",
                "It is shown once. The old one stays valid for a while, so that you can deploy the new one first.",
                fields=[Field("keep", "The old one stays valid", "86400", options=_KEEP_OLD)],
            )
        )
    if visit.service.settings.environment is Environment.SANDBOX:
        blocks += [form_of(each, found.client_id, shows_command=False) for each in CLOCK_ACTS if each.offered(found)]
    if not found.disabled:
        text = "It gets no more tokens, and those that it has are revoked at once. Only an operator enables it again."
        blocks.append(Form("disable", "Disable it", "Disable it", text, dangerous=True))
    return Page(found.name, blocks, "", above=("Your applications", paths.DEVELOPERS))


def _onward(found: Application) -> list[tuple[str, str]]:
    here = address(found.client_id)
    return [("Events and webhooks", f"{here}/webhooks"), ("To production", f"{here}/production")]


def _lasting(seconds: int) -> str:
    """Return a duration in the largest unit of which it is a whole multiple."""
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    count = seconds // size
    return f"{count:,} {unit}" if count == 1 else f"{count:,} {unit}s"


def _limits(visit: Visit, found: Application) -> Facts:
    """Return the rate with its remaining requests, and the lifetimes of tokens and logins."""
    settings = visit.service.settings
    left = visit.service.rate_limiter.left_for(found)
    rate = Cell("no limit")
    if left is not None:
        limit, room = left
        text = f"{limit.per_minute:,} a minute; {room:,} of {limit.burst:,} may come at once now"
        rate = Cell(text, tone="" if room else "bad")
    spikes = log_of(f"client:{found.client_id} reason:spike* since:1d")
    rows = [
        ("Requests", rate),
        ("Refused for it", Cell("the last day in the log", spikes)),
        (
            "Access token lasts",
            Cell(_lasting(found.access_token_lifetime or settings.access_token_lifetime_seconds)),
        ),
    ]
    if "refresh_token" in found.grants:
        lasts = found.refresh_token_lifetime or settings.refresh_token_lifetime_seconds
        rows.append(("Login lasts", Cell(_lasting(lasts))))
    return Facts("Limits", rows)


async def rotate(visit: Visit, values: Mapping[str, str]) -> Done:
    """Add a secret; the answer shows it once."""
    found, service, now = await own_application(visit), visit.service, visit.request.now
    if values.get("keep") not in dict(_KEEP_OLD):
        raise Wrong("Choose for how long the old secret stays valid.", "keep")
    if not applications.has_secret(found):
        raise Wrong("The application has no secret: people sign in to it on their own machines.")
    prefix, key = service.settings.environment.prefix, service.authority.secrets.digest
    wanted, secret = applications.rotate_secret(found, prefix, key, now, now + int(values["keep"]) * 1000)
    await change_application(visit, "app rotate-secret", found, wanted)
    return Done("The application has another secret.", (f"client_secret of {found.client_id}", secret))


async def disable(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Disable the application, which revokes its tokens."""
    found = await own_application(visit)
    wanted = applications.with_disabled(found, visit.request.now, disabled=True)
    if wanted == found:
        return Done("The application is disabled already. Nothing was changed.")
    await change_application(visit, "app set", found, wanted)
    return Done("The application is disabled, and its tokens are revoked.")


APPLICATION = Screen(
    f"{APPLICATIONS}/{{client_id}}",
    "Application",
    "developer",
    read,
    (
        *(Act(act.__name__, "developer", act) for act in (rotate, disable)),
        *acts_of(f"{APPLICATIONS}/{{client_id}}", *CLOCK_ACTS, needs="developer"),
    ),
    listed=False,
)
