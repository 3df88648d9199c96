"""Keys that an application publishes at an address of its own (RFC 7591 §2 `jwks_uri`), at a real receiver over TLS."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from joserfc.jwk import ECKey

from credence.oauth import client_key_sets
from tests.deployment import Deployment, OpenDeployment, Reply
from tests.oauth.assertions import EC, OTHER_EC, RSA, SECONDS, Client, key_set, public, registered
from tests.outgoing.receivers import Receiver, Request, authority, receiver, server_tls
from tests.sign_in.browsing import AUTHORIZE, Browser, with_browser_application
from tests.sign_in.pushing import object_of, push
from tests.waiting import until

MINUTE = 60_000


@dataclass
class Publisher:
    """An application, and the web server on which it publishes what a test says."""

    client: Client
    receiver: Receiver
    said: dict[str, Any]

    @property
    def deployment(self) -> Deployment:
        return self.client.deployment

    def publishes(self, *keys: dict[str, Any], status: str = "200 OK", body: str | None = None) -> None:
        self.said.update(body=(key_set(*keys) if body is None else body).encode(), status=status)

    async def shows(self, key: ECKey = EC, kid: str = "one") -> Reply:
        """Request a token with an assertion of this key, at the deployment's time."""
        at = self.deployment.now // 1000
        self.client.key = key
        return await self.client.show(self.client.assertion({"kid": kid}, iat=at, exp=at + 60))


@asynccontextmanager
async def published(folder: Path, open_deployment: OpenDeployment, **settings: Any) -> AsyncIterator[Publisher]:
    said: dict[str, Any] = {"wait": None}

    async def answer(_: Request, writer: asyncio.StreamWriter) -> None:
        if said["wait"] is not None:
            await said["wait"].wait()
        head = f"HTTP/1.1 {said['status']}\r\nContent-Length: {len(said['body'])}\r\n\r\n"
        writer.write(head.encode() + said["body"])
        await writer.drain()

    server_tls(folder)
    async with receiver(folder, answer) as found:
        calls: dict[str, Any] = {
            "calls_out": True,
            "outgoing_networks": "127.0.0.0/8,::1/128",
            "outgoing_ports": str(found.port),
            "outgoing_authorities": authority(folder),
        }
        deployment = await open_deployment(**(calls | settings))
        client = await registered(deployment, keys=(), keys_uri=found.url("/keys", "localhost"))
        it = Publisher(client, found, said)
        it.publishes(public(EC, kid="one"))
        yield it


async def test_a_published_key_authenticates_and_is_fetched_once(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with published(tmp_path, open_deployment) as it:
        assert [(await it.shows()).status for _ in range(3)] == [200, 200, 200]
        assert len(it.receiver.requests) == 1
        assert it.receiver.requests[0].head.startswith("GET /keys ")
        it.deployment.now += 10 * MINUTE
        assert (await it.shows()).status == 200
        assert len(it.receiver.requests) == 2


async def test_a_rolled_key_is_found_by_its_kid_once_a_minute_at_most(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """The module refresh-token-rp-key-rotation; anyone can send an assertion with an invented kid."""
    async with published(tmp_path, open_deployment) as it:
        assert (await it.shows()).status == 200
        it.publishes(public(EC, kid="one"), public(OTHER_EC, kid="two"))
        it.deployment.now += MINUTE
        assert (await it.shows(OTHER_EC, "two")).status == 200
        for number in range(20):
            assert (await it.shows(OTHER_EC, f"invented {number}")).status == 401
        assert len(it.receiver.requests) == 2
        it.deployment.now += MINUTE
        assert (await it.shows(OTHER_EC, "invented")).status == 401
        assert len(it.receiver.requests) == 3


async def test_a_key_that_its_owner_removed_is_refused_after_ten_minutes(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with published(tmp_path, open_deployment) as it:
        assert (await it.shows()).status == 200
        it.publishes(public(OTHER_EC, kid="two"))
        it.deployment.now += 10 * MINUTE
        assert (await it.shows()).status == 401


@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("404 Not Found", key_set(public(EC, kid="one"))),
        ("302 Found", key_set(public(EC, kid="one"))),
        ("200 OK", "<html>"),
        ("200 OK", '{"keys": []}'),
        ("200 OK", '{"keys": [7]}'),
        ("200 OK", "[" * 50_000),
        ("200 OK", " " * 70_000 + key_set(public(EC, kid="one"))),
        ("200 OK", json.dumps({"keys": [{"kty": "oct", "k": "AAAA", "kid": "one"}]})),
        ("200 OK", json.dumps({"keys": [{**public(EC, kid="one"), "use": "enc"}]})),
        ("200 OK", json.dumps({"keys": [EC.as_dict(private=True) | {"kid": "one"}]})),
    ],
)
async def test_an_address_without_usable_keys_lets_nobody_in(
    tmp_path: Path, open_deployment: OpenDeployment, status: str, body: str
) -> None:
    async with published(tmp_path, open_deployment) as it:
        it.publishes(status=status, body=body)
        reply = await it.shows()
        assert (reply.status, reply.json["error"]) == (401, "invalid_client")
        assert it.deployment.service.counts.refusals["assertion.no_keys"] == 1
        assert (await it.shows()).status == 401
        assert len(it.receiver.requests) == 1


async def test_a_set_counts_for_an_hour_while_its_address_fails(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with published(tmp_path, open_deployment) as it:
        assert (await it.shows()).status == 200
        it.publishes(status="503 Service Unavailable", body="")
        for minutes, status in ((10, 200), (49, 200), (1, 401), (1, 401)):
            it.deployment.now += minutes * MINUTE
            assert (await it.shows()).status == status
        it.publishes(public(EC, kid="one"))
        it.deployment.now += MINUTE
        assert (await it.shows()).status == 200


async def test_a_request_waits_for_a_slow_address_only_so_long_and_a_later_one_has_its_keys(
    tmp_path: Path, open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threats A12: callers that wait share one fetch."""
    monkeypatch.setattr(client_key_sets, "WAIT_SECONDS", 0.2)
    async with published(tmp_path, open_deployment) as it:
        it.said["wait"] = asyncio.Event()
        replies = await asyncio.gather(*(it.shows() for _ in range(5)))
        assert [reply.status for reply in replies] == [401] * 5
        it.said["wait"].set()
        await until(lambda: bool(it.deployment.service.authority.client_keys.keys_of(it.deployment.application)), 60)
        assert (await it.shows()).status == 200
        assert len(it.receiver.requests) == 1


async def test_keys_of_other_kinds_and_without_a_name_of_their_own_are_left_out(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """RFC 7517 §5."""
    async with published(tmp_path, open_deployment) as it:
        strange = {"kty": "EC", "crv": "P-521", "kid": "large", "x": "AA", "y": "AA"}
        it.publishes(strange, public(RSA), public(EC, kid="one"), public(OTHER_EC, kid="one"))
        assert (await it.shows(EC)).status == 200
        assert (await it.shows(OTHER_EC)).status == 401


async def test_signed_requests_in_an_address_and_in_a_push_use_published_keys(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """RFC 9101; each deployment has yet to fetch the set."""
    for place in ("address", "push"):
        async with published(tmp_path, open_deployment) as it:
            address = it.deployment.application.keys_uri
            application = await with_browser_application(
                it.deployment, keys_uri=address, authentication="client_secret_basic"
            )
            text = object_of(it.deployment, application, {"kid": "one"})
            forged = object_of(it.deployment, application, {"kid": "two"})
            for request, status in ((text, 201 if place == "push" else 200), (forged, 400)):
                fields = {"client_id": application.client_id, "request": request}
                if place == "push":
                    assert (await push(it.deployment, fields)).status == status
                else:
                    assert (await Browser(it.deployment).get(f"{AUTHORIZE}?{urlencode(fields)}")).status == status


async def test_a_private_address_is_never_called(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    """threats E3."""
    async with published(tmp_path, open_deployment, outgoing_networks="") as it:
        assert (await it.shows()).status == 401
        assert it.receiver.connections == 0


async def test_without_calls_out_no_key_counts(deployment: Deployment) -> None:
    client = await registered(deployment, keys=(), keys_uri="https://client.example/keys")
    assert (await client.show(client.assertion(iat=SECONDS))).status == 401
    assert deployment.service.counts.refusals["assertion.no_keys"] == 1
