"""Changes of factors that happen at once, on two nodes or in two tabs (threats L1)."""

import asyncio
from pathlib import Path

import pytest

from tests.deployment import Deployment, deployed
from tests.sign_in.authenticator import Passkey, add, passkeys_on, signed_in
from tests.sign_in.browsing import ACCOUNT, Browser, form_of
from tests.sign_in.factors import FACTORS, act, app_of, code_of, enrolled


async def test_two_enrolments_at_once_make_one_app_with_its_codes(migrated_postgres: str, tmp_path: Path) -> None:
    """Each was checked against an account without a factor; the second says that the account has changed."""
    async with deployed(tmp_path, store=migrated_postgres) as one, one.another_node() as two:
        browsers = [Browser(one), Browser(two)]
        pages = []
        for browser in browsers:
            await browser.sign_in(await browser.get(ACCOUNT))
            pages.append(await act(browser, "set-up"))
        codes = [code_of(app_of(page), one) for page in pages]
        tries = zip(browsers, pages, codes, strict=True)
        replies = await asyncio.gather(*(each.submit(page, act="confirm", code=code) for each, page, code in tries))
        assert sorted(reply.status for reply in replies) == [200, 400]
        kinds = [each.kind for each in await one.store.factors_of("ada")]
        assert sorted(kinds) == ["recovery"] * 10 + ["totp"]


@pytest.mark.parametrize("policy", ["factor", "passkey"])
async def test_two_tabs_do_not_remove_the_last_two_factors_of_an_account_that_must_have_one(
    migrated_postgres: str, tmp_path: Path, policy: str
) -> None:
    async with deployed(tmp_path, store=migrated_postgres) as one, one.another_node() as two:
        first = Passkey()
        browser = await signed_in(one)
        await add(browser, first)
        await add(browser, Passkey())
        await one.change_account(sign_in=policy)
        tabs = [browser, Browser(two, browser.cookies)]
        page = await browser.get(ACCOUNT)
        _, hidden = form_of(page, FACTORS)
        names = passkeys_on(page.body)
        sent = zip(tabs, names, strict=True)
        fields = {**hidden, "act": "remove-passkey"}
        await asyncio.gather(*(tab.post(FACTORS, {**fields, "passkey": name}.items()) for tab, name in sent))
        assert len(await one.store.factors_of("ada")) == 1


async def test_the_only_app_of_an_account_that_must_have_a_factor_is_not_removed(deployment: Deployment) -> None:
    browser = Browser(deployment)
    await enrolled(browser)
    await deployment.change_account(sign_in="factor")
    assert b"and this is your only" in (await act(browser, "remove")).body
    assert len(await deployment.store.factors_of("ada")) == 11


async def test_guesses_that_are_sent_together_to_several_nodes_are_all_counted(
    migrated_postgres: str, tmp_path: Path
) -> None:
    """threats A4: each node checked one at a time, so a thief with the password guessed as often as there are nodes.

    Five wrong codes are checked from an address that no right code has come from, however many arrive at once.
    """
    async with deployed(tmp_path, store=migrated_postgres) as one, one.another_node() as two:
        app, _ = await enrolled(Browser(one))
        two.now = one.now
        thieves = []
        for node in (one, two) * 6:
            browser = Browser(node)
            thieves.append((browser, await browser.sign_in(await browser.get(ACCOUNT))))
        await asyncio.gather(*(browser.submit(page, code="000000") for browser, page in thieves))
        refusals = one.service.counts.refusals + two.service.counts.refusals
        assert (refusals["factor.mismatch"], refusals["factor.throttled_origin"]) == (5, 7)
        one.now = two.now = one.now + 3 * 60_000
        owner = Browser(two)
        page = await owner.sign_in(await owner.get(ACCOUNT))
        assert b"Your account" in (await owner.submit(page, code=code_of(app, one))).body
