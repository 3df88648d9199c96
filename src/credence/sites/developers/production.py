"""The checklist before production: each item is derived from the application's options and its request log."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from credence.blocks.values import Cell, Code, Note, Sample, Table, Tone
from credence.clock import Milliseconds
from credence.identity import applications
from credence.management.developers import KINDS, kind_of
from credence.management.log_schema import LogEntry
from credence.management.request_log import search_log
from credence.oauth.authorization.redirect_uris import LOOPBACK_HOSTS
from credence.sites.developers.log import address_of
from credence.sites.developers.own import APPLICATIONS, address, own_application
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.records import Application


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the checklist."""

    text: str
    outcome: str
    tone: Tone
    href: str = ""


Outcome = tuple[str, Tone]


def _is_read(entry: LogEntry) -> bool:
    return entry.status // 100 == 2 and (entry.path or "").startswith("/risk")


def _is_spike(entry: LogEntry) -> bool:
    return (entry.reason or "").startswith("spike")


MAX_LOOKED_AT = 50
"""The newest requests that an item is derived from: one search only, because a page waits for it."""

_BY_LOG: Sequence[tuple[str, str, Callable[[LogEntry], bool], Outcome, Outcome]] = (
    ("It has read a report", "status:2xx path:/risk*", _is_read, ("yes", "good"), ("not yet", "bad")),
    (
        "No requests were refused",
        "status:4xx -reason:spike*",
        lambda each: each.status // 100 == 4 and not _is_spike(each),
        ("some were", "warn"),
        ("none", "good"),
    ),
    ("No response was a fault", "status:5xx", lambda each: each.status >= 500, ("some were", "warn"), ("none", "good")),
    ("It stayed within its rate", "reason:spike*", _is_spike, ("not always", "bad"), ("yes", "good")),
)
"""Items derived from the request log: text, log query, test of a found request, outcome if one passes, outcome if none
does.
"""


async def read(visit: Visit) -> Page:
    """Return the checklist of an application, and how to register the same application in production."""
    found = await own_application(visit)
    items = [*_of_state(found, visit.request.now), *await _of_log(visit, found.client_id)]
    rows = [[Cell(each.text, each.href), Cell(each.outcome, tone=each.tone)] for each in items]
    left = sum(each.tone == "bad" for each in items)
    summary = f"{left} of {len(items)} items must be settled first." if left else "Every item that must be settled is."
    text = "An operator runs this command in production. The new application has its own client_id and secret."
    return Page(
        "Go to production",
        [
            Note(summary, "bad" if left else "good"),
            Table("Checklist", ("Item", "State"), rows, ""),
            Code("The same application in production", (Sample("Command line", _command(found)),), text),
        ],
        "",
        above=(found.name, address(found.client_id)),
    )


def _of_state(found: Application, now: Milliseconds) -> list[Item]:
    items = [Item("The application is enabled", *(("no", "bad") if found.disabled else ("yes", "good")))]
    if KINDS[kind_of(found)].has_people:
        local = [each for each in found.redirect_uris if urlsplit(each).hostname in LOOPBACK_HOSTS]
        if found.application_type == "native" or not local:
            items.append(Item("Redirect URIs lead to addresses of production", "yes", "good"))
        else:
            items.append(Item("Redirect URIs lead to addresses of production", f"{len(local)} on loopback", "bad"))
    if applications.has_secret(found):
        live = [each for each in found.secrets if each.expires_at is None or each.expires_at > now]
        old = f"{len(live)} are valid" if len(live) > 1 else "one is valid"
        items.append(Item("Only one secret is valid", old, "good" if len(live) == 1 else "warn"))
        items.append(Item("A key instead of a secret (private_key_jwt); recommended", "secret", "warn"))
    elif not applications.is_public(found):
        items.append(Item("A key instead of a secret", found.authentication, "good"))
    if not KINDS[kind_of(found)].has_people:
        networks = ", ".join(found.rules.networks)
        tone: Tone = "good" if networks else "warn"
        items.append(Item("Addresses from which it calls; recommended", networks or "every address", tone))
    password = "password" in found.grants
    items.append(Item("No password grant", "granted" if password else "not granted", "bad" if password else "good"))
    return items


async def _of_log(visit: Visit, client_id: str) -> list[Item]:
    """Return the items that are derived from the newest requests of the last seven days."""
    if visit.service.request_log is None:
        return [Item("Requests of seven days", "no log is kept", "warn")]
    try:
        found = await search_log(
            visit.service.settings,
            visit.service.authority.store,
            f"client:{client_id} since:7d",
            visit.request.now,
            size=MAX_LOOKED_AT,
        )
    except OSError:
        return [Item("Requests of seven days", "the log cannot be read now", "warn")]
    newest = f", of its newest {MAX_LOOKED_AT} requests" if found.next_page_token else ""
    items = []
    for text, terms, fits, some, none in _BY_LOG:
        outcome, tone = some if any(map(fits, found.requests)) else none
        items.append(Item(text, f"{outcome}{newest}", tone, address_of(f"client:{client_id} {terms} since:7d")))
    return items


def _command(found: Application) -> str:
    options = [f"--grant {each}" for each in found.grants]
    options += [f"--scope {each}" for each in found.scopes or ()]
    options += [f"--authentication {found.authentication}", f"--type {found.application_type}"]
    options += [f"--redirect-uri {shlex.quote(each)}" for each in found.redirect_uris]
    options += [f"--origin {shlex.quote(each)}" for each in found.origins]
    return "credence app create NAME \\\n  " + " \\\n  ".join(options) + "\n"


PRODUCTION = Screen(f"{APPLICATIONS}/{{client_id}}/production", "Go to production", "developer", read, listed=False)
