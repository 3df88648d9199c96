"""The way to production: a checklist, of which each item follows from the application's state and its log."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from credence.clock import Milliseconds
from credence.identity import applications
from credence.management.developers import KINDS, kind_of
from credence.management.request_log import search_log
from credence.oauth.authorization.redirect_uris import LOOPBACK_HOSTS
from credence.store.records import Application
from credence.web.developers.log import address_of
from credence.web.developers.own import APPLICATIONS, address, own_application
from credence.web.screens.blocks import Cell, Code, Note, Page, Sample, Table, Tone
from credence.web.screens.screen import Screen, Visit


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the checklist."""

    text: str
    outcome: str
    tone: Tone
    href: str = ""


Outcome = tuple[str, Tone]

_BY_LOG: Sequence[tuple[str, str, Outcome, Outcome]] = (
    ("It has read a report", "status:2xx path:/risk*", ("yes", "good"), ("not yet", "bad")),
    ("No request was refused", "status:4xx -reason:spike*", ("some were", "warn"), ("none", "good")),
    ("No answer was a fault", "status:5xx", ("some were", "warn"), ("none", "good")),
    ("Its rate was enough", "reason:spike*", ("not always", "bad"), ("yes", "good")),
)
"""Item, query terms, and what it means that the log has such requests, and that it has none."""


async def read(visit: Visit) -> Page:
    """Return the checklist of an application, and what makes the same application in production."""
    found = await own_application(visit)
    items = [*_of_state(found, visit.request.now), *await _of_log(visit, found.client_id)]
    rows = [[Cell(each.text, each.href), Cell(each.outcome, tone=each.tone)] for each in items]
    left = sum(each.tone == "bad" for each in items)
    summary = f"{left} of {len(items)} items must be settled first." if left else "Every item that must be settled is."
    text = "An operator runs it in production. It makes an application with a client_id and a secret of its own."
    return Page(
        "To production",
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
        items.append(Item("A key in place of a secret (private_key_jwt), recommended", "secret", "warn"))
    elif not applications.is_public(found):
        items.append(Item("A key in place of a secret", found.authentication, "good"))
    if not KINDS[kind_of(found)].has_people:
        networks = ", ".join(found.rules.networks)
        tone: Tone = "good" if networks else "warn"
        items.append(Item("Addresses from which it calls, recommended", networks or "every address", tone))
    password = "password" in found.grants
    items.append(Item("No password grant", "granted" if password else "not granted", "bad" if password else "good"))
    return items


async def _of_log(visit: Visit, client_id: str) -> list[Item]:
    """Return the items that the requests of seven days settle."""
    if visit.service.request_log is None:
        return [Item("Requests of seven days", "no log is kept", "warn")]
    try:
        return [await _settled(visit, client_id, *each) for each in _BY_LOG]
    except OSError:
        return [Item("Requests of seven days", "the log cannot be read now", "warn")]


async def _settled(visit: Visit, client_id: str, text: str, terms: str, some: Outcome, none: Outcome) -> Item:
    line = f"client:{client_id} {terms} since:7d"
    service = visit.service
    page = await search_log(service.settings, service.authority.store, line, visit.request.now, size=1)
    return Item(text, *(some if page.requests else none), address_of(line))


def _command(found: Application) -> str:
    options = [f"--grant {each}" for each in found.grants]
    options += [f"--scope {each}" for each in found.scopes or ()]
    options += [f"--authentication {found.authentication}", f"--type {found.application_type}"]
    options += [f"--redirect-uri {shlex.quote(each)}" for each in found.redirect_uris]
    options += [f"--origin {shlex.quote(each)}" for each in found.origins]
    return "credence app create NAME \\\n  " + " \\\n  ".join(options) + "\n"


PRODUCTION = Screen(f"{APPLICATIONS}/{{client_id}}/production", "To production", "developer", read, listed=False)
