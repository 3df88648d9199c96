"""Operations of owners and operators on webhooks: create, change, verify, rotate keys, test and replay."""

from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.crypto.randomness import new_webhook_id
from credence.monitoring.webhooks.delivering import delivery_of
from credence.monitoring.webhooks.keys import Signature, WebhookKeys
from credence.store.contract import Store
from credence.store.deliveries import Delivery
from credence.store.events import EventFilter, NumberedEvent
from credence.store.webhooks import KEPT_MS, VERIFICATION, Message, Webhook, event_delivery, wants

MAX_WEBHOOKS = 20
"""Maximum number of webhooks of one application."""

MAX_REPLAYED = 10_000
"""Maximum number of events in one replay."""

_PAGE = 1_000

TEST = "endpoint.test"
VERIFY = "endpoint.verification"


class Replay(NamedTuple):
    """The result of a replay."""

    deliveries: int
    next: int
    """The value of `after` for the rest of the range; 0 if nothing is left."""


class Wish(NamedTuple):
    """The properties of a webhook that its owner chooses."""

    url: str
    description: str = ""
    portfolios: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


async def make(
    store: Store, keys: WebhookKeys, owner: str, wish: Wish, signature: Signature, now: Milliseconds
) -> tuple[Webhook, str]:
    """Store a webhook and the delivery that verifies it; return it with the HMAC secret, which is shown only once.

    Raises Full if its owner has as many as it may have.
    """
    identity = new_webhook_id()
    key, shown = keys.make(identity, signature, now)
    made = Webhook(identity, owner, wish.url, now, signature, (key,), 1, *wish[1:])
    await store.save_webhook(made, [verification(made, now)], MAX_WEBHOOKS)
    return made, shown


async def change(store: Store, kept: Webhook, wish: Wish, now: Milliseconds) -> Webhook:
    """Store a change by the owner; a new address is verified before it gets any events. Raises Conflict."""
    new = msgspec.structs.replace(kept, version=kept.version + 1, **wish._asdict())
    if new.url == kept.url:
        await store.save_webhook(new)
        return new
    return await _verify(store, new, now)


async def verify(store: Store, kept: Webhook, now: Milliseconds) -> Webhook:
    """Request the consent of the endpoint again, which also enables the webhook again. Raises Conflict."""
    return await _verify(store, msgspec.structs.replace(kept, version=kept.version + 1), now)


def disabled(kept: Webhook) -> Webhook:
    """Return the webhook without deliveries to its endpoint; one that is disabled already stays as it is."""
    if kept.state == "disabled":
        return kept
    return msgspec.structs.replace(kept, version=kept.version + 1, state="disabled", disabled_reason="by_hand")


async def disable(store: Store, kept: Webhook) -> Webhook:
    """Stop all deliveries to an endpoint. Raises Conflict."""
    off = disabled(kept)
    if off != kept:
        await store.save_webhook(off)
    return off


async def exchange_keys(store: Store, keys: WebhookKeys, kept: Webhook, now: Milliseconds) -> tuple[Webhook, str]:
    """Store a new key in addition to the present one; return the HMAC secret, which is shown only once. Raises Conflict."""
    exchanged, shown = keys.exchanged(kept, now)
    new = msgspec.structs.replace(kept, version=kept.version + 1, keys=exchanged)
    await store.save_webhook(new)
    return new, shown


async def send_test(store: Store, kept: Webhook, now: Milliseconds) -> Delivery:
    """Store the delivery of a test message."""
    delivery = delivery_of(kept.id, Message(TEST, webhook=kept.id), str(now), now)
    await store.add_deliveries([delivery])
    return delivery


async def replay_given_up(store: Store, kept: Webhook, now: Milliseconds) -> Replay:
    """Make every delivery of a webhook that was given up due again."""
    return Replay(await store.revive_deliveries(kept.id, now, now + KEPT_MS), 0)


async def replay_range(store: Store, kept: Webhook, after: int, until: int, now: Milliseconds) -> Replay:
    """Deliver the events above `after` and up to `until` again that the webhook selects; their message ids stay the same.

    Pending deliveries are unchanged. `next` is where to continue after `MAX_REPLAYED` events.
    """
    deliveries: list[Delivery] = []
    while True:
        found = await store.events(kept.owner, after, _PAGE, EventFilter())
        wanted = [each for each in found if each.number <= until]
        deliveries += [
            _again(kept, each, now) for each in wanted if wants(kept, each.portfolio, each.rule, each.company)
        ]
        after = found[-1].number if found else until
        if len(found) < _PAGE or after >= until or len(deliveries) > MAX_REPLAYED - _PAGE:
            break
    await store.replay_deliveries(deliveries)
    return Replay(len(deliveries), after if len(found) == _PAGE and after < until else 0)


def verification(webhook: Webhook, now: Milliseconds) -> Delivery:
    """Return the delivery that requests the consent of an endpoint."""
    return delivery_of(webhook.id, Message(VERIFY, webhook=webhook.id), f"{webhook.version}", now, VERIFICATION)


def _again(webhook: Webhook, event: NumberedEvent, now: Milliseconds) -> Delivery:
    return event_delivery(webhook.id, event.number, (event.portfolio, event.rule, event.company), now)


async def _verify(store: Store, new: Webhook, now: Milliseconds) -> Webhook:
    new = msgspec.structs.replace(new, state="unverified", disabled_reason="", failing_since=0)
    await store.save_webhook(new, [verification(new, now)])
    return new
