"""Receivers of webhooks that are gone, fail, stall, redirect or answer too much (threats E3, F12)."""

import asyncio

import pytest

from credence.clock import system_clock
from credence.monitoring.webhooks.delivering import FAILING_MS, webhook_deliveries
from credence.monitoring.webhooks.schema import ReplayBody, ReplayResult
from credence.operations.webhooks import replay, verify_webhook
from credence.outbox import engine as outbox
from credence.outgoing.client import Deadlines
from credence.store.deliveries import Backlog, Delivery
from tests.monitoring.webhook_site import LIMIT_SECONDS, Site, answering, open_site, verified
from tests.outgoing.receivers import (
    Request,
    calling,
    demanding_certificate,
    listening,
    receiver,
    server_tls,
)
from tests.ports import free_port
from tests.waiting import until

__all__ = ["open_site"]


async def test_410_disables_the_webhook_and_the_other_webhooks_of_the_owner_are_told(site: Site) -> None:
    async with receiver(site.folder, answering(204, then=410)) as gone, receiver(site.folder) as other:
        webhook, witness = await site.active(gone), await site.active(other, rules=("score",))
        await site.make_events(2)
        await site.deliver()
        kept = await site.store.webhook(webhook.id)
        assert (kept.state, kept.disabled_reason) == ("disabled", "gone")
        await site.make_events(2)
        await site.deliver()
    assert len(gone.requests) in {2, 3}  # two attempts may have begun before the first answer
    told = [verified(each, site.secrets[witness.id]) for each in other.requests][1:]
    assert [(each["type"], each["data"]) for each in told] == [
        ("endpoint.disabled", {"webhook": webhook.id, "reason": "gone"})
    ]
    assert [each.given_up_at > 0 for each in await site.store.deliveries_of(webhook.id)] == [True, True]


async def test_a_webhook_that_fails_for_five_days_is_disabled_and_dead_letters_are_replayed(site: Site) -> None:
    async with receiver(site.folder, answering(204, 500, 500)) as at:
        webhook = await site.active(at)
        await site.make_events()
        await site.deliver()
        site.deployment.now += FAILING_MS + 1
        await site.deliver()
        kept = await site.store.webhook(webhook.id)
        assert (kept.state, kept.disabled_reason) == ("disabled", "failing")
        await site.do(verify_webhook, kept)
        site.deployment.now += 3_000_000  # the one that failed becomes due and is given up: the webhook is not active
        await site.deliver()
        kept = await site.store.webhook(webhook.id)
        assert (kept.state, kept.disabled_reason, kept.failing_since) == ("active", "", 0)
        await site.store.claim_deliveries(0, 1, 1, 1)
        before = len(at.requests)
        assert (await site.do(replay, kept, ReplayBody(event=1))).state == ReplayResult(1, 0)
        site.deployment.now += 86_400_000
        await site.deliver()
        assert len(at.requests) == before + 1
        assert (await site.store.backlog()) == Backlog(0, 0, None)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (b"HTTP/1.1 302 Found\r\nlocation: https://receiver.example/\r\ncontent-length: 0\r\n\r\n", "302"),
        (b"HTTP/1.1 500 No\r\ncontent-length: 3\r\n\r\nno\x00", "500"),
        (b"not http at all\r\n\r\n", "broken_answer"),
        (b"HTTP/1.1 503 No\r\ncontent-length: 1000000000\r\n\r\n" + b"x" * 3_000, "503"),
    ],
    ids=["redirect", "500", "no HTTP", "a gigabyte"],
)
async def test_what_is_no_2xx_is_a_failure_and_nothing_else_is_called(site: Site, answer: bytes, outcome: str) -> None:
    async with receiver(site.folder, answer) as at:
        webhook = await site.webhook(at)
        await site.deliver()
        assert await site.attempts(webhook) == [("endpoint.verification", outcome)]
        kept = (await site.store.attempts_of(webhook.id, "", 1))[0]
    assert len(at.requests) == 1
    assert len(kept.answer) <= 1_024
    assert "\x00" not in kept.answer


async def test_a_receiver_with_a_certificate_of_nobody_gets_no_request(site: Site) -> None:
    async with receiver(site.folder, tls=server_tls(site.folder / "elsewhere")) as at:
        webhook = await site.webhook(at)
        await site.deliver()
        assert await site.attempts(webhook) == [("endpoint.verification", "tls")]
    assert at.requests == []


async def test_a_receiver_that_wants_a_client_certificate_is_a_failure_like_any_other(site: Site) -> None:
    async with demanding_certificate(site.folder) as port:
        webhook = await site.webhook(f"https://receiver.example:{port}/")
        await site.deliver()
        assert await site.attempts(webhook) == [("endpoint.verification", "tls")]


async def test_a_receiver_that_stalls_delays_no_other(site: Site) -> None:
    stalled = asyncio.Event()

    async def stall(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await stalled.wait()

    port = free_port()
    async with receiver(site.folder) as quick, listening(stall, port, tls=server_tls(site.folder)):
        slow = await site.webhook(f"https://receiver.example:{port}/")
        await site.webhook(quick)
        async with site.delivering():
            await site.until(lambda backlog: backlog.waiting == 1)
            await site.make_events(30)
            await site.until(lambda backlog: backlog.waiting == 1)
            stalled.set()
        assert len(quick.requests) == 31
        assert (await site.store.webhook(slow.id)).state == "unverified"


async def test_webhooks_that_wait_for_their_turn_at_one_slow_host_have_not_failed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two deliveries hold the turns of the host until the others had none for six times."""
    monkeypatch.setattr(outbox, "TURN_MS", 0)
    go, refused = asyncio.Event(), 0

    async def answer(_request: Request, writer: asyncio.StreamWriter) -> None:
        await go.wait()
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with receiver(site.folder, answer) as at:
        hooks = [await site.webhook(at) for _ in range(5)]
        async with site.delivering(Deadlines(connect=60, first_byte=60, whole=60, turn=0.05)) as engine:
            returned = engine._return

            async def counted(delivery: Delivery, least_ms: int) -> None:
                nonlocal refused
                refused += 1
                await returned(delivery, least_ms)

            monkeypatch.setattr(engine, "_return", counted)
            await until(lambda: refused >= 6, LIMIT_SECONDS)
            go.set()
            await site.until(lambda backlog: not backlog.waiting)
        for each in hooks:
            assert await site.attempts(each) == [("endpoint.verification", "204")]
            assert (await site.store.webhook(each.id)).failing_since == 0


async def test_a_private_address_is_never_called(site: Site) -> None:
    async with receiver(site.folder) as at:
        webhook = await site.webhook(at)
        client = calling(site.folder, ["127.0.0.1"], networks=()).client
        kinds = webhook_deliveries(site.deployment.service.authority, client, system_clock, "x")
        (delivery,) = await site.store.claim_deliveries(site.deployment.now, site.deployment.now + 1, 1, 1)
        outcome = await kinds[delivery.kind].attempt(delivery)
    assert (outcome.delivered, outcome.text, at.connections) == (False, "address_not_public", 0)
    assert await site.attempts(webhook) == [("endpoint.verification", "address_not_public")]
