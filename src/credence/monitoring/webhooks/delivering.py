"""Attempts deliveries to webhooks, also those that people request, and handles the answers of the endpoints.

2xx is success. 410 disables the webhook, and so do five days in which every attempt fails; the other webhooks of the same
application get a message. After any other answer, including a redirect, the delivery is attempted again by the published
schedule.
"""

from typing import TYPE_CHECKING

import msgspec

from credence.clock import Clock, Milliseconds
from credence.monitoring.webhooks.message import WebhookKeys, body_of, header_of, message_id
from credence.oauth.authority import Authority
from credence.outbox.answers import outcome_of
from credence.outbox.engine import VERIFICATIONS, WEBHOOKS, AttemptOutcome, DeliveryKind
from credence.store.contract import Conflict, Store
from credence.store.deliveries import Delivery
from credence.store.webhooks import (
    DAY_MS,
    KEPT_MS,
    KIND,
    VERIFICATION,
    Message,
    Webhook,
    WebhookAttempt,
    decode_message,
    delivery_id,
    encode_message,
)
from credence.telemetry.log import event, warning

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient
from typing import Final

from credence.store.events import EventFilter
from credence.store.webhooks import event_delivery, wants

PURPOSE = "webhook"

FAILING_MS = 5 * DAY_MS
"""A webhook without one success in this time is disabled."""

ATTEMPTS_KEPT_MS = 30 * DAY_MS

MAX_ANSWER_BYTES = 1_024

GONE = 410

IS_GONE, FAILING = "gone", "failing"
"""Why a webhook was disabled: by an answer 410, or after `FAILING_MS`."""

DISABLED = "endpoint.disabled"
"""The type of the message to the other webhooks of an application."""


def webhook_deliveries(
    authority: Authority, client: "OutgoingClient", clock: Clock, user_agent: str
) -> dict[str, DeliveryKind]:
    """Return the delivery kinds of webhooks by name."""
    # Imported only here: most deployments make no outgoing calls.
    from credence.outgoing.client import Call

    store, keys, issuer = authority.store, WebhookKeys(authority.secrets.digest), authority.settings.issuer

    async def attempt(delivery: Delivery) -> AttemptOutcome:
        webhook = await store.webhook(delivery.receiver)
        if webhook is None:
            return AttemptOutcome(delivered=True, text="not_wanted")
        if webhook.state != "active" and delivery.kind != VERIFICATION:
            return AttemptOutcome(delivered=False, text=webhook.state, final=True)
        message, now = decode_message(delivery.payload), clock()
        body = body_of(message, delivery.created_at, issuer)
        header = header_of(keys, webhook, delivery, body, now) | {"User-Agent": user_agent}
        call = Call(
            PURPOSE,
            "POST",
            webhook.url,
            header,
            body,
            max_answer_bytes=MAX_ANSWER_BYTES,
            cut_answer=True,
            application=webhook.owner,
        )
        outcome = await outcome_of(client, call, is_final=GONE.__eq__)
        if not outcome.attempted:
            return outcome
        await store.note_attempt(webhook.id, _attempt(delivery, message, outcome, now), now + ATTEMPTS_KEPT_MS)
        try:
            await follow(store, webhook, delivery.kind, outcome, now)
        except Conflict:  # the next attempt has the same consequence
            return AttemptOutcome(delivered=False, text="webhook_changed")
        return outcome

    return {KIND: DeliveryKind(attempt, WEBHOOKS), VERIFICATION: DeliveryKind(attempt, VERIFICATIONS)}


async def follow(store: Store, webhook: Webhook, kind: str, outcome: AttemptOutcome, now: Milliseconds) -> None:
    """Store the consequence of an attempt for its webhook: verified, failing, working again, or disabled.

    Raises Conflict if other processes changed the webhook each time that this was tried.
    """
    if outcome.delivered:
        if kind == VERIFICATION and webhook.state == "unverified":
            if await store.change_webhook(webhook.id, lambda kept: _verified(kept, webhook.url)) is not None:
                event("webhook_verified", webhook=webhook.id, application=webhook.owner)
        elif webhook.failing_since:
            await store.change_webhook(webhook.id, lambda kept: msgspec.structs.replace(kept, failing_since=0))
    elif outcome.text == str(GONE):
        await disable(store, webhook, IS_GONE, now)
    elif webhook.state == "active" and not webhook.failing_since:
        await store.change_webhook(webhook.id, lambda kept: _failing(kept, webhook.url, now))
    elif webhook.state == "active" and now - webhook.failing_since > FAILING_MS:
        await disable(store, webhook, FAILING, now)


async def disable(store: Store, attempted: Webhook, reason: str, now: Milliseconds) -> None:
    """Disable a webhook, with a message to the other webhooks of its application. Its deliveries are given up.

    Both are one write, so no delivery disables a webhook without the message. `attempted` is the webhook as it was before
    the attempt: nothing is done if its address has changed since, if it is disabled already, or if it works again.
    Raises Conflict like `change_webhook`.
    """
    message = Message(DISABLED, webhook=attempted.id, reason=reason)

    def off(kept: Webhook) -> Webhook:
        if kept.url != attempted.url or kept.state == "disabled" or (reason == FAILING and not kept.failing_since):
            return kept
        return msgspec.structs.replace(kept, state="disabled", disabled_reason=reason)

    others = [
        each.id
        for each in await store.webhooks_of(attempted.owner, "", 1_000)
        if each.state == "active" and each.id != attempted.id
    ]

    def notices(disabled: Webhook) -> list[Delivery]:
        return [delivery_of(each, message, f"{disabled.id}.{disabled.version}", now) for each in others]

    webhook = await store.change_webhook(attempted.id, off, notices)
    if webhook is not None:
        warning("webhook_disabled", webhook=webhook.id, application=webhook.owner, fault=reason)


def delivery_of(webhook: str, message: Message, subject: str, now: Milliseconds, kind: str = KIND) -> Delivery:
    """Return the delivery of a message that is not about an event; `subject` distinguishes messages of one type."""
    identity = delivery_id(webhook, f"{message.type}.{subject}")
    return Delivery(identity, kind, webhook, encode_message(message), now, now, now + KEPT_MS)


def _verified(kept: Webhook, url: str) -> Webhook:
    if kept.url != url or kept.state != "unverified":  # a changed address has not answered yet
        return kept
    return msgspec.structs.replace(kept, state="active", disabled_reason="", failing_since=0)


def _failing(kept: Webhook, url: str, now: Milliseconds) -> Webhook:
    if kept.url != url or kept.failing_since:  # a changed address has not failed
        return kept
    return msgspec.structs.replace(kept, failing_since=now)


def _attempt(delivery: Delivery, message: Message, outcome: AttemptOutcome, now: Milliseconds) -> WebhookAttempt:
    answer = "" if outcome.delivered else outcome.answer.decode(errors="replace")
    return WebhookAttempt(
        f"{now:014}.{delivery.id.hex()}.{delivery.attempts:02}",
        message_id(delivery.id),
        message.type,
        now,
        outcome.text,
        outcome.milliseconds,
        message.sequence,
        "".join(each if each.isprintable() else " " for each in answer),
    )


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
