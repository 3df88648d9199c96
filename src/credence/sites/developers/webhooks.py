"""The events of one of the developer's applications, and the webhooks that deliver them."""

from credence.blocks.forms import Search
from credence.blocks.values import Block, Cell, Links, Note, Table
from credence.companies.number import normalise_or_none
from credence.monitoring.envelope import envelope_of
from credence.monitoring.rules import RULES
from credence.oauth.parameters.scopes import MONITOR, of_application
from credence.operations.webhooks import (
    MAX_WEBHOOKS,
    change_webhook,
    delete_webhook,
    disable_webhook,
    exchange_keys,
    make_webhook,
    replay,
    send_test,
    verify_webhook,
)
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.developers.own import APPLICATIONS, address, own_application
from credence.sites.developers.trying import address_of
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.sites.kit.webhook_blocks import facts_of, table_of_attempts, table_of_webhooks
from credence.store.events import EventFilter, NumberedEvent
from credence.store.records import Application
from credence.store.webhooks import Webhook

ACTS = (send_test, replay, verify_webhook, change_webhook, exchange_keys, disable_webhook, delete_webhook)
_WEBHOOKS = f"{APPLICATIONS}/{{client_id}}/webhooks"
SHOWN_EVENTS = 50
_LOOKED_THROUGH = 1_000


async def read(visit: Visit) -> Page:
    """Return the webhooks of an application and its newest events."""
    found, store = await own_application(visit), visit.service.authority.store
    above = (found.name, address(found.client_id))
    if MONITOR not in of_application(found):
        text = (
            f"The application may not watch companies: it does not have the scope {MONITOR}, which an operator gives."
        )
        return Page("Events and webhooks", [Note(text)], "", above=above)
    hooks = await store.webhooks_of(found.client_id, "", MAX_WEBHOOKS)
    table = await table_of_webhooks(
        store,
        hooks,
        lambda each: f"{_here(found)}/{each.id}",
        "No webhooks yet. A webhook receives each event as a signed request.",
    )
    blocks: list[Block] = [
        Links(
            "Programs", [("Portfolios", address_of("list_portfolios")), ("The feed", address_of("monitoring_events"))]
        ),
        table,
    ]
    if visit.service.outgoing is None:
        blocks.append(Note("Webhooks are not available: the operator has not enabled CREDENCE_CALLS_OUT.", "warn"))
    else:
        blocks.append(form_of(make_webhook, shows_command=False))
    return Page("Events and webhooks", [*blocks, *await _events(visit, found)], "", above=above)


async def _events(visit: Visit, found: Application) -> list[Block]:
    """Return the newest events of the application, about all companies or one.

    Without a company, only the newest `_LOOKED_THROUGH` events of all applications are searched.
    """
    store, typed = visit.service.authority.store, visit.parameter("q")[:20]
    number = normalise_or_none(typed) if typed else ""
    search = Search(
        "Events about a company",
        typed,
        "A company number, such as 01234567.",
        "" if number is not None else "Enter a company number, such as 01234567.",
    )
    if number is None:
        return [search]
    after = max(0, await store.last_event() - _LOOKED_THROUGH) if not number else 0
    events = await store.events(found.client_id, after, _LOOKED_THROUGH, EventFilter(company=number))
    rows = [_row(each) for each in reversed(events[-SHOWN_EVENTS:])]
    empty = (
        "No events yet. They report changes to the companies in your portfolios after new data or scores are loaded."
    )
    return [search, Table("Newest events", ("Number", "Time, UTC", "Kind", "Company"), rows, empty)]


def _row(each: NumberedEvent) -> list[Cell]:
    words = RULES[each.rule].words.rstrip(".") if each.rule in RULES else each.rule
    return [
        Cell(str(each.number), address_of("monitoring_event", {"number": str(each.number)})),
        Cell(envelope_of(each).event.published_at[:19].replace("T", " "), whole=True),
        Cell(words),
        Cell(each.company, address_of("company_report", {"company_number": each.company}), code=True),
    ]


async def read_one(visit: Visit) -> Page:
    """Return a webhook with its attempts of the last thirty days, and the acts on it."""
    found, kept = await _webhook_of(visit)
    table = await table_of_attempts(visit, kept, lambda each: address_of("monitoring_event", {"number": str(each)}))
    present = {"url": kept.url, "description": kept.description}
    forms = [form_of(each, kept.id, present=present, shows_command=False) for each in ACTS if each.offered(kept)]
    return Page(
        kept.description or "Webhook", [facts_of(kept), table, *forms], "", above=("Events and webhooks", _here(found))
    )


def _here(found: Application) -> str:
    return f"{address(found.client_id)}/webhooks"


async def _webhook_of(visit: Visit) -> tuple[Application, Webhook]:
    """Return the application and the webhook that the path names.

    Raises Refused with the same 404 for another person's as for unknown ones.
    """
    found = await own_application(visit)
    kept = await visit.service.authority.store.webhook(visit.request.segments[1])
    if kept is None or kept.owner != found.client_id:
        raise Refused(RESOURCE_UNKNOWN, "webhook.unknown")
    return found, kept


WEBHOOKS = Screen(
    _WEBHOOKS,
    "Events and webhooks",
    "developer",
    read,
    acts_of(_WEBHOOKS, make_webhook, needs="developer"),
    listed=False,
)
WEBHOOK = Screen(
    f"{WEBHOOKS.path}/{{webhook}}",
    "Webhook",
    "developer",
    read_one,
    acts_of(f"{_WEBHOOKS}/{{webhook}}", *ACTS, needs="developer"),
    listed=False,
)
