"""A sandbox with its developer portal, and browsers of people at it."""

import html
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from credence.identity import accounts
from credence.management.site_applications import DEVELOPERS, register_site
from tests.deployment import NOW, Deployment, Header, Reply, ada, deploy, served
from tests.sign_in.browsing import Browser


@dataclass
class Portal:
    """The service, and the browser of one person."""

    main: Deployment
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def browser(self) -> Browser:
        return Browser(self.main, self.cookies)

    async def developer(self, username: str, **fields: object) -> "Portal":
        """Return the portal with a browser of its own, in which this person has signed in."""
        if await self.main.store.account(username) is None:
            account = accounts.register(username, "user", ada().password_hash, NOW)
            await self.main.store.save_account(msgspec.structs.replace(account, **fields), self.main.now)
        person = Portal(self.main)
        await person.browser.come("/developers", username)
        return person

    async def do(self, path: str, act: str, *more: Header, **values: str) -> Reply:
        """Open a screen and send the form of an act, with these values in its fields."""
        page = await self.browser.get(path)
        token = re.search(r'name="token" value="([^"]+)"', page.body.decode())
        assert token is not None, page
        return await self.browser.post(path, {"token": token[1], "act": act, **values}.items(), *more)

    async def create(self, kind: str = "machine", name: str = "Ledger", redirect_uris: str = "") -> tuple[str, str]:
        """Create an application; return its client_id and its secret, empty without one."""
        page = await self.do("/developers/new", "app-create", name=name, kind=kind, redirect_uris=redirect_uris)
        assert page.status == 200, text_of(page)
        client_id = re.search(r"crd_sbx_app_[a-z2-7]+", text_of(page))
        assert client_id is not None
        secret = re.search(r'<code class="secret">([^<]+)<', page.body.decode())
        return client_id[0], secret[1] if secret else ""


def text_of(page: Reply) -> str:
    """Return what a page says, without its marks, style and script, and programs as they are copied."""
    text = re.sub(r"<(style|script)>.*?</\1>", " ", page.body.decode().replace("<wbr>", ""), flags=re.DOTALL)
    text = re.sub(r'<span class="(?:string|comment|word)">(.*?)</span>', r"\1", text, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", text))


@pytest.fixture
async def portal(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Portal]:
    """The mark `settings` says with which settings other than those of every test."""
    marked = request.node.get_closest_marker("settings")
    async with AsyncExitStack() as running:
        main = await deploy(tmp_path, **(marked.kwargs if marked else {}))
        await running.enter_async_context(served(main.asgi))
        await register_site(main.store, main.service.settings, DEVELOPERS, NOW)
        yield Portal(main)
