"""A deployment with its management API: two addresses over one store, and an application for each set of scopes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.oauth.parameters.scopes import MANAGE_SCOPES
from credence.paths import MANAGEMENT
from credence.service import Service
from credence.web.asgi import AsgiApplication
from tests.deployment import Deployment, Reply, deployed, served
from tests.oauth.standard import ask


@dataclass
class Managed:
    """The service, its management API, and the token of an operator with every scope of it."""

    main: Deployment
    managing: Deployment
    token: str

    async def token_for(self, *scopes: str, resource: str | None = None) -> str:
        """Return a token of a new application that may have these scopes, for the management API or another resource."""
        caller = await self.main.another_application()
        await caller.change_application(grants=("client_credentials",), scopes=scopes)
        form = {"grant_type": "client_credentials", "scope": " ".join(scopes)}
        named = self.resource if resource is None else resource
        reply = await ask(caller, form | ({"resource": named} if named else {}))
        assert reply.status == 200, reply
        token: str = reply.json["access_token"]
        return token

    @property
    def resource(self) -> str:
        return f"{self.main.service.settings.issuer}{MANAGEMENT}"

    async def call(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, tag: str = "", **fields: str
    ) -> Reply:
        """Send a request to the management API; `tag` becomes If-Match, `fields` header fields with hyphens."""
        patch = method == "PATCH"
        headers = [("Authorization", f"Bearer {token or self.token}")]
        if body is not None:
            headers.append(("Content-Type", "application/merge-patch+json" if patch else "application/json"))
        if tag:
            headers.append(("If-Match", tag))
        headers += [(name.replace("_", "-"), value) for name, value in fields.items()]
        content = b"" if body is None else msgspec.json.encode(body)
        return await self.managing.send(method, MANAGEMENT + path, headers, content)


async def _keep_open(_service: Service) -> None:
    """Close nothing: the deployment closes what both addresses share."""


@asynccontextmanager
async def managing(folder: Path, **settings: Any) -> AsyncIterator[Managed]:
    """A deployment with these settings that serves the management API at an address of its own."""
    async with deployed(folder, manage_port=8444, **settings) as main, management_of(main) as managed:
        yield managed


@asynccontextmanager
async def management_of(main: Deployment) -> AsyncIterator[Managed]:
    """The management API of a deployment that is served, and has its port."""

    async def start() -> Service:
        return replace(main.service, manages=True)

    asgi = AsgiApplication(main.service.settings, start, _keep_open)
    async with served(asgi):
        managing = Deployment(main.service, asgi, main.store, main.application, main.secret)
        managed = Managed(main, managing, "")
        managed.token = await managed.token_for(*MANAGE_SCOPES)
        yield managed


@pytest.fixture
async def managed(tmp_path: Path) -> AsyncIterator[Managed]:
    """A deployment that serves the management API at an address of its own."""
    async with managing(tmp_path) as managed:
        yield managed
