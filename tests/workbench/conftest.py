"""A deployment with the credit workbench, companies with hostile names, and browsers in which people have signed in."""

import html
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.datasets.loading.load import load_register
from credence.identity import accounts
from credence.management.site_applications import WORKBENCH, register_site
from credence.settings import Settings
from credence.store.contract import Store
from tests.conftest import copy_of_register
from tests.datasets.snapshots import company, write
from tests.deployment import NOW, Deployment, Header, Reply, ada, deploy, served
from tests.sign_in.browsing import Browser

PLAIN, OTHER, HOSTILE_COMPANY = "01234567", "SC123456", "07654321"

HOSTILE = '<script>alert(1)</script> "><img src=x onerror=alert(1)> {{ 7 * 7 }} \u202eevil\u200f =HYPERLINK(1)'
"""Markup, attributes, a template, marks that turn the line around, and a formula."""

PAGE_BYTES = 67_500
"""The names of columns before the texts of cards are 3,000 of them, the numbers below the names of companies 700."""


@dataclass
class Desk:
    """The service, and a browser at it."""

    deployment: Deployment
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def browser(self) -> Browser:
        return Browser(self.deployment, self.cookies)

    @property
    def store(self) -> Store:
        return self.deployment.store

    async def reader(self, name: str = "grace", *scopes: str, application: str | None = None) -> "Desk":
        """Return the desk with a browser of its own, in which a person has signed in.

        The person works for the application of the deployment, or for a new one with these scopes.
        """
        client_id = application if application is not None else self.deployment.application.client_id
        if scopes:
            other = await self.deployment.another_application()
            await other.change_application(scopes=scopes)
            client_id = other.application.client_id
        account = accounts.register(name, "user", ada().password_hash, NOW)
        await self.store.save_account(msgspec.structs.replace(account, workbench_for=client_id), self.deployment.now)
        signed_in = Desk(self.deployment)
        await signed_in.browser.come("/workbench", name)
        return signed_in

    async def get(self, path: str) -> Reply:
        return await self.browser.get(path)

    async def do(self, path: str, act: str, *more: Header, **values: str) -> Reply:
        """Open a screen and send the form of an act with these values and the hidden fields of that form."""
        page = (await self.browser.get(path)).body.decode()
        forms = re.findall(r'<form method="post"[^>]*>(.*?)</form>', page, re.DOTALL)
        form = next((each for each in forms if f'name="act" value="{act}"' in each), "".join(forms[:1]))
        hidden = {
            name: html.unescape(value)
            for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
        }
        return await self.browser.post(path, {**hidden, "act": act, **values}.items(), *more)


def text_of(page: Reply) -> str:
    """Return what a page says, without its marks."""
    inside = re.sub(r"<(style|script)>.*?</\1>", " ", page.body.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", inside)).split())


@pytest.fixture(scope="session")
def loaded_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Credit data with three companies, one of them with a hostile name; loaded once."""
    folder = tmp_path_factory.mktemp("names")
    rows = [
        company(PLAIN, "PLAIN TRADING LIMITED", RegAddress_PostTown="LEEDS", RegAddress_PostCode="LS1 1AA"),
        company(
            OTHER,
            "OTHER TRADING PLC",
            RegAddress_PostTown="PERTH",
            Accounts_AccountCategory="TOTAL EXEMPTION FULL",
            Accounts_LastMadeUpDate="31/12/2022",
        ),
        company(HOSTILE_COMPANY, f"{HOSTILE} TRADING", RegAddress_PostTown=HOSTILE, RegAddress_AddressLine1=HOSTILE),
    ]
    load_register([write(folder / "BasicCompanyDataAsOneFile-2023-11-01.csv", *rows)], folder / "credit", NOW)
    return folder / "credit"


@pytest.fixture
async def desk(tmp_path: Path, loaded_names: Path) -> AsyncIterator[Desk]:
    """A deployment that serves the workbench."""
    copy_of_register(loaded_names, Settings(data_dir=tmp_path).credit_folder)
    async with AsyncExitStack() as running:
        yield await open_desk(running, tmp_path)


async def open_desk(running: AsyncExitStack, folder: Path, **settings: Any) -> Desk:
    """Return the desk of a deployment with these settings, which ends with `running`."""
    deployment = await deploy(folder, spike_burst=5, **settings)
    await running.enter_async_context(served(deployment.asgi))
    await register_site(deployment.store, deployment.service.settings, WORKBENCH, NOW)
    return Desk(deployment)
