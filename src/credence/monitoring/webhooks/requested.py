"""The deliveries to webhooks that people request: verification, test message and replay."""

from typing import Final

import msgspec

from credence.clock import Milliseconds
from credence.monitoring.webhooks.delivering import delivery_of
from credence.store.contract import Store
from credence.store.deliveries import Delivery
from credence.store.events import EventFilter
from credence.store.webhooks import VERIFICATION, Message, Webhook, event_delivery, wants

MAX_REPLAYED: Final = 10_000
"""Maximum number of events in one replay."""

_PAGE = 1_000

TEST = "endpoint.test"
VERIFY = "endpoint.verification"


def unverified(webhook: Webhook) -> Webhook:
    """Return the webhook as it gets nothing but the verification, which also enables it again."""
    return msgspec.structs.replace(webhook, state="unverified", disabled_reason="", failing_since=0)


def verification(webhook: Webhook, now: Milliseconds) -> Delivery:
    """Return the delivery that requests the consent of an endpoint."""
    return delivery_of(webhook.id, Message(VERIFY, webhook=webhook.id), f"{webhook.version}", now, VERIFICATION)


def test_message(webhook: Webhook, now: Milliseconds) -> Delivery:
    """Return the delivery of a message without an event."""
    return delivery_of(webhook.id, Message(TEST, webhook=webhook.id), str(now), now)


async def replayed(
    store: Store, webhook: Webhook, after: int, until: int, now: Milliseconds
) -> tuple[list[Delivery], int]:
    """Return the deliveries of the events above `after` and up to `until` that a webhook selects.

    Their message ids stay the same. The number is where to continue after `MAX_REPLAYED` events; 0 if nothing is left.
    """
    deliveries: list[Delivery] = []
    while True:
        found = await store.events(webhook.owner, after, _PAGE, EventFilter())
        deliveries += [
            event_delivery(webhook.id, each.number, (each.portfolio, each.rule, each.company), now)
            for each in found
            if each.number <= until and wants(webhook, each.portfolio, each.rule, each.company)
        ]
        after = found[-1].number if found else until
        if len(found) < _PAGE or after >= until or len(deliveries) > MAX_REPLAYED - _PAGE:
            return deliveries, after if len(found) == _PAGE and after < until else 0
