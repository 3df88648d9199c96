"""Webhooks and the attempts at their deliveries in a PostgreSQL store."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Full, Store
from credence.store.deliveries import Delivery
from credence.store.monitoring import NewEvent
from credence.store.postgres.connections import Connection, Connections, is_storable
from credence.store.postgres.deliveries import add_deliveries
from credence.store.webhooks import Webhook, WebhookAttempt, deliveries_of

_decode = msgspec.json.Decoder(Webhook).decode
_decode_attempt = msgspec.json.Decoder(WebhookAttempt).decode
_encode = msgspec.json.Encoder().encode

_SUBSCRIBERS = (
    "SELECT portfolio, document FROM portfolio_readers JOIN webhooks ON webhooks.owner = portfolio_readers.client_id "
    "WHERE portfolio = ANY(%s::text[])"
)
_INSERT = (
    "INSERT INTO webhooks (id, owner, version, document) VALUES (%(id)s, %(owner)s, %(version)s, %(document)s) "
    "ON CONFLICT DO NOTHING RETURNING 1"
)
_UPDATE = (
    "UPDATE webhooks SET owner = %(owner)s, version = %(version)s, document = %(document)s "
    "WHERE id = %(id)s AND version = %(version)s - 1 RETURNING 1"
)
_COUNT = "SELECT count(*) FROM webhooks WHERE owner = %s"
_NOTE = (
    "INSERT INTO webhook_attempts (webhook, key, until, document) VALUES (%s, %s, %s, %s) "
    "ON CONFLICT (webhook, key) DO UPDATE SET until = excluded.until, document = excluded.document RETURNING 1"
)
_ATTEMPTS = (
    "SELECT document FROM webhook_attempts WHERE webhook = %(webhook)s AND (%(before)s = '' OR key < %(before)s) "
    "ORDER BY key DESC LIMIT %(limit)s"
)


ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
"""Waits until no other transaction adds a portfolio or a webhook of this owner, so that both count what is there."""


async def require_room(connection: Connection, count: str, owner: str, most: int) -> None:
    """Raise Full if the statement counts more than `most` of the owner; after `ONE_AT_A_TIME` in this transaction."""
    row = await (await connection.execute(count.encode(), (owner,))).fetchone()
    if row is not None and row[0] > most:
        raise Full(owner)


async def tell_webhooks(connection: Connection, events: Sequence[tuple[int, NewEvent]]) -> None:
    """Store the deliveries of new events in the transaction that numbers them."""
    portfolios = sorted({each.portfolio for _, each in events})
    rows = await (await connection.execute(_SUBSCRIBERS, (portfolios,))).fetchall() if events else []
    found = [(portfolio, _decode(bytes(document))) for portfolio, document in rows]
    await add_deliveries(connection, deliveries_of(events, found))


class PostgresWebhooks(Store):
    """The part of the PostgreSQL store that is about webhooks."""

    _connections: Connections

    @override
    async def webhook(self, identity: str) -> Webhook | None:
        query = "SELECT document FROM webhooks WHERE id = %s"
        row = await self._connections.one(query, (identity,)) if is_storable(identity) else None
        return _decode(bytes(row[0])) if row else None

    @override
    async def webhooks_of(self, owner: str, after: str, limit: int) -> list[Webhook]:
        query = "SELECT document FROM webhooks WHERE owner = %s AND id > %s ORDER BY id LIMIT %s"
        rows = await self._connections.rows(query, (owner, after, limit))
        return [_decode(bytes(document)) for (document,) in rows]

    @override
    async def webhooks(self) -> list[Webhook]:
        rows = await self._connections.rows("SELECT document FROM webhooks ORDER BY id")
        return [_decode(bytes(document)) for (document,) in rows]

    @override
    async def save_webhook(
        self, webhook: Webhook, deliveries: Sequence[Delivery] = (), most: int | None = None
    ) -> None:
        values = {
            "id": webhook.id,
            "owner": webhook.owner,
            "version": webhook.version,
            "document": _encode(webhook),
        }
        async with self._connections.transaction() as connection:
            if most is not None:
                await connection.execute(ONE_AT_A_TIME, (webhook.owner,))
            saved = await connection.execute(_INSERT if webhook.version == 1 else _UPDATE, values)
            if not await saved.fetchall():
                raise Conflict(webhook.id)
            if most is not None:
                await require_room(connection, _COUNT, webhook.owner, most)
            await add_deliveries(connection, deliveries)

    @override
    async def delete_webhook(self, webhook: Webhook) -> None:
        async with self._connections.transaction() as connection:
            query = "DELETE FROM webhooks WHERE id = %s AND version = %s RETURNING 1"
            if not await (await connection.execute(query, (webhook.id, webhook.version))).fetchall():
                raise Conflict(webhook.id)
            await connection.execute("DELETE FROM deliveries WHERE receiver = %s", (webhook.id,))
            await connection.execute("DELETE FROM webhook_attempts WHERE webhook = %s", (webhook.id,))

    @override
    async def note_attempt(self, webhook: str, attempt: WebhookAttempt, until: Milliseconds) -> None:
        await self._connections.rows(_NOTE, (webhook, attempt.key, until, _encode(attempt)))

    @override
    async def attempts_of(self, webhook: str, before: str, limit: int) -> list[WebhookAttempt]:
        values = {"webhook": webhook, "before": before, "limit": limit}
        rows = await self._connections.rows(_ATTEMPTS, values) if is_storable(before) else []
        return [_decode_attempt(bytes(document)) for (document,) in rows]
