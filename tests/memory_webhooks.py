"""The part of the memory store that is about webhooks."""

from collections.abc import Sequence

from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Full, Store
from credence.store.deliveries import Delivery
from credence.store.webhooks import Webhook, WebhookAttempt


class MemoryWebhooks(Store):
    """Keeps the promises of the contract about webhooks."""

    _webhooks: dict[str, Webhook]
    _attempts: dict[tuple[str, str], WebhookAttempt]

    @override
    async def webhook(self, identity: str) -> Webhook | None:
        return self._webhooks.get(identity)

    @override
    async def webhooks_of(self, owner: str, after: str, limit: int) -> list[Webhook]:
        found = [each for _, each in sorted(self._webhooks.items()) if each.owner == owner and each.id > after]
        return found[:limit]

    @override
    async def webhooks(self) -> list[Webhook]:
        return [each for _, each in sorted(self._webhooks.items())]

    @override
    async def save_webhook(
        self, webhook: Webhook, deliveries: Sequence[Delivery] = (), most: int | None = None
    ) -> None:
        kept = self._webhooks.get(webhook.id)
        if (kept.version if kept else 0) != webhook.version - 1:
            raise Conflict(webhook.id)
        owned = {each.id for each in self._webhooks.values() if each.owner == webhook.owner}
        if most is not None and len(owned | {webhook.id}) > most:
            raise Full(webhook.owner)
        self._webhooks[webhook.id] = webhook
        await self.add_deliveries(deliveries)

    @override
    async def delete_webhook(self, webhook: Webhook) -> None:
        kept = self._webhooks.get(webhook.id)
        if kept is None or kept.version != webhook.version:
            raise Conflict(webhook.id)
        del self._webhooks[webhook.id]
        await self.delete_deliveries(webhook.id)
        self._attempts = {key: each for key, each in self._attempts.items() if key[0] != webhook.id}

    @override
    async def note_attempt(self, webhook: str, attempt: WebhookAttempt, until: Milliseconds) -> None:
        self._attempts[webhook, attempt.key] = attempt

    @override
    async def attempts_of(self, webhook: str, before: str, limit: int) -> list[WebhookAttempt]:
        found = [each for (of, key), each in sorted(self._attempts.items(), reverse=True) if of == webhook]
        return [each for each in found if not before or each.key < before][:limit]
