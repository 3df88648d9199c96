"""The screen of one application of the developer: its properties, its secrets, and programs that use it."""

from credence import paths
from credence.blocks.text import ago
from credence.blocks.values import Block, Cell, Facts, Links, Table, moment
from credence.identity import applications
from credence.identity.applications import application_time
from credence.management.developers import KINDS, kind_of
from credence.management.request_log import search_log
from credence.operations.application_changes import disable
from credence.operations.clocks import advance_clock, reset_clock
from credence.operations.secrets import end_secret, rotate_secret
from credence.settings import Environment
from credence.sites.developers.applications import state_of
from credence.sites.developers.log import address_of as log_of
from credence.sites.developers.own import APPLICATIONS, address, own_application
from credence.sites.developers.snippets import snippets
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.records import Application

PATH = f"{APPLICATIONS}/{{client_id}}"
ACTS = (rotate_secret, disable)
CLOCK_ACTS = (advance_clock, reset_clock)
_COUNTED = 1_000
"""The most rate-limited requests of an application that its page counts."""
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
        ("Created", moment(found.created_at)),
        ("Test clock time", moment(application_time(found, now)) if found.clock else Cell("")),
    ]
    blocks: list[Block] = [Facts("Details", [row for row in rows if row[1].text])]
    blocks.append(
        Links(
            "This application", [("Requests in the log", log_of(f"client:{found.client_id}")), *_further_links(found)]
        )
    )
    blocks.append(await _limits(visit, found))
    blocks.append(snippets(visit.service.settings, found))
    if applications.has_secret(found):
        secrets = [
            [
                moment(each.created_at),
                Cell(f"ends {ago(each.expires_at, now)}" if each.expires_at > now else "ended", tone="soft")
                if each.expires_at
                else Cell("in use", tone="good"),
                Cell("Revoke", act=end_secret.slug, hidden=[("secret", str(each.created_at))], about="secret"),
            ]
            for each in found.secrets
        ]
        blocks.append(Table("Secrets", ("Created", "State", "Action"), secrets, "This application has no secrets."))
    acts = (*ACTS, *CLOCK_ACTS) if visit.service.settings.environment is Environment.SANDBOX else ACTS
    blocks += [form_of(each, found.client_id, shows_command=False) for each in acts if each.offered(found)]
    return Page(found.name, blocks, "", above=("Your applications", paths.DEVELOPERS))


def _further_links(found: Application) -> list[tuple[str, str]]:
    here = address(found.client_id)
    return [("Events and webhooks", f"{here}/webhooks"), ("Go to production", f"{here}/production")]


def _lasting(seconds: int) -> str:
    """Return a duration in the largest unit of which it is a whole multiple."""
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    count = seconds // size
    return f"{count:,} {unit}" if count == 1 else f"{count:,} {unit}s"


async def _limits(visit: Visit, found: Application) -> Facts:
    """Return the rate with its remaining and refused requests, and the lifetimes of tokens and logins."""
    settings = visit.service.settings
    left = visit.service.rate_limiter.left_for(found)
    rate = Cell("no limit")
    if left is not None:
        limit, room = left
        text = f"{limit.per_minute:,} a minute, in bursts of up to {limit.burst:,}; {room:,} left now"
        rate = Cell(text, tone="" if room else "bad")
    rows = [("Requests", rate), ("Rate limited, last 24 hours", await _rate_limited(visit, found))]
    lasts = found.access_token_lifetime or settings.access_token_lifetime_seconds
    rows.append(("Access token lifetime", Cell(_lasting(lasts))))
    if "refresh_token" in found.grants:
        lasts = found.refresh_token_lifetime or settings.refresh_token_lifetime_seconds
        rows.append(("Login lifetime", Cell(_lasting(lasts))))
    return Facts("Limits", rows)


async def _rate_limited(visit: Visit, found: Application) -> Cell:
    """Return how many requests of the last day were above a rate, with a link to them; a dash if the log cannot be read."""
    line = f"client:{found.client_id} reason:spike* since:1d"
    settings, store = visit.service.settings, visit.service.authority.store
    try:
        page = await search_log(settings, store, line, visit.request.now, size=_COUNTED, of=(found.client_id,))
    except OSError:
        return Cell("")
    least = "at least " if page.is_partial or page.next_page_token else ""
    return Cell(f"{least}{len(page.requests):,}", log_of(line), tone="warn" if page.requests else "good")


APPLICATION = Screen(
    PATH,
    "Application",
    "developer",
    read,
    acts_of(PATH, *ACTS, end_secret, *CLOCK_ACTS, needs="developer"),
    listed=False,
)
