"""A host that publishes documents about clients, and a deployment that may fetch them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.deployment import TOKEN_PATH, Deployment, OpenDeployment, Reply
from tests.outgoing.receivers import Receiver, Request, authority, receiver, server_tls
from tests.sign_in.browsing import CALLBACK, FORM, VERIFIER, Browser, answer_of, request_of

PATH = "/clients/ledger.json"


@dataclass
class Publisher:
    """What the host answers, which a test changes."""

    receiver: Receiver
    members: dict[str, Any]
    status: str = "200 OK"
    fields: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    body: bytes | None = None
    others_wait: asyncio.Event | None = None
    """If set, all but the document of `client_id` is answered when this event is."""

    @property
    def client_id(self) -> str:
        return self.receiver.url(PATH, host="localhost")

    @property
    def fetched(self) -> int:
        return len(self.receiver.requests)

    def client_id_at(self, path: str) -> str:
        """Another client_id at the host, which has a document like the first."""
        return self.receiver.url(path, host="localhost")

    async def answer(self, path: str) -> bytes:
        if self.others_wait is not None and path != PATH:
            await self.others_wait.wait()
        members = self.members if path == PATH else self.members | {"client_id": self.client_id_at(path)}
        body = json.dumps(members).encode() if self.body is None else self.body
        head = "".join(f"{name}: {value}\r\n" for name, value in self.fields.items())
        return f"HTTP/1.1 {self.status}\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


@asynccontextmanager
async def publishing(
    folder: Path, open_deployment: OpenDeployment, *ports: int, **settings: Any
) -> AsyncIterator[tuple[Publisher, Deployment]]:
    """A host with the document of one client, and a deployment that lets clients of this host in.

    `ports` are further ones of the host that it may call.
    """
    server_tls(folder)
    found: list[Publisher] = []

    async def answering(request: Request, writer: Any) -> None:
        writer.write(await found[0].answer(request.head.split()[1]))
        await writer.drain()

    async with receiver(folder, answering) as listening:
        publisher = Publisher(listening, {})
        publisher.members = {
            "client_id": publisher.client_id,
            "client_name": "Ledger",
            "redirect_uris": [CALLBACK, "http://127.0.0.1/done", "cursor://anysphere.cursor-retrieval/oauth/callback"],
            "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }
        found.append(publisher)
        wanted = {
            "client_documents": "listed",
            "client_document_hosts": "localhost",
            "outgoing_networks": "127.0.0.0/8,::1/128",
            **settings,
        }
        deployment = await open_deployment(
            folder,
            calls_out=True,
            outgoing_ports=",".join(map(str, (listening.port, *ports))),
            outgoing_authorities=authority(folder),
            **wanted,
        )
        yield publisher, deployment


def asked(publisher: Publisher, deployment: Deployment, **more: str | None) -> str:
    """Return an authorization request of the client."""
    return request_of(deployment.application, **{"client_id": publisher.client_id, **more})


async def page_of(publisher: Publisher, deployment: Deployment, **more: str | None) -> Reply:
    """Return the first page that a new browser gets for the client."""
    return await Browser(deployment).get(asked(publisher, deployment, **more))


async def token(deployment: Deployment, **fields: str) -> Reply:
    """Send a token request of a public client."""
    return await deployment.send("POST", TOKEN_PATH, [FORM], urlencode(fields).encode())


async def signed_in(browser: Browser, publisher: Publisher, deployment: Deployment, **more: str | None) -> Reply:
    """Return the consent page."""
    return await browser.sign_in(await browser.get(asked(publisher, deployment, **more)))


async def tokens_of(browser: Browser, publisher: Publisher, deployment: Deployment) -> dict[str, str]:
    """Return the tokens of the client after the person of the browser has signed in and allowed it."""
    page = await signed_in(browser, publisher, deployment, scope="credit:report offline_access")
    done = await browser.submit(page, decision="allow")
    reply = await token(
        deployment,
        grant_type="authorization_code",
        client_id=publisher.client_id,
        code=answer_of(done)["code"],
        redirect_uri=CALLBACK,
        code_verifier=VERIFIER,
    )
    assert reply.status == 200, reply
    found: dict[str, str] = reply.json
    return found
