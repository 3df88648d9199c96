"""Tokens are pushed to receivers, and what waits goes the way that a stream has now (RFC 8935)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from credence import paths
from credence.oauth.signals import streams
from credence.oauth.signals.events import TOKEN_CLAIMS_CHANGE, VERIFICATION
from credence.oauth.signals.schema import POLL, PUSH
from tests.deployment import Deployment, OpenDeployment
from tests.monitoring.webhook_site import answering
from tests.oauth.test_shared_signals import call, make, polled, said, settle, verified
from tests.outgoing.receivers import Receiver, authority, receiver, server_tls
from tests.sign_in.notices import LIMIT_SECONDS, delivering


async def pushing(folder: Path, open_deployment: OpenDeployment, found: Receiver) -> Deployment:
    return await open_deployment(
        calls_out=True,
        outgoing_networks="127.0.0.0/8,::1/128",
        outgoing_ports=str(found.port),
        outgoing_authorities=authority(folder),
    )


async def until_outcomes_are(deployment: Deployment, stream: Any, expected: list[str]) -> None:
    """Wait until what waits for a stream has these outcomes: the next attempt is then due by the time of its failure."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while [  # noqa: ASYNC110 - the store announces nothing
            each.outcome for each in await deployment.store.deliveries_of(stream["stream_id"])
        ] != expected:
            await asyncio.sleep(0.02)


async def test_a_token_is_pushed_again_with_its_id_until_the_receiver_takes_it(
    tmp_path: Path, open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("credence.outbox.engine.POLL_SECONDS", 0.02)
    server_tls(tmp_path)
    async with receiver(tmp_path, answering(503, 302, then=202)) as found:
        deployment = await pushing(tmp_path, open_deployment, found)
        delivery = {
            "method": PUSH,
            "endpoint_url": found.url("/signals", "localhost"),
            "authorization_header": "Bearer of-the-receiver",
        }
        stream = await make(deployment, delivery=delivery)
        assert stream["delivery"] == {"method": PUSH, "endpoint_url": delivery["endpoint_url"]}
        body = {"stream_id": stream["stream_id"], "state": "VGhpcyBpcw"}
        assert (await call(deployment, "POST", paths.SIGNAL_VERIFICATION, body)).status == 204
        async with delivering(deployment):
            for expected in (["503"], ["302"], []):
                await until_outcomes_are(deployment, stream, expected)
                deployment.now += 600_000
    heads = [each.head.lower() for each in found.requests]
    assert all("content-type: application/secevent+jwt\r\n" in head for head in heads)
    assert all("authorization: bearer of-the-receiver\r\n" in head for head in heads)
    read = [await verified(deployment, each.body.decode(), stream["aud"]) for each in found.requests]
    assert [each["jti"] for each in read] == [read[0]["jti"]] * 3
    assert read[0]["sub_id"] == {"format": "opaque", "id": stream["stream_id"]}
    assert read[0]["events"] == {VERIFICATION: {"state": "VGhpcyBpcw"}}


async def test_the_header_of_a_receiver_is_not_sent_to_another_address(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    server_tls(tmp_path)
    async with receiver(tmp_path) as found:
        deployment = await pushing(tmp_path, open_deployment, found)
        address = {"method": PUSH, "endpoint_url": found.url("/s", "localhost")}
        stream = await make(deployment, delivery=address | {"authorization_header": "Bearer of-the-receiver"})

        async def header_after(**delivery: str) -> str:
            change = {"stream_id": stream["stream_id"], "delivery": address | delivery}
            assert (await call(deployment, "PATCH", paths.SIGNAL_STREAMS, change)).status == 200
            kept = await deployment.store.signal_stream(stream["stream_id"])
            assert kept is not None
            return streams.authorization_of(kept, deployment.service.authority.secrets.digest)

        assert await header_after() == "Bearer of-the-receiver"
        assert await header_after(endpoint_url=found.url("/other", "localhost")) == ""


async def test_what_waits_for_a_push_can_be_polled_after_a_change_of_the_method(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    server_tls(tmp_path)
    async with receiver(tmp_path) as found:
        deployment = await pushing(tmp_path, open_deployment, found)
        stream = await make(deployment, delivery={"method": PUSH, "endpoint_url": found.url("/s", "localhost")})
        await deployment.change_account(email="one@b.example")
        await settle(deployment)
        change = {"stream_id": stream["stream_id"], "delivery": {"method": POLL}}
        assert (await call(deployment, "PATCH", paths.SIGNAL_STREAMS, change)).status == 200
        assert said(await polled(deployment, stream)) == [TOKEN_CLAIMS_CHANGE]
    assert found.requests == []
