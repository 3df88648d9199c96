"""Webhooks by Standard Webhooks 1.0.0: signed, verified, attempted again (threats F12).

The package `standardwebhooks` verifies each delivery that is signed with HMAC, the lines of
docs/webhooks.md both kinds.
"""

import base64
import re
from typing import Any

import pytest
from standardwebhooks.webhooks import WebhookVerificationError

from credence import paths
from credence.clock import system_clock
from credence.monitoring.webhooks.message import EXCHANGE_MS
from credence.monitoring.webhooks.schema import ReplayBody, ReplayResult
from credence.operations.webhooks import exchange_keys, replay, send_test
from tests.architecture.imports import ROOT
from tests.monitoring.webhook_site import Site, answering, fields, open_site, verified
from tests.outgoing.receivers import Request, receiver

__all__ = ["open_site"]


async def test_each_delivery_is_verified_by_the_package_and_has_a_thin_payload(site: Site) -> None:
    async with receiver(site.folder) as at:
        webhook = await site.active(at)
        await site.make_events(3)
        await site.deliver()
    bodies = [verified(each, site.secrets[webhook.id]) for each in at.requests]
    assert bodies[0]["type"] == "endpoint.verification"
    assert sorted(each["data"].pop("sequence") for each in bodies[1:]) == [1, 2, 3]
    issuer = site.deployment.service.settings.issuer
    for each in bodies[1:]:
        assert each["type"] == "monitoring.band"
        assert each["data"].pop("event").startswith(f"{issuer}{paths.EVENTS}/")
        assert each["data"] == {"portfolio": "pf_1", "company_number": "00000001"}
    head = fields(at.requests[1])
    assert head["content-type"] == "application/json"
    assert abs(int(head["webhook-timestamp"]) - system_clock() // 1000) < 300
    assert len({fields(each)["webhook-id"] for each in at.requests}) == 4
    assert max(len(each.body) for each in at.requests) < 1_000
    forged = Request(at.requests[1].head, at.requests[1].body.replace(b"00000001", b"00000002"))
    with pytest.raises(WebhookVerificationError):
        verified(forged, site.secrets[webhook.id])


def lines_of_the_page(kind: str) -> str:
    """The lines of docs/webhooks.md that verify a delivery."""
    found = re.search(rf"```python {kind}\n(.*?)```", (ROOT / "docs/webhooks.md").read_text(), re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize(("signature", "kind"), [("ed25519", "ed25519"), ("hmac-sha256", "hmac")])
async def test_the_lines_of_the_page_accept_a_delivery_and_refuse_another_body(
    site: Site, signature: str, kind: str
) -> None:
    async with receiver(site.folder) as at:
        webhook = await site.active(at, signature)
    keys = {"secret": site.secrets[webhook.id], "public_key": webhook.keys[0].public}
    names: dict[str, Any] = {"headers": fields(at.requests[0]), "body": at.requests[0].body, **keys}
    lines = compile(lines_of_the_page(kind), "docs/webhooks.md", "exec")
    exec(lines, names)  # noqa: S102 - the page is ours, here and below
    assert names["message"]["type"] == "endpoint.verification"
    version = "v1a," if kind == "ed25519" else "v1,"
    assert fields(at.requests[0])["webhook-signature"].startswith(version)
    with pytest.raises((ValueError, WebhookVerificationError)):
        exec(lines, names | {"body": names["body"] + b" "})  # noqa: S102 - lines of our own page


async def test_for_a_day_two_keys_sign_and_then_the_new_one_alone(site: Site) -> None:
    async with receiver(site.folder) as at:
        webhook = await site.active(at)
        exchanged = await site.do(exchange_keys, webhook)
        kept, new = exchanged.after, exchanged.once["secret"]
        await site.do(send_test, kept)
        await site.deliver()
        for secret in (site.secrets[webhook.id], new):
            assert verified(at.requests[-1], secret)["type"] == "endpoint.test"
        signed = site.keys.signatures(kept, b"x", site.deployment.now + EXCHANGE_MS)
    assert len(fields(at.requests[-1])["webhook-signature"].split(" ")) == 2
    assert signed == site.keys.signatures(kept, b"x", site.deployment.now).split(" ")[0]


async def test_secrets_are_sealed_in_the_store(site: Site) -> None:
    made = await site.webhook("https://receiver.example/")
    secret = base64.b64decode(site.secrets[made.id].removeprefix("whsec_"))
    assert len(secret) == 32
    assert secret not in repr(await site.store.webhook(made.id)).encode()
    assert secret not in (await site.store.webhook(made.id)).keys[0].sealed


async def test_nothing_is_delivered_before_the_endpoint_has_answered_the_verification(site: Site) -> None:
    async with receiver(site.folder, answering(500)) as at:
        webhook = await site.webhook(at)
        await site.make_events()
        await site.deliver()
        assert (await site.store.webhook(webhook.id)).state == "unverified"
        assert await site.attempts(webhook) == [("endpoint.verification", "500")]
        site.deployment.now += 6_000
        await site.deliver()
        assert (await site.store.webhook(webhook.id)).state == "active"
        await site.do(replay, webhook, ReplayBody(after=0, until=9))
        await site.deliver()
    told = [verified(each, site.secrets[webhook.id])["type"] for each in at.requests]
    assert told == ["endpoint.verification", "endpoint.verification", "monitoring.band"]


async def test_an_event_about_a_day_is_delivered_neither_at_first_nor_again(site: Site) -> None:
    """A webhook has one message about the day, for all portfolios; the event is for those who read the feed."""
    async with receiver(site.folder, answering(204)) as at:
        webhook = await site.active(at)
        await site.make_events(rule="digest", company="")
        await site.make_events()
        replayed = await site.do(replay, webhook, ReplayBody(after=0, until=9))
        await site.deliver()
    told = [verified(each, site.secrets[webhook.id])["type"] for each in at.requests]
    assert (replayed.state, told) == (ReplayResult(1, 0), ["endpoint.verification", "monitoring.band"])


async def test_a_failed_delivery_is_attempted_again_by_the_schedule_with_the_same_id_and_body(site: Site) -> None:
    async with receiver(site.folder, answering(204, 500, body="out of order")) as at:
        webhook = await site.active(at)
        await site.make_events()
        await site.deliver()
        kept = await site.store.webhook(webhook.id)
        assert kept.failing_since == site.deployment.now
        site.deployment.now += 6_000
        await site.deliver()
        assert (await site.store.webhook(webhook.id)).failing_since == 0
    first, second = at.requests[1:]
    assert fields(first)["webhook-id"] == fields(second)["webhook-id"]
    assert first.body == second.body
    assert int(fields(second)["webhook-timestamp"]) - int(fields(first)["webhook-timestamp"]) == 6
    (failed,) = [each for each in await site.store.attempts_of(webhook.id, "", 9) if each.outcome != "204"]
    assert (failed.outcome, failed.answer, failed.sequence) == ("500", "out of order", 1)
