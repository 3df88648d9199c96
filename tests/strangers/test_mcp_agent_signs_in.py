"""The official Python client of the Model Context Protocol, from an address alone to a report: discovery, a client without
registration or one that registers itself, sign-in in Chromium, refresh, and a step-up to a further scope.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from playwright.async_api import Page, async_playwright

from tests.browser import ARGUMENTS, CHROMIUM, LIMIT_MS, needs_chromium
from tests.outgoing.receivers import authority, listening, receiver, server_tls
from tests.ports import free_port
from tests.running import RunningServer, start
from tests.strangers.provider import Provider
from tests.strangers.test_mcp_client import SPECIMEN, InMemory

if TYPE_CHECKING:  # a second of imports, which only the process that runs these tests needs
    from mcp import Client
    from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider

pytestmark = needs_chromium

PATH = "/agents/client.json"
EVERY_SCOPE = "credit:report credit:search credit:directors credit:monitor offline_access"


@dataclass
class Person:
    """A person at a Chromium, and the program on their machine that waits for the answer."""

    server: RunningServer
    page: Page
    port: int
    consents: list[str] = field(default_factory=list)
    answers: asyncio.Queue[dict[str, str]] = field(default_factory=asyncio.Queue)

    @property
    def redirect_uri(self) -> str:
        return f"http://127.0.0.1:{self.port}/callback"

    async def opens(self, address: str) -> None:
        """Sign in if that is asked, and allow the client."""
        await self.page.goto(address)
        if await self.page.get_by_label("Username").count():
            await self.page.get_by_label("Username").fill(self.server.username)
            await self.page.keyboard.press("Enter")
            await self.page.get_by_label("Password").fill(self.server.password)
            await self.page.keyboard.press("Enter")
        allow = self.page.get_by_role("button", name="Allow", exact=True)
        await allow.wait_for()
        self.consents.append(await self.page.inner_text("main"))
        await allow.click()

    async def answered(self) -> "AuthorizationCodeResult":
        from mcp.client.auth import AuthorizationCodeResult

        answer = await asyncio.wait_for(self.answers.get(), LIMIT_MS / 1000)
        return AuthorizationCodeResult(code=answer["code"], state=answer.get("state"), iss=answer.get("iss"))

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve the redirect URI."""
        target = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
        if "?" in target:
            self.answers.put_nowait({name: values[0] for name, values in parse_qs(urlsplit(target).query).items()})
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nOK")
        await writer.drain()


@asynccontextmanager
async def at_a_browser(server: RunningServer) -> AsyncIterator[Person]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = await browser.new_context(ignore_https_errors=True)
        context.set_default_timeout(LIMIT_MS)
        person = Person(server, await context.new_page(), free_port())
        async with listening(person.take, person.port):
            yield person
        await browser.close()


@asynccontextmanager
async def agent_of(
    person: Person, provider: Provider, storage: InMemory, document: str | None
) -> AsyncIterator[tuple["OAuthClientProvider", "Client"]]:
    """The client, which knows the address of the resource and nothing else."""
    from mcp import Client
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import OAuthClientMetadata

    address = f"{provider.issuer}/mcp"
    metadata = OAuthClientMetadata(
        client_name="Assistant",
        redirect_uris=[person.redirect_uri],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        token_endpoint_auth_method="none",
    )
    authentication = OAuthClientProvider(
        address, metadata, storage, person.opens, person.answered, client_metadata_url=document
    )
    async with (
        httpx2.AsyncClient(auth=authentication, verify=provider.trust, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield authentication, client


@asynccontextmanager
async def deployed(tmp_path: Path) -> AsyncIterator[tuple[Provider, str, dict[str, Any]]]:
    """A server that lets both kinds of clients in, and a host with the document of one."""
    document: dict[str, Any] = {}
    server_tls(tmp_path)

    async def answering(_: Any, writer: asyncio.StreamWriter) -> None:
        body = httpx2.Response(200, json=document).content
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()

    async with receiver(tmp_path, answering) as host:
        server = await asyncio.to_thread(
            start,
            tmp_path / "data",
            tmp_path / "output.txt",
            CREDENCE_REGISTRATION="on",
            CREDENCE_OPEN_REGISTRATION="on",
            CREDENCE_CALLS_OUT="on",
            CREDENCE_OUTGOING_NETWORKS="127.0.0.0/8,::1/128",
            CREDENCE_OUTGOING_PORTS=str(host.port),
            CREDENCE_OUTGOING_AUTHORITIES=str(authority(tmp_path)),
            CREDENCE_CLIENT_DOCUMENTS="listed",
            CREDENCE_CLIENT_DOCUMENT_HOSTS="localhost",
        )
        try:
            yield Provider(server), host.url(PATH, host="localhost"), document
        finally:
            await asyncio.to_thread(server.stop)


@pytest.mark.parametrize("way", ["document", "registration"])
async def test_from_an_address_to_a_report_and_further_scopes(tmp_path: Path, way: str) -> None:
    async with deployed(tmp_path) as (provider, client_id, document), at_a_browser(provider.server) as person:
        document |= {"client_id": client_id, "client_name": "Assistant", "redirect_uris": ["http://127.0.0.1/callback"]}
        storage = InMemory()
        by_document = client_id if way == "document" else None
        async with agent_of(person, provider, storage, by_document) as (authentication, client):
            summary = (await client.call_tool("company_summary", SPECIMEN)).structured_content
            assert summary["Name"] == "TEST SPECIMEN TRADING LIMITED"
            assert len(person.consents) == 1
            assert "has not checked its name or who runs it" in person.consents[0]
            assert storage.client.client_id == (client_id if way == "document" else storage.client.client_id)

            first = storage.tokens
            authentication.context.token_expiry_time = 1  # the client believes that its token has expired
            await client.call_tool("explain_score", SPECIMEN)
            assert storage.tokens.refresh_token != first.refresh_token
            assert len(person.consents) == 1

            if way == "document":  # the operator lets this client watch companies
                scopes = [option for scope in EVERY_SCOPE.split() for option in ("--scope", scope)]
                made = await asyncio.to_thread(provider.server.command, "app", "set", client_id, *scopes)
                assert made.returncode == 0, made.stderr
            watched = (await client.call_tool("portfolio_add", {"numbers": [SPECIMEN["number"]]})).structured_content
            assert watched["rows"][0]["result"] == "added"
            assert len(person.consents) == 2
            assert "credit:monitor" in storage.tokens.scope.split()
            assert "credit:report" in storage.tokens.scope.split()
