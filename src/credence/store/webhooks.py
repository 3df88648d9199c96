"""Webhooks and the attempts at their deliveries in a store.

A webhook gets its deliveries as rows of the outbox, written in the transaction that numbers the events (D31). Its id is the
receiver of these rows.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.store.collections import Collection, Collections
from credence.store.deliveries import Delivery, added, dropped
from credence.store.events import KEPT_MS as EVENT_KEPT_MS
from credence.store.events import NewEvent
from credence.store.statements import Act, Row, do

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


def _deleting(webhook: Webhook, _at: Milliseconds) -> Act[None]:
    yield dropped(webhook.id)
    yield do("DELETE FROM webhook_attempts WHERE webhook = :webhook", webhook=webhook.id)


WEBHOOKS = Collection(table="webhooks", type=Webhook, columns=("owner",), owned="owner = :owner", deleting=_deleting)
_SUBSCRIBERS = (
    "SELECT portfolio, document FROM portfolio_readers JOIN webhooks ON webhooks.owner = portfolio_readers.client_id "
    "WHERE portfolio = ANY(:portfolios::text[])"
)
_NOTE = (
    "INSERT INTO webhook_attempts (webhook, key, until, document) VALUES (:webhook, :key, :until, :document) "
    "ON CONFLICT (webhook, key) DO UPDATE SET until = excluded.until, document = excluded.document RETURNING 1"
)
_ATTEMPTS = (
    "SELECT document FROM webhook_attempts WHERE webhook = :webhook AND (:before = '' OR key < :before) "
    "ORDER BY key DESC LIMIT :limit"
)


def tell_webhooks(events: Sequence[tuple[int, NewEvent]]) -> Act[None]:
    """Store the deliveries of new events in the transaction that numbers them."""
    portfolios = sorted({each.portfolio for _, each in events})
    rows: Sequence[Row] = (yield do(_SUBSCRIBERS, portfolios=portfolios)) if events else []
    yield added(deliveries_of(events, [(portfolio, decode_webhook(found)) for portfolio, found in rows]))


class Webhooks(Collections):
    """The part of a store that is about webhooks."""

    async def webhook(self, identity: str) -> Webhook | None:
        """Return the webhook with this id."""
        return await self.get(WEBHOOKS, identity)

    async def webhooks_of(self, owner: str, after: str, limit: int) -> list[Webhook]:
        """Return the webhooks of an application with ids above `after`, ordered by id."""
        return await self.owned(WEBHOOKS, owner, after, limit)

    async def webhooks(self) -> list[Webhook]:
        """Return all webhooks, ordered by id."""
        return await self.page(WEBHOOKS)

    async def change_webhook(
        self,
        identity: str,
        change: Callable[[Webhook], Webhook],
        deliveries: Callable[[Webhook], Sequence[Delivery]] = lambda _: (),
    ) -> Webhook | None:
        """Store what `change` makes of a webhook (see `change`), and the `deliveries` that follow, and return it."""
        return await self.change(WEBHOOKS, identity, change, also=lambda new: [added(deliveries(new))])

    async def delete_webhook(self, webhook: Webhook) -> None:
        """Delete the webhook, its deliveries and its attempts if the stored version is this one; raises Conflict."""
        await self.delete(WEBHOOKS, webhook)

    async def note_attempt(self, webhook: str, attempt: WebhookAttempt, until: Milliseconds) -> None:
        """Store an attempt until it expires."""
        await self._write(_NOTE, webhook=webhook, key=attempt.key, until=until, document=msgspec.json.encode(attempt))

    async def attempts_of(self, webhook: str, before: str, limit: int) -> list[WebhookAttempt]:
        """Return the newest attempts with keys below `before` (empty: the newest of all), the newest first."""
        rows = await self._rows(_ATTEMPTS, webhook=webhook, before=before, limit=limit)
        return [_decode_attempt(document) for (document,) in rows]


decode_webhook = msgspec.json.Decoder(Webhook).decode
_decode_attempt = msgspec.json.Decoder(WebhookAttempt).decode
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
