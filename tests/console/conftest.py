"""A deployment with its operator console: two addresses over one store, and a browser with the cookies of both."""

import html
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from credence.identity import accounts
from credence.management.site_applications import CONSOLE, register_site
from credence.service import Service
from credence.store.records import ConsoleRole
from credence.web.asgi import AsgiApplication
from tests.deployment import NOW, PASSWORD, Deployment, Header, Reply, ada, deployed, served
from tests.sign_in.browsing import Browser, address_of, form_of


@dataclass
class Console:
    """The service, the address of its console, and who works there."""

    main: Deployment
    apart: Deployment
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def people(self) -> Browser:
        """The browser at the service."""
        return Browser(self.main, self.cookies)

    @property
    def browser(self) -> Browser:
        """The same browser at the console."""
        return Browser(self.apart, self.cookies)

    def move(self, now: int) -> None:
        """Set the clock of both addresses."""
        self.main.now = self.apart.now = now

    async def operator(self, role: ConsoleRole, username: str = "") -> "Console":
        """Return the console with a browser of its own, in which an account of this role has signed in."""
        name = username or f"of-{role}"
        if await self.main.store.account(name) is None:
            account = accounts.register(name, "user", ada().password_hash, NOW)
            await self.main.store.save_account(msgspec.structs.replace(account, console_role=role), self.main.now)
        signed_in = Console(self.main, self.apart)
        page = await signed_in.come("/console", name)
        assert page.status == 200 or role == "none", page
        return signed_in

    async def come(self, path: str, username: str) -> Reply:
        """Follow the way from a screen through the sign-in back to it, and return the screen."""
        page = await self.browser.get(path)
        for _ in range(8):
            if page.status == 303 or "refresh" in page.headers:
                page = await self.follow(address_of(page))
            elif b'name="username"' in page.body:
                page = await self.people.sign_in(page, username)
            else:
                return page
        raise AssertionError(page)

    async def follow(self, address: str) -> Reply:
        """Open an address, of the console or of the service."""
        parts = urlsplit(address)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        return await (self.browser if parts.path.startswith("/console") else self.people).get(target)

    async def do(self, path: str, act: str, *more: Header, **values: str) -> Reply:
        """Open a screen and send the form of an act, with these values in its fields."""
        page = await self.browser.get(path)
        token = re.search(r'name="token" value="([^"]+)"', page.body.decode())
        assert token is not None, page
        return await self.send(path, {"token": token[1], "act": act, **values}.items(), *more)

    async def send(self, path: str, fields: Iterable[tuple[str, str]], *more: Header) -> Reply:
        return await self.browser.post(path, fields, *more)


async def _keep_open(_service: Service) -> None:
    """Close nothing: the deployment closes what both addresses share."""


@asynccontextmanager
async def console_of(main: Deployment) -> AsyncIterator[Console]:
    """The console of a node that is served, on an address of its own."""
    apart = Deployment(main.service, main.asgi, main.store, main.application, main.secret)

    async def start() -> Service:
        return replace(main.service, manages=True, clock=lambda: apart.now, request_log=None)

    apart.asgi = AsgiApplication(main.service.settings, start, _keep_open)
    async with served(apart.asgi):
        yield Console(main, apart)


@pytest.fixture
async def console(tmp_path: Path) -> AsyncIterator[Console]:
    """A deployment that serves the console, with the account ada, who has no role."""
    async with deployed(tmp_path, manage_port=8444) as main, console_of(main) as made:
        await register_site(main.store, main.service.settings, CONSOLE, NOW)
        yield made


def text_of(page: Reply) -> str:
    """Return what a page says, without its marks, style and script."""
    marked = page.body.decode().replace("<wbr>", "")
    return html.unescape(re.sub(r"<(style|script)>.*?</\1>|<[^>]+>", " ", marked, flags=re.DOTALL))


__all__ = ["PASSWORD", "Console", "form_of", "text_of"]
