"""What a store holds for webhooks, and what every implementation of it must do (`contract.py` has the rest).

A webhook gets its deliveries as rows of the outbox, written in the transaction that numbers the events (D31). Its id is the
receiver of these rows.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.store.deliveries import Delivery
from credence.store.monitoring import KEPT_MS as EVENT_KEPT_MS
from credence.store.monitoring import NewEvent

KIND = "webhook"
"""The `kind` of deliveries about events; `VERIFICATION` is that of the request for an endpoint's consent."""

VERIFICATION = "webhook_verification"

EVENT_TYPES = "monitoring."
"""The prefix of the types of messages about events; the code of the rule follows."""

DAY_MS = 86_400_000

KEPT_MS = 34 * DAY_MS
"""How long a delivery is kept: the four days of its attempts and thirty after they end."""

State = Literal["unverified", "active", "disabled"]


class WebhookKey(msgspec.Struct, frozen=True):
    """A key that signs the deliveries of one webhook."""

    sealed: bytes
    """The HMAC secret, or the seed of the Ed25519 key (RFC 8032 §5.1.5)."""
    public: str
    """The public half in the form that the owner uses; empty for HMAC."""
    created_at: Milliseconds
    until: Milliseconds = 0
    """When the key stops signing; 0 for the newest key."""


class Webhook(msgspec.Struct, frozen=True):
    """An address to which an application gets its events."""

    id: str
    owner: str
    """The client_id of the application that made it."""
    url: str
    created_at: Milliseconds
    signature: Literal["ed25519", "hmac-sha256"]
    keys: tuple[WebhookKey, ...]
    """The newest first; two while the owner changes from one to the other."""
    version: int = 1
    description: str = ""
    portfolios: tuple[str, ...] = ()
    """The ids of the portfolios whose events are sent; empty for every portfolio that the application may read."""
    rules: tuple[str, ...] = ()
    """The codes of the rules whose events are sent; empty for all."""
    state: State = "unverified"
    disabled_reason: str = ""
    failing_since: Milliseconds = 0
    """When the first attempt failed after the last success; 0 after a success."""


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of a delivery, from which each attempt makes the same body."""

    type: str
    sequence: int = 0
    """The number of the event."""
    portfolio: str = ""
    company: str = ""
    webhook: str = ""
    """The id of the webhook in question, in a message about a webhook."""
    reason: str = ""
    day: str = ""
    """The day of a digest (ISO 8601)."""


class WebhookAttempt(msgspec.Struct, frozen=True):
    """One attempt at a delivery, as its owner sees it."""

    key: str
    """The sort key: attempts sorted by it are in the order of time."""
    message_id: str
    type: str
    at: Milliseconds
    outcome: str
    """An HTTP status or a reason code."""
    milliseconds: int
    sequence: int = 0
    answer: str = ""
    """The beginning of the response, if the attempt failed."""


class WebhookStore(Protocol):
    """The part of the store that is about webhooks."""

    async def webhook(self, identity: str) -> Webhook | None:
        """Return the webhook with this id."""

    async def webhooks_of(self, owner: str, after: str, limit: int) -> list[Webhook]:
        """Return the webhooks of an application with ids above `after`, ordered by id."""

    async def webhooks(self) -> list[Webhook]:
        """Return all webhooks, ordered by id."""

    async def save_webhook(
        self, webhook: Webhook, deliveries: Sequence[Delivery] = (), most: int | None = None
    ) -> None:
        """Optimistic write: store if the stored version is `webhook.version - 1` (or absent and the version is 1).

        The deliveries are stored in the same transaction. Raises Conflict; Full if its owner would have more than `most`
        webhooks then.
        """

    async def delete_webhook(self, webhook: Webhook) -> None:
        """Delete the webhook, its deliveries and its attempts if the stored version is this one; raises Conflict."""

    async def note_attempt(self, webhook: str, attempt: WebhookAttempt, until: Milliseconds) -> None:
        """Store an attempt until it expires."""

    async def attempts_of(self, webhook: str, before: str, limit: int) -> list[WebhookAttempt]:
        """Return the newest attempts with keys below `before` (empty: the newest of all), the newest first."""


encode_message = msgspec.json.Encoder().encode
decode_message = msgspec.json.Decoder(Message).decode


def delivery_id(webhook: str, subject: str | int) -> bytes:
    """Return the id of the delivery to a webhook about a subject, such as an event number: equal for equal arguments."""
    return sha256(f"{webhook}\n{subject}".encode())[:16]


def event_delivery(webhook: str, number: int, event: tuple[str, str, str], at: Milliseconds) -> Delivery:
    """Return the delivery of an event, due at once; `event` is its portfolio, rule and company."""
    portfolio, rule, company = event
    message = Message(EVENT_TYPES + rule, number, portfolio, company)
    return Delivery(delivery_id(webhook, number), KIND, webhook, encode_message(message), at, at, at + KEPT_MS)


def wants(webhook: Webhook, portfolio: str, rule: str, company: str) -> bool:
    """Return whether a webhook gets the events of this rule in this portfolio.

    An event without a company is a daily digest; a webhook gets one digest message for all portfolios instead
    (`digests.py`).
    """
    return company != "" and portfolio in (webhook.portfolios or (portfolio,)) and rule in (webhook.rules or (rule,))


def deliveries_of(events: Iterable[tuple[int, NewEvent]], subscribers: Sequence[tuple[str, Webhook]]) -> list[Delivery]:
    """Return the deliveries of new events to the active webhooks that want them.

    `subscribers` has every pair of a portfolio and a webhook whose application may read it.
    """
    of_portfolio: dict[str, list[Webhook]] = {}
    for portfolio, webhook in subscribers:
        if webhook.state == "active":
            of_portfolio.setdefault(portfolio, []).append(webhook)
    return [
        event_delivery(webhook.id, number, (each.portfolio, each.rule, each.company), each.until - EVENT_KEPT_MS)
        for number, each in events
        for webhook in of_portfolio.get(each.portfolio, ())
        if wants(webhook, each.portfolio, each.rule, each.company)
    ]
