"""A person who is linked to two trusted issuers: the links decide, not the last sign-in (threats E14)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, link_id
from tests.deployment import NOW, Deployment, OpenDeployment
from tests.sign_in.browsing import ACCOUNT, Browser, answer_of, redeem, request_of, with_browser_application
from tests.sign_in.employer import Employer, employing, sign_in_there, trust

JANE = "jane@employer.example"
SIGNED_IN = JANE.encode()
SCOPE = "openid credit:report offline_access"


@asynccontextmanager
async def two(
    folder: Path, open_deployment: OpenDeployment, second: dict[str, Any] | None = None, **first: Any
) -> AsyncIterator[tuple[Employer, Employer, Deployment]]:
    """Two issuers, and Jane, who has signed in at the first and is linked to the second too."""
    async with employing(folder, open_deployment, makes_accounts=True, **first) as (employer, deployment):
        client = employer.another("/client")
        client.claims = {"sub": "jane-2"}
        await trust(deployment, client.issuer, "client", name="Client Ltd", mail_domains=(), **(second or {}))
        browser = Browser(deployment)
        await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        link = IssuerLink(link_id("client", "jane-2"), "client", "jane-2", JANE, NOW)
        await deployment.store.save(LINKS, link, NOW)
        await deployment.change_account(JANE, issuers="employer client")
        kept = await deployment.store.get(ISSUERS, "employer")
        assert kept is not None  # without domains: the links alone decide
        await deployment.store.save(ISSUERS, replace(kept, mail_domains=(), version=2), NOW)
        yield employer, client, deployment


async def tokens_by(there: Employer, deployment: Deployment) -> dict[str, str]:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await sign_in_there(there, browser, await browser.get(request_of(application, scope=SCOPE)))
    page = page if "code" in page.headers.get("refresh", "") else await browser.submit(page, decision="allow")
    tokens: dict[str, str] = (await redeem(deployment, answer_of(page)["code"])).json
    return tokens


async def test_either_issuer_signs_the_person_in_where_none_is_the_only_way(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with two(tmp_path, open_deployment) as (employer, client, deployment):
        for each in (client, employer, client):
            browser = Browser(deployment)
            await sign_in_there(each, browser, await browser.get(ACCOUNT))
            assert SIGNED_IN in (await browser.get(ACCOUNT)).body
        kept = await deployment.store.account(JANE)
        assert kept is not None
        assert kept.issuers == "employer client"


async def test_an_only_way_stays_one_after_a_sign_in_elsewhere(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with two(tmp_path, open_deployment, only_way=True) as (employer, client, deployment):
        browser = Browser(deployment)
        page = await sign_in_there(client, browser, await browser.get(ACCOUNT))
        assert (page.status, b"Your account signs in with another organisation" in page.body) == (400, True)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        assert SIGNED_IN in (await browser.get(ACCOUNT)).body
        assert (await deployment.login(JANE)).status == 401


async def test_each_of_two_only_ways_is_one(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with two(tmp_path, open_deployment, {"only_way": True}, only_way=True) as (
        employer,
        client,
        deployment,
    ):
        for each in (client, employer):
            browser = Browser(deployment)
            await sign_in_there(each, browser, await browser.get(ACCOUNT))
            assert SIGNED_IN in (await browser.get(ACCOUNT)).body


async def test_nothing_is_linked_or_made_for_a_person_whose_domain_has_another_only_way(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    makes = {"makes_accounts": True, "mail_domains": ("employer.example",)}
    async with employing(tmp_path, open_deployment, only_way=True) as (employer, deployment):
        client = employer.another("/client")
        await trust(deployment, client.issuer, "client", name="Client Ltd", **makes)
        browser = Browser(deployment)
        page = await sign_in_there(client, browser, await browser.get(ACCOUNT))
        assert b"Your account signs in with another organisation" in page.body
        assert await deployment.store.account(JANE) is None
        assert await deployment.store.page(LINKS) == []


@pytest.mark.parametrize(("leaves", "status"), [("employer", 200), ("client", 401)])
async def test_a_login_is_vouched_for_by_the_issuer_at_which_it_began(
    tmp_path: Path, open_deployment: OpenDeployment, leaves: str, status: int
) -> None:
    async with two(tmp_path, open_deployment, {"vouch_seconds": 600}, vouch_seconds=600) as (
        employer,
        client,
        deployment,
    ):
        tokens = await tokens_by(client, deployment)
        {"employer": employer, "client": client}[leaves].refresh_tokens.clear()
        deployment.now += 601_000
        assert (await deployment.refresh(tokens["refresh_token"])).status == status
        assert (employer.refreshes, client.refreshes) == (0, 1)


async def test_a_later_sign_in_elsewhere_in_the_same_browser_does_not_change_who_vouches(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with two(tmp_path, open_deployment, vouch_seconds=600) as (employer, client, deployment):
        application = await with_browser_application(deployment)
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(request_of(application, scope=SCOPE)))
        page = await browser.submit(page, decision="allow")
        tokens = (await redeem(deployment, answer_of(page)["code"])).json
        deployment.now += 60_000
        page = await browser.get(request_of(application, prompt="login"))
        await sign_in_there(client, browser, page)
        employer.refresh_tokens.clear()
        deployment.now += 601_000
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401


@pytest.mark.parametrize("leaves", ["employer", "client"])
async def test_a_login_by_password_is_vouched_for_by_every_issuer_of_the_person(
    tmp_path: Path, open_deployment: OpenDeployment, leaves: str
) -> None:
    async with two(tmp_path, open_deployment, {"vouch_seconds": 600}, vouch_seconds=600) as (
        employer,
        client,
        deployment,
    ):
        await tokens_by(client, deployment)
        await tokens_by(employer, deployment)
        ada = await deployment.store.account("ada")
        assert ada is not None
        await deployment.change_account(JANE, password_hash=ada.password_hash)
        tokens = (await deployment.login(JANE)).json
        deployment.now += 601_000
        {"employer": employer, "client": client}[leaves].refresh_tokens.clear()
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401
