"""Webhooks and the attempts at their deliveries in a SQLite store."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Full, Store
from credence.store.deliveries import Delivery
from credence.store.monitoring import NewEvent
from credence.store.sqlite.deliveries import add_deliveries
from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.reading import decoded
from credence.store.webhooks import Webhook, WebhookAttempt, deliveries_of

_WEBHOOK = msgspec.json.Decoder(Webhook)
_ATTEMPT = msgspec.json.Decoder(WebhookAttempt)
_encode = msgspec.json.Encoder().encode

_SUBSCRIBERS = (
    "SELECT portfolio, document FROM json_each(?) JOIN portfolio_readers ON portfolio = json_each.value "
    "JOIN webhooks ON webhooks.owner = portfolio_readers.client_id"
)
_INSERT = "INSERT INTO webhooks (owner, version, document, id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1"
_COUNT = "SELECT count(*) FROM webhooks WHERE owner = ?"
_UPDATE = "UPDATE webhooks SET owner = ?, version = ?, document = ? WHERE id = ? AND version = ? RETURNING 1"
_ATTEMPTS = (
    "SELECT document FROM webhook_attempts WHERE webhook = ?1 AND (?2 = '' OR key < ?2) "
    "ORDER BY webhook, key DESC LIMIT ?3"
)


def tell_webhooks(connection: sqlite3.Connection, events: Sequence[tuple[int, NewEvent]]) -> None:
    """Store the deliveries of new events in the transaction that numbers them."""
    portfolios = sorted({each.portfolio for _, each in events})
    rows = connection.execute(_SUBSCRIBERS, (_encode(portfolios).decode(),)).fetchall() if events else []
    add_deliveries(connection, deliveries_of(events, [(each, decoded(_WEBHOOK, found)) for each, found in rows]))


def _save(connection: sqlite3.Connection, webhook: Webhook, deliveries: Sequence[Delivery], most: int | None) -> None:
    values = (webhook.owner, webhook.version, _encode(webhook), webhook.id)
    first = webhook.version == 1
    saved = connection.execute(*((_INSERT, values) if first else (_UPDATE, (*values, webhook.version - 1))))
    if saved.fetchone() is None:
        raise Conflict(webhook.id)
    if most is not None and connection.execute(_COUNT, (webhook.owner,)).fetchone()[0] > most:
        raise Full(webhook.owner)
    add_deliveries(connection, deliveries)


def _delete(connection: sqlite3.Connection, webhook: Webhook) -> None:
    statement = "DELETE FROM webhooks WHERE id = ? AND version = ? RETURNING 1"
    if connection.execute(statement, (webhook.id, webhook.version)).fetchone() is None:
        raise Conflict(webhook.id)
    connection.execute("DELETE FROM deliveries WHERE receiver = ?", (webhook.id,))
    connection.execute("DELETE FROM webhook_attempts WHERE webhook = ?", (webhook.id,))


class SqliteWebhooks(Store):
    """The part of the SQLite store that is about webhooks."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def webhook(self, identity: str) -> Webhook | None:
        rows = self._read("SELECT document FROM webhooks WHERE id = ?", identity)
        return decoded(_WEBHOOK, rows[0][0]) if rows else None

    @override
    async def webhooks_of(self, owner: str, after: str, limit: int) -> list[Webhook]:
        query = "SELECT document FROM webhooks WHERE owner = ? AND id > ? ORDER BY id LIMIT ?"
        return [decoded(_WEBHOOK, each) for (each,) in self._read(query, owner, after, limit)]

    @override
    async def webhooks(self) -> list[Webhook]:
        return [decoded(_WEBHOOK, each) for (each,) in self._read("SELECT document FROM webhooks ORDER BY id")]

    @override
    async def save_webhook(
        self, webhook: Webhook, deliveries: Sequence[Delivery] = (), most: int | None = None
    ) -> None:
        await self._writer.run(lambda connection: _save(connection, webhook, deliveries, most))

    @override
    async def delete_webhook(self, webhook: Webhook) -> None:
        await self._writer.run(lambda connection: _delete(connection, webhook))

    @override
    async def note_attempt(self, webhook: str, attempt: WebhookAttempt, until: Milliseconds) -> None:
        statement = "INSERT OR REPLACE INTO webhook_attempts (webhook, key, until, document) VALUES (?, ?, ?, ?)"
        values = (webhook, attempt.key, until, _encode(attempt))
        await self._writer.run(lambda connection: connection.execute(statement, values).rowcount)

    @override
    async def attempts_of(self, webhook: str, before: str, limit: int) -> list[WebhookAttempt]:
        return [decoded(_ATTEMPT, each) for (each,) in self._read(_ATTEMPTS, webhook, before, limit)]
