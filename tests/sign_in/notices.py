"""A person who is signed in at an application that receives notices of the end of sessions."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from joserfc import jwt
from joserfc.jwk import KeySet

from credence import paths
from credence.background.delivering import delivery_engines
from credence.crypto import base64url
from credence.store.records import Application
from tests.deployment import Deployment, OpenDeployment
from tests.outgoing.receivers import Answering, Receiver, Request, authority, receiver, server_tls
from tests.sign_in.browsing import SIGN_OUT, Browser, answer_of, authorized, redeem, with_browser_application
from tests.waiting import LOOK_EVERY_SECONDS, until

LIMIT_SECONDS = 60

EVENT = "http://schemas.openid.net/event/backchannel-logout"


@dataclass
class SignedIn:
    """A deployment in which a person is signed in at an application that wants to know the end of it."""

    deployment: Deployment
    application: Application
    receiver: Receiver
    browser: Browser
    tokens: dict[str, Any] = field(default_factory=dict)

    @property
    def id_token(self) -> str:
        return str(self.tokens["id_token"])

    @property
    def said(self) -> dict[str, Any]:
        """The claims of the ID token."""
        return part(self.id_token, 1)

    async def sign_out(self) -> None:
        await self.browser.post(SIGN_OUT, {"id_token_hint": self.id_token}.items())

    async def delivered(self, count: int = 1) -> list[Request]:
        """Return what the receiver got, when it has got this number of requests."""
        await until(lambda: len(self.receiver.requests) >= count, LIMIT_SECONDS)
        return self.receiver.requests

    async def backlog_is(self, waiting: int, given_up: int) -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            while True:
                found = await self.deployment.store.backlog()
                if (found.waiting, found.given_up) == (waiting, given_up):
                    return
                await asyncio.sleep(LOOK_EVERY_SECONDS)

    async def outcome_is(self, text: str) -> None:
        """Wait until the outcome of an attempt is stored."""
        async with asyncio.timeout(LIMIT_SECONDS):
            while True:
                found = await self.deployment.store.deliveries_of(self.application.client_id)
                if [each.outcome for each in found] == [text]:
                    return
                await asyncio.sleep(LOOK_EVERY_SECONDS)

    async def claims(self, request: Request) -> dict[str, Any]:
        """Return the claims of a logout token by joserfc, from the keys that the service publishes."""
        form = parse_qs(request.body.decode(), strict_parsing=True)
        assert list(form) == ["logout_token"]
        keys = KeySet.import_key_set((await self.deployment.send("GET", paths.KEYS)).json)
        token = jwt.decode(form["logout_token"][0], keys, algorithms=["RS256", "ES256"])
        assert token.header["typ"] == "logout+jwt"
        return dict(token.claims)


@asynccontextmanager
async def signed_in(
    folder: Path, open_deployment: OpenDeployment, answering: Answering | bytes, **changes: Any
) -> AsyncIterator[SignedIn]:
    """A deployment with an application that receives notices at a real receiver, and a person who is signed in."""
    server_tls(folder)
    async with receiver(folder, answering) as found:
        deployment = await open_deployment(
            calls_out=True,
            outgoing_networks="127.0.0.0/8,::1/128",
            outgoing_ports=str(found.port),
            outgoing_authorities=authority(folder),
        )
        address = found.url("/signed-out", "localhost")
        application = await with_browser_application(deployment, backchannel_logout_uri=address, **changes)
        async with delivering(deployment):
            it = SignedIn(deployment, application, found, Browser(deployment))
            it.tokens = (await redeem(deployment, answer_of(await authorized(it.browser, application))["code"])).json
            yield it


@asynccontextmanager
async def delivering(deployment: Deployment) -> AsyncIterator[None]:
    (engine,) = delivery_engines(deployment.service)
    task = asyncio.create_task(engine.run())
    yield
    task.cancel()
    await engine.close()


def part(token: str, number: int) -> dict[str, Any]:
    """Return the header (0) or the claims (1) of a token."""
    members: dict[str, Any] = json.loads(base64url.decode(token.split(".")[number]))
    return members
