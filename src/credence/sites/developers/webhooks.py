"""The events of one of the developer's applications, and the webhooks that deliver them."""

from collections.abc import Mapping

from credence.api.monitoring.events import number_in
from credence.api.monitoring.webhooks import made_of
from credence.companies.number import normalise_or_none
from credence.monitoring.envelope import envelope_of
from credence.monitoring.rules import RULES
from credence.monitoring.webhooks import changing
from credence.monitoring.webhooks.schema import SIGNATURES, NewWebhookBody
from credence.oauth.parameters.scopes import MONITOR, of_application
from credence.outgoing.target import MAX_URL_CHARACTERS
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.developers.own import APPLICATIONS, address, own_application
from credence.sites.developers.trying import address_of
from credence.sites.kit.blocks import Block, Cell, Field, Form, Links, Note, Page, Search, Table
from credence.sites.kit.screen import Act, Done, Screen, Visit, Wrong
from credence.sites.kit.webhook_blocks import facts_of, table_of_attempts, table_of_webhooks
from credence.store.events import EventFilter, NumberedEvent
from credence.store.records import Application
from credence.store.webhooks import Webhook

MAX_DESCRIPTION_CHARACTERS = 100
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
    hooks = await store.webhooks_of(found.client_id, "", changing.MAX_WEBHOOKS)
    table = await table_of_webhooks(
        store, hooks, lambda each: f"{_here(found)}/{each.id}", "None yet. One gets each event as a signed request."
    )
    blocks: list[Block] = [
        Links(
            "Programs", [("Portfolios", address_of("list_portfolios")), ("The feed", address_of("monitoring_events"))]
        ),
        table,
    ]
    if visit.service.outgoing is None:
        blocks.append(Note("No webhook can be made here: the operator has not switched on CREDENCE_CALLS_OUT.", "warn"))
    else:
        blocks.append(_form())
    return Page("Events and webhooks", [*blocks, *await _events(visit, found)], "", above=above)


def _form() -> Form:
    text = "The endpoint must answer a message that asks for its consent; then it gets the events."
    signatures = [(name, f"{name}: {words}") for name, words in SIGNATURES.items()]
    fields = (
        Field("url", "Address", hint="https, of a host that this service reaches.", required=True),
        Field("description", "Description", hint="In your own words."),
        Field("signature", "Signature", options=signatures),
    )
    return Form("make", "Make a webhook", "Make it", text, fields=fields)


async def _events(visit: Visit, found: Application) -> list[Block]:
    """Return the newest events of the application, about all companies or one.

    Without a company, only the newest `_LOOKED_THROUGH` events of all applications are searched.
    """
    store, typed = visit.service.authority.store, visit.asked("q")[:20]
    number = normalise_or_none(typed) if typed else ""
    search = Search(
        "Events about a company", typed, "Its number.", "" if number is not None else "This is no company number."
    )
    if number is None:
        return [search]
    after = max(0, await store.last_event() - _LOOKED_THROUGH) if not number else 0
    events = await store.events(found.client_id, after, _LOOKED_THROUGH, EventFilter(company=number))
    rows = [_row(each) for each in reversed(events[-SHOWN_EVENTS:])]
    empty = "None. Events are about the companies of portfolios, and are made when data or scores are loaded."
    return [search, Table("Newest events", ("Number", "Time", "Kind", "Company"), rows, empty)]


def _row(each: NumberedEvent) -> list[Cell]:
    words = RULES[each.rule].words if each.rule in RULES else each.rule
    return [
        Cell(str(each.number), address_of("monitoring_event", {"number": str(each.number)})),
        Cell(envelope_of(each).event.published_at),
        Cell(words),
        Cell(each.company, address_of("company_report", {"company_number": each.company}), code=True),
    ]


async def make(visit: Visit, values: Mapping[str, str]) -> Done:
    """Make a webhook. Only this answer shows the secret of a webhook that is signed by HMAC."""
    found = await own_application(visit)
    if MONITOR not in of_application(found):
        raise Wrong(f"The application does not have the scope {MONITOR}.")
    url, description = values.get("url", "").strip(), values.get("description", "").strip()
    signature = next((each for each in SIGNATURES if each == values.get("signature")), None)
    if not 1 <= len(url) <= MAX_URL_CHARACTERS:
        raise Wrong("Enter the address of the endpoint.", "url")
    if len(description) > MAX_DESCRIPTION_CHARACTERS:
        raise Wrong(f"A description has at most {MAX_DESCRIPTION_CHARACTERS} characters.", "description")
    if signature is None:
        raise Wrong("Choose a signature.", "signature")
    body = NewWebhookBody(url, description, signature=signature)  # type: ignore[arg-type]  # a key of SIGNATURES
    try:
        made, secret = await made_of(visit.service, found.client_id, body, visit.request.now)
    except Refused as refused:
        field = "description" if refused.reason == "webhook.text" else "url"
        raise Wrong(refused.refusal.message, field) from None
    shown = (f"Secret of the webhook {made.id}", secret) if secret else None
    text = f"The webhook {made.id} is made. Its endpoint is asked for its consent now."
    return Done(text, shown, events=("webhook_made",))


async def read_one(visit: Visit) -> Page:
    """Return a webhook with its attempts of the last thirty days, and the acts on it."""
    found, kept = await _webhook_of(visit)
    table = await table_of_attempts(visit, kept, lambda each: address_of("monitoring_event", {"number": str(each)}))
    again = Field("event", "Event", hint="Its number; empty: every delivery that was given up.")
    blocks: list[Block] = [facts_of(kept), table]
    if kept.state == "active":
        blocks += [
            Form("test", "Send a test message", "Send it", "It has no event. It is attempted within seconds."),
            Form("replay", "Deliver again", "Deliver again", fields=(again,)),
            Form("disable", "Disable it", "Disable it", "What waits is given up.", dangerous=True),
        ]
    else:
        blocks.append(Form("verify", "Ask for its consent", "Ask", "An endpoint that consents gets its events again."))
    return Page(kept.description or "Webhook", blocks, "", above=("Events and webhooks", _here(found)))


async def test(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Send a message without an event."""
    _, kept = await _active(visit)
    await changing.send_test(visit.service.authority.store, kept, visit.request.now)
    return Done("The message waits for its attempt. Open the page again to see it.", events=("webhook_tested",))


async def replay(visit: Visit, values: Mapping[str, str]) -> Done:
    """Deliver one event again, or all given-up deliveries."""
    _, kept = await _active(visit)
    store, now, typed = visit.service.authority.store, visit.request.now, values.get("event", "").strip()
    if not typed:
        result = await changing.replay_given_up(store, kept, now)
    else:
        number = number_in(typed)
        if not number:
            raise Wrong("An event has a number, such as 57.", "event")
        result = await changing.replay_range(store, kept, number - 1, number, now)
    return Done(f"Deliveries that are attempted again: {result.deliveries}.", events=("webhook_replayed",))


async def verify(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Request the consent of the endpoint again."""
    _, kept = await _webhook_of(visit)
    await changing.verify(visit.service.authority.store, kept, visit.request.now)
    return Done("The endpoint is asked for its consent.", events=("webhook_verification",))


async def disable(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Stop the deliveries."""
    _, kept = await _webhook_of(visit)
    await changing.disable(visit.service.authority.store, kept)
    return Done("The webhook gets nothing until its endpoint consents again.", events=("webhook_disabled",))


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


async def _active(visit: Visit) -> tuple[Application, Webhook]:
    found, kept = await _webhook_of(visit)
    if kept.state != "active":
        raise Wrong("The webhook is not active: its endpoint must consent first.")
    return found, kept


WEBHOOKS = Screen(
    f"{APPLICATIONS}/{{client_id}}/webhooks",
    "Events and webhooks",
    "developer",
    read,
    (Act("make", "developer", make),),
    listed=False,
)
WEBHOOK = Screen(
    f"{WEBHOOKS.path}/{{webhook}}",
    "Webhook",
    "developer",
    read_one,
    tuple(Act(act.__name__, "developer", act) for act in (test, replay, verify, disable)),
    listed=False,
)
