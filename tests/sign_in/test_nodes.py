"""Sign-in over two nodes on one PostgreSQL: pages, codes and sessions belong to the deployment, not to a node (D27, D28)."""

import asyncio

from tests.deployment import OpenDeployment
from tests.sign_in.browsing import (
    ACCOUNT,
    SIGN_OUT,
    Browser,
    answer_of,
    authorized,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.factors import COOKIE, code_of, enrolled


async def test_each_page_may_be_served_by_another_node(open_deployment: OpenDeployment, migrated_postgres: str) -> None:
    first = await open_deployment(store=migrated_postgres)
    application = await with_browser_application(first)
    async with first.another_node() as other:
        browser = Browser(first)
        page = await browser.get(request_of(application))
        browser.deployment = other
        consent = await browser.sign_in(page)
        browser.deployment = first
        code = answer_of(await browser.submit(consent, decision="allow"))["code"]
        tokens = (await redeem(other, code)).json
        assert (await first.report(tokens["access_token"])).status == 200


async def test_of_two_redemptions_of_one_code_at_once_on_two_nodes_no_token_survives(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    """RFC 6749 §4.1.2: one insert decides, and the loser ends the family of the winner."""
    first = await open_deployment(store=migrated_postgres)
    application = await with_browser_application(first)
    async with first.another_node() as other:
        code = answer_of(await authorized(Browser(first), application))["code"]
        replies = await asyncio.gather(*(redeem(node, code) for node in (first, other) * 4))
        assert sorted(reply.status for reply in replies) == [200, *[400] * 7]
        (token,) = (reply.json["access_token"] for reply in replies if reply.status == 200)
        for node in (first, other):
            await node.service.authority.revocation_cache.sync()
            assert (await node.report(token)).status == 401


async def test_signing_out_on_one_node_ends_session_and_tokens_on_the_other(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    first = await open_deployment(store=migrated_postgres)
    application = await with_browser_application(first)
    async with first.another_node() as other:
        browser = Browser(first)
        page = await authorized(browser, application, scope="openid credit:report")
        tokens = (await redeem(first, answer_of(page)["code"])).json
        assert (await other.report(tokens["access_token"])).status == 200
        stolen = Browser(other, cookies=dict(browser.cookies))
        await browser.submit(await browser.get(SIGN_OUT))
        refused = await stolen.get(request_of(application, prompt="none"))
        assert answer_of(refused)["error"] == "login_required"
        await other.service.authority.revocation_cache.sync()
        assert (await other.report(tokens["access_token"])).status == 401


async def test_of_two_uses_of_one_code_at_once_on_two_nodes_one_signs_in(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    """RFC 6238 §5.2, threats A4: a code of the app and a recovery code, each sent to both nodes by four browsers."""
    first = await open_deployment(store=migrated_postgres)
    app, recovery = await enrolled(Browser(first))
    async with first.another_node() as other:
        for code in (code_of(app, first), recovery[0]):
            browsers = [Browser(node) for node in (first, other) * 2]
            pages = [await each.sign_in(await each.get(ACCOUNT)) for each in browsers]
            await asyncio.gather(*(each.submit(page, code=code) for each, page in zip(browsers, pages, strict=True)))
            assert sum(COOKIE in each.cookies for each in browsers) == 1
