"""Operations on webhooks: for the application that gets the events, for its developer, and for operators (D31, D38)."""

from functools import partial
from typing import Final

import msgspec

from credence import paths
from credence.crypto.randomness import new_webhook_id
from credence.monitoring.rules import RULES
from credence.monitoring.webhooks.delivering import MAX_REPLAYED, replayed, test_message, unverified, verification
from credence.monitoring.webhooks.message import WebhookKeys, message_id
from credence.monitoring.webhooks.schema import (
    Attempts,
    NewWebhookBody,
    ReplayBody,
    ReplayResult,
    TestMessage,
    WebhookBody,
    Webhooks,
    WebhookState,
    WebhookWithSecret,
    attempt_of,
    state_of,
)
from credence.oauth.callable_addresses import is_callable
from credence.operations.acting import OWNERS, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Change, Noun, operation
from credence.operations.pages import Page, first_of
from credence.operations.reading import listing, reading, showing
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED
from credence.store.deliveries import added
from credence.store.records import Application
from credence.store.webhooks import KEPT_MS, WEBHOOKS, Webhook

MAX_WEBHOOKS: Final = 20
"""Maximum number of webhooks of one application."""

_NO_CALLS = because(RESOURCE_CHANGED, "The operator does not allow calls to other servers (CREDENCE_CALLS_OUT).")
_NOT_ACTIVE = because(RESOURCE_CHANGED, "The webhook is not active: have it verified first.")
_URL = because(RESOURCE_MALFORMED, "The url must be https to a host and port that this service calls.")
_TEXT = because(RESOURCE_MALFORMED, "The description must be text of one line.")
_FILTER = because(RESOURCE_MALFORMED, "A portfolio or rule is unknown.")
_RANGE = because(RESOURCE_MALFORMED, "Say `event`, or `after` and `until`, or nothing for all that was given up.")


class OperatorsWebhook(WebhookState, frozen=True):
    """A webhook as operators see it, with its owner and the numbers of its deliveries."""

    owner: str
    waiting: int
    given_up: int


async def _state(by: Acting, webhook: Webhook) -> WebhookState:
    state = state_of(webhook, by.now)
    if by.owns is not None:
        return state
    waiting, given_up = await by.means.store.count_deliveries(webhook.id)
    members = msgspec.structs.asdict(state)
    return OperatorsWebhook(**members, owner=webhook.owner, waiting=waiting, given_up=given_up)


def _body_of(webhook: Webhook) -> WebhookBody:
    return WebhookBody(webhook.url, webhook.description, webhook.portfolios, webhook.rules)


WEBHOOK: Final[Noun[Webhook]] = Noun(
    name="webhook",
    path="webhooks/{webhook}",
    base=paths.MONITORING,
    help="The id of the webhook.",
    example="wh_2o6x4hk3tmy7q5c3",
    kept=WEBHOOKS,
    state=_state,
    body_of=_body_of,
    within=APPLICATION,
    owners=lambda webhook: (webhook.owner,),
    most=MAX_WEBHOOKS,
    also_named=lambda webhook: {"application": webhook.owner},
    reasons="webhook",
)
_operation = partial(operation, on=WEBHOOK, access=OWNERS)

list_webhooks = listing(
    WEBHOOK,
    "webhook list",
    Webhooks,
    id="list_webhooks",
    access=OWNERS,
    columns=("id", "owner", "url", "state", "disabled_reason", "failing_since", "waiting", "given_up"),
    title="Your webhooks",
    text="List the webhooks with their states, without their secrets.",
)
read_webhook = showing(
    WEBHOOK,
    "webhook show",
    id="read_webhook",
    access=OWNERS,
    title="One webhook",
    text="Show address, filters, public keys and state of a webhook.",
)


@_operation(
    "webhook make",
    api=("POST", ""),
    title="Create a webhook",
    button="Create webhook",
    answers=WebhookWithSecret,
    makes=True,
    once=("secret",),
    again="webhook keys",
    event="webhook_made",
    text=(
        "Send every event of an application's portfolios, or those of some portfolios and rules, to an address by "
        f"Standard Webhooks 1.0.0. An application has at most {MAX_WEBHOOKS} webhooks. The address gets nothing before it "
        "has answered a signed request of type `endpoint.verification` with 2xx. Requests are signed with HMAC-SHA256 "
        "(`v1`), which the packages `standardwebhooks` and `svix` verify: this answer has the secret, and no later one has. "
        "With `ed25519` (`v1a`) the key that verifies is public, and the verifier your own."
    ),
)
async def make_webhook(by: Acting, owner: Application, body: NewWebhookBody) -> Change[Webhook]:
    """Make a webhook of an application; its endpoint is asked for its consent."""
    if not by.means.settings.calls_out:
        raise Refused(_NO_CALLS, "webhook.no_calls")
    await _require_valid(by, owner.client_id, body)
    identity = new_webhook_id()
    key, secret = WebhookKeys(await by.means.read_digest_key()).make(identity, body.signature, by.now)
    made = Webhook(
        identity,
        owner.client_id,
        body.url,
        by.now,
        body.signature,
        (key,),
        description=body.description,
        portfolios=body.portfolios,
        rules=body.rules,
    )
    return Change(
        made,
        {"secret": secret} if secret else {},
        also=[added([verification(made, by.now)])],
        said=f"The webhook {identity} is made. Its endpoint is asked for its consent now.",
    )


@_operation(
    "webhook set",
    api=("PATCH", ""),
    title="Change a webhook",
    button="Change it",
    event="webhook_changed",
)
async def change_webhook(by: Acting, found: Webhook, body: WebhookBody) -> Change[Webhook]:
    """Change address, description or filters. Another address is verified before it gets anything."""
    await _require_valid(by, found.owner, body)
    changed = msgspec.structs.replace(found, **{each: getattr(body, each) for each in WebhookBody.__struct_fields__})
    return Change(changed) if changed.url == found.url else _to_verify(by, changed)


@_operation(
    "webhook delete",
    api=("DELETE", ""),
    title="Delete a webhook",
    button="Delete it",
    silent=True,
    dangerous=True,
    event="webhook_deleted",
)
async def delete_webhook(_by: Acting, _found: Webhook, _body: None) -> Change[Webhook]:
    """Delete a webhook with what waits for it and its attempts."""
    return Change(None, said="The webhook is deleted.")


@_operation(
    "webhook verify",
    api=("POST", "verify"),
    title="Verify a webhook again",
    button="Verify the endpoint",
    later=True,
    offered=lambda found: found.state != "active",
    event="webhook_verification",
)
async def verify_webhook(by: Acting, found: Webhook, _body: None) -> Change[Webhook]:
    """Ask the address for its consent by `endpoint.verification`.

    A webhook that was disabled is active again once its address answers 2xx.
    """
    return _to_verify(by, found)


def _to_verify(by: Acting, webhook: Webhook) -> Change[Webhook]:
    after = unverified(msgspec.structs.replace(webhook, version=webhook.version + 1))
    return Change(after, also=[added([verification(after, by.now)])], said="Verification message sent.")


@_operation(
    "webhook disable",
    api=("POST", "disable"),
    title="Disable a webhook",
    button="Disable it",
    dangerous=True,
    offered=lambda found: found.state != "disabled",
    event="webhook_disabled",
)
async def disable_webhook(_by: Acting, found: Webhook, _body: None) -> Change[Webhook]:
    """End deliveries until it is verified again. What waits is given up and can be replayed."""
    said = "The webhook receives no events until its endpoint is verified again."
    if found.state == "disabled":
        return Change(found, said=said)
    return Change(msgspec.structs.replace(found, state="disabled", disabled_reason="by_hand"), said=said)


@_operation(
    "webhook keys",
    api=("POST", "keys"),
    title="Give a webhook a new key",
    button="Create a new key",
    id="exchange_webhook_keys",
    answers=WebhookWithSecret,
    once=("secret",),
    event="webhook_key_made",
)
async def exchange_keys(by: Acting, found: Webhook, _body: None) -> Change[Webhook]:
    """Make a new key. For a day every request has two signatures, of the new key and of the one before."""
    keys, secret = WebhookKeys(await by.means.read_digest_key()).exchanged(found, by.now)
    said = "The webhook has a new key; the one before signs as well for a day."
    return Change(msgspec.structs.replace(found, keys=keys), {"secret": secret} if secret else {}, said=said)


@_operation(
    "webhook test",
    api=("POST", "test"),
    title="Send a test message",
    button="Send it",
    id="test_webhook",
    answers=TestMessage,
    later=True,
    offered=lambda found: found.state == "active",
    event="webhook_tested",
)
async def send_test(by: Acting, found: Webhook, _body: None) -> Change[Webhook]:
    """Send a message of type `endpoint.test`, delivered like any other."""
    _require_active(found)
    delivery = test_message(found, by.now)

    async def send() -> TestMessage:
        await by.means.store.add_deliveries([delivery])
        return TestMessage(message_id(delivery.id))

    return Change(found, effect=send, said="The message waits for its attempt.")


@_operation(
    "webhook replay",
    api=("POST", "replay"),
    title="Deliver again",
    id="replay_webhook",
    answers=ReplayResult,
    later=True,
    offered=lambda found: found.state == "active",
    event="webhook_replayed",
    text=(
        "Deliver one event again, or the events of a range, also those that were made before the webhook, or else all that "
        f"was given up. At most {MAX_REPLAYED:,} events; `next` says where to go on. A message keeps its `webhook-id`."
    ),
)
async def replay(by: Acting, found: Webhook, body: ReplayBody) -> Change[Webhook]:
    """Deliver events again: one, those of a range, or those whose deliveries were given up."""
    _require_active(found)
    after, until = body.after, body.until
    if body.event and (after, until) == (None, None):
        after, until = body.event - 1, body.event
    elif body.event is not None or (after is None) is not (until is None):
        raise Refused(_RANGE, "resource.members")
    store = by.means.store

    async def deliver() -> ReplayResult:
        if after is None or until is None:
            return ReplayResult(await store.revive_deliveries(found.id, by.now, by.now + KEPT_MS), 0)
        deliveries, rest = await replayed(store, found, after, until, by.now)
        await store.replay_deliveries(deliveries)
        return ReplayResult(len(deliveries), rest)

    return Change(found, effect=deliver, said="It is attempted again.")


@reading(
    "webhook attempts",
    on=WEBHOOK,
    access=OWNERS,
    api="attempts",
    id="list_webhook_attempts",
    rows="attempts",
    columns=("at", "webhook_id", "type", "sequence", "outcome", "milliseconds"),
    most=100,
    title="Delivery attempts",
)
async def list_attempts(by: Acting, found: Webhook, page: Page) -> Attempts:
    """List the attempts, the newest first.

    Each has its outcome, how long it took, and the first kilobyte of the answer if it failed.
    """
    kept = await by.means.store.attempts_of(found.id, page.after, page.size + 1)
    shown, following = first_of(kept, lambda each: each.key, page)
    return Attempts(tuple(map(attempt_of, shown)), following)


def _require_active(found: Webhook) -> None:
    if found.state != "active":
        raise Refused(_NOT_ACTIVE, "webhook.state")


async def _require_valid(by: Acting, owner: str, body: WebhookBody) -> None:
    """Raise Refused with 422 for an address that may not be called, a text that is not printable, or an unknown filter."""
    if not is_callable(body.url, by.means.settings):
        raise Refused(_URL, "webhook.url")
    if not body.description.isprintable():
        raise Refused(_TEXT, "webhook.description")
    known = {each.id for each in await by.means.store.portfolios_of(owner, "", 1_000)} if body.portfolios else set()
    if not known.issuperset(body.portfolios) or not RULES.keys() >= set(body.rules):
        raise Refused(_FILTER, "webhook.filter")
