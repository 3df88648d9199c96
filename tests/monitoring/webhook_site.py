"""A deployment with webhooks, whose deliveries a test makes due and looks at."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook as Verifier

from credence.api.resources.acting import means_of
from credence.clock import system_clock
from credence.crypto.randomness import new_webhook_id
from credence.monitoring.webhooks.delivering import verification, webhook_deliveries
from credence.monitoring.webhooks.message import WebhookKeys
from credence.operations.acting import Acting
from credence.operations.operation import Operation
from credence.operations.perform import Outcome, perform
from credence.outbox import engine as outbox
from credence.outbox.engine import DeliveryEngine
from credence.outgoing.client import Deadlines
from credence.store.deliveries import Backlog, added
from credence.store.events import KEPT_MS, NewEvent
from credence.store.portfolios import Portfolio
from credence.store.webhooks import WEBHOOKS, Webhook
from tests.deployment import Deployment
from tests.outgoing.receivers import Answering, Receiver, Request, calling
from tests.waiting import LOOK_EVERY_SECONDS

OWNER = "crd_sbx_app_owner"
LIMIT_SECONDS = 120
PATIENT = Deadlines(connect=60, first_byte=60, whole=60)


def answering(*statuses: int, then: int = 204, header: str = "", body: str = "") -> Answering:
    """Answer one request after the other with these statuses, and all later ones with `then`."""
    left = list(statuses)

    async def answer(_request: Request, writer: asyncio.StreamWriter) -> None:
        status = left.pop(0) if left else then
        lines = f"HTTP/1.1 {status} Status\r\n{header}content-length: {len(body)}\r\n\r\n{body}"
        writer.write(lines.encode())
        await writer.drain()

    return answer


@dataclass
class Site:
    """A deployment whose deliveries a test makes due and looks at."""

    deployment: Deployment
    folder: Path
    secrets: dict[str, str] = field(default_factory=dict)
    events: int = 0

    @property
    def store(self) -> Any:
        """The store."""
        return self.deployment.store

    @property
    def keys(self) -> WebhookKeys:
        """The keys of webhooks."""
        return WebhookKeys(self.deployment.service.authority.secrets.digest)

    async def webhook(self, at: Receiver | str, signature: Any = "hmac-sha256", **wish: Any) -> Webhook:
        """Make a webhook; its verification waits in the outbox."""
        url = at if isinstance(at, str) else at.url("/hook")
        identity, now = new_webhook_id(), self.deployment.now
        key, self.secrets[identity] = self.keys.make(identity, signature, now)
        made = Webhook(identity, OWNER, url, now, signature, (key,), **wish)
        await self.store.save(WEBHOOKS, made, also=[added([verification(made, now)])])
        return made

    async def do(self, operation: Operation, webhook: Webhook, body: Any = None) -> Outcome:
        """Do an operation on a webhook, as an operator does."""

        async def record(_line: Mapping[str, object]) -> None:
            """Write nothing."""

        by = Acting(means_of(self.deployment.service), lambda: self.deployment.now, "ada", record)
        return await perform(operation, by, webhook.id, body)

    async def active(self, at: Receiver | str, signature: Any = "hmac-sha256", **wish: Any) -> Webhook:
        """Make a webhook that a receiver has verified."""
        made = await self.webhook(at, signature, **wish)
        async with self.delivering():
            await self.until(lambda backlog: not backlog.waiting)
        kept: Webhook = await self.store.webhook(made.id)
        assert kept.state == "active"
        return kept

    async def make_events(self, count: int = 1, rule: str = "band", company: str = "00000001") -> None:
        """Number events of the portfolio, as a comparison does."""
        if await self.store.shared_value("comparison") is None:
            await self.store.save_shared_value("comparison", 1, b"{}")
            await self.store.save_portfolio(Portfolio("pf_1", OWNER, "North", self.deployment.now))
        until = self.deployment.now + KEPT_MS
        numbers = range(self.events, self.events + count)
        self.events += count
        document = b'{"kind":"fell","at":0,"day":"","before":null,"after":null}'
        new = [NewEvent(str(n).encode(), "pf_1", rule, company, until, document) for n in numbers]
        assert await self.store.record(1, [], new) == count

    def engine(self, deadlines: Deadlines = PATIENT) -> DeliveryEngine:
        """Return an engine that has not begun."""
        client = calling(self.folder, deadlines=deadlines).client
        deployment = self.deployment
        kinds = webhook_deliveries(deployment.service.authority, client, lambda: deployment.now, "Credence/test")
        return DeliveryEngine(self.store, lambda: deployment.now, kinds)

    @asynccontextmanager
    async def delivering(self, deadlines: Deadlines = PATIENT) -> AsyncIterator[DeliveryEngine]:
        """Attempt deliveries during the block, by a client for which every name is on loopback."""
        engine = self.engine(deadlines)
        task = asyncio.create_task(engine.run())
        try:
            yield engine
        finally:
            task.cancel()
            await engine.close()

    async def until(self, holds: Callable[[Backlog], object]) -> None:
        """Wait until the outbox is so."""
        async with asyncio.timeout(LIMIT_SECONDS):
            while True:
                if holds(await self.store.backlog()):
                    return
                await asyncio.sleep(LOOK_EVERY_SECONDS)

    async def deliver(self) -> None:
        """Attempt deliveries until each was attempted once or is given up; the clock stands meanwhile."""
        await self.attempts_at_once()()

    def attempts_at_once(self) -> Callable[[], Awaitable[None]]:
        """Return a function that does so by an engine that is made now."""
        engine = self.engine()

        async def deliver() -> None:
            async with asyncio.timeout(LIMIT_SECONDS):
                while await engine._claim():
                    await asyncio.gather(*engine._tasks)

        return deliver

    async def attempts(self, webhook: Webhook) -> list[tuple[str, str]]:
        """Type and outcome of the attempts, the oldest first."""
        return [(each.type, each.outcome) for each in reversed(await self.store.attempts_of(webhook.id, "", 1_000))]


@pytest.fixture(name="site")
def open_site(deployment: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(outbox, "POLL_SECONDS", 0.02)
    deployment.now = system_clock()  # the package that verifies reads the clock of the machine
    return Site(deployment, tmp_path)


def fields(request: Request) -> dict[str, str]:
    lines = request.head.split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}


def verified(request: Request, secret: str) -> Any:
    """Return the body of a request that the package accepts."""
    return Verifier(secret).verify(request.body, fields(request))
