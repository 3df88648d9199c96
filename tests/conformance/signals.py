"""A receiver as the modules of the Shared Signals plans have it: a token of its own client, and a stream by poll or push."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt

from credence.oauth.signals.delivering import settle_signals
from tests.deployment import Deployment, Header, OpenDeployment, Reply
from tests.oauth.standard import ask
from tests.outgoing.receivers import Receiver, authority, receiver, server_tls
from tests.sign_in.notices import delivering
from tests.waiting import until

POLL, PUSH = "urn:ietf:rfc:8936", "urn:ietf:rfc:8935"
CAEP = "https://schemas.openid.net/secevent/caep/event-type"
REQUESTED = [f"{CAEP}/{name}" for name in ("session-revoked", "credential-change", "device-compliance-change")]
"""`OIDSSFPrepareStreamConfigObjectAddRequestedEvents`."""
VERIFICATION = "https://schemas.openid.net/secevent/ssf/event-type/verification"
OF_RECEIVER = "Bearer push_token_1"
LIMIT_SECONDS = 60


@dataclass
class Signals:
    """What the suite knows: the metadata, its token, and its stream."""

    deployment: Deployment
    metadata: dict[str, Any]
    token: str
    delivery: dict[str, str]
    pushed: Receiver | None = None

    async def call(self, method: str, name: str, body: Any = None, *, token: str = "", query: str = "") -> Reply:
        """Send a request to the address that the metadata has under this name; a body of bytes goes as it is."""
        return await self.send(method, self.metadata[name] + query, body, token)

    async def send(self, method: str, address: str, body: Any, token: str = "") -> Reply:
        head: list[Header] = [("Authorization", f"Bearer {token or self.token}"), ("Accept", "application/json")]
        if body is not None:
            head.append(("Content-Type", "application/json"))
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.deployment.send(method, address.removeprefix(self.metadata["issuer"]), head, sent)

    async def make(self) -> dict[str, Any]:
        """Create the stream and check it as every module does."""
        body = {"delivery": self.delivery, "events_requested": REQUESTED}
        reply = await self.call("POST", "configuration_endpoint", body)
        assert reply.status == 201, reply
        stream: dict[str, Any] = reply.json
        self.check(stream)
        assert set(stream["events_delivered"]) == set(REQUESTED[:2])  # devices are unknown here
        return stream

    def check(self, stream: dict[str, Any]) -> None:
        """OIDSSF §8.1.1: required members, the issuer of the metadata, a method of delivery, and events of the standards."""
        assert {"stream_id", "iss", "aud", "events_delivered", "delivery"} <= stream.keys()
        assert stream["iss"] == self.metadata["issuer"]
        assert stream["delivery"]["method"] == self.delivery["method"]
        assert "authorization_header" not in stream["delivery"]
        assert all(each.startswith("https://schemas.openid.net/secevent/") for each in stream["events_supported"])

    async def unknown(self) -> str:
        """Return the id of a stream that was created and deleted."""
        stream = (await self.make())["stream_id"]
        gone = await self.call("DELETE", "configuration_endpoint", query=f"?stream_id={stream}")
        assert (gone.status, gone.body) == (204, b"")
        return str(stream)

    async def verify(self, stream: dict[str, Any], state: str) -> None:
        """Ask for a verification event, when the least interval has passed (OIDSSF §8.1.4.2)."""
        self.deployment.now += stream["min_verification_interval"] * 1_000
        body = {"stream_id": stream["stream_id"], "state": state}
        assert (await self.call("POST", "verification_endpoint", body)).status == 204

    async def poll(self, stream: dict[str, Any], *ack: str, most: int = 10) -> dict[str, str]:
        """Return the tokens that wait (RFC 8936 §2.4), after what happened has become tokens."""
        await settle_signals(self.deployment.service.authority, self.deployment.now)
        body = {"maxEvents": most, "returnImmediately": True, "ack": list(ack)}
        reply = await self.send("POST", stream["delivery"]["endpoint_url"], body)
        assert reply.status == 200, reply
        sets: dict[str, str] = reply.json["sets"]
        return sets

    async def pushes(self, count: int) -> list[str]:
        """Return the tokens that were pushed, when there are so many (RFC 8935 §2.1)."""
        pushed = self.pushed
        assert pushed is not None
        await settle_signals(self.deployment.service.authority, self.deployment.now)
        await until(lambda: len(pushed.requests) >= count, LIMIT_SECONDS)
        for each in pushed.requests:
            assert each.head.startswith("POST ")
            assert "content-type: application/secevent+jwt" in each.head.lower()
        return [each.body.decode() for each in pushed.requests]

    async def read(self, token: str, stream: dict[str, Any]) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Return the event of a token, its members and all claims, checked as `validateSetCommonAfterParsing` does."""
        keys = (await self.deployment.send("GET", self.metadata["jwks_uri"].removeprefix(self.metadata["issuer"]))).json
        header = jwt.get_unverified_header(token)
        key = next(jwt.PyJWK(each) for each in keys["keys"] if each["kid"] == header["kid"])
        claims = jwt.decode(token, key, ["RS256"], audience=stream["aud"], issuer=stream["iss"])  # CAEPIOP §2.6
        assert header["typ"] == "secevent+jwt"
        assert not {"sub", "exp"} & claims.keys()
        assert claims["iat"] * 1_000 <= self.deployment.now
        ((event, members),) = claims["events"].items()
        return event, members, claims


async def signals(deployment: Deployment, delivery: dict[str, str] | None = None) -> Signals:
    """Return a receiver whose token is of the client credentials grant and lives an hour (CAEPIOP §2.7.1)."""
    await deployment.change_application(
        grants=("client_credentials", "password", "refresh_token"), access_token_lifetime=3_600
    )
    metadata = (await deployment.send("GET", "/.well-known/ssf-configuration")).json
    granted = (await ask(deployment, {"grant_type": "client_credentials", "scope": "ssf.manage"})).json
    assert granted["expires_in"] <= 3_600
    return Signals(deployment, metadata, granted["access_token"], delivery or {"method": POLL})


@asynccontextmanager
async def pushed_to(folder: Path, open_deployment: OpenDeployment, header: str = OF_RECEIVER) -> AsyncIterator[Signals]:
    """A receiver that takes tokens at an address of its own, with this Authorization header or none."""
    server_tls(folder)
    async with receiver(folder, b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n") as site:
        deployment = await open_deployment(
            calls_out=True,
            outgoing_networks="127.0.0.0/8,::1/128",
            outgoing_ports=str(site.port),
            outgoing_authorities=authority(folder),
        )
        delivery = {"method": PUSH, "endpoint_url": site.url("/ssf-push", "localhost")}
        it = await signals(deployment, delivery | ({"authorization_header": header} if header else {}))
        it.pushed = site
        async with delivering(deployment):
            yield it
