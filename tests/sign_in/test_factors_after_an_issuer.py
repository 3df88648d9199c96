"""A second factor here after a sign-in at a trusted issuer: the session is still one that began there."""

from pathlib import Path

from credence.store.records import Account
from tests.deployment import Deployment, OpenDeployment, Reply
from tests.sign_in.authenticator import Passkey, add, use
from tests.sign_in.browsing import ACCOUNT, Browser, address_of
from tests.sign_in.employer import Employer, employing, sign_in_there
from tests.sign_in.factors import ASKS, COOKIE, act, app_of, code_of
from tests.sign_in.test_leavers import JANE, log_out, logout_token
from tests.sign_in.test_sign_out_there import signed_out

SIGNED_IN = JANE.encode()


async def jane(deployment: Deployment) -> Account:
    found = await deployment.store.account(JANE)
    assert found is not None
    return found


async def at_code_page(employer: Employer, deployment: Deployment) -> tuple[Browser, Reply, str]:
    """Jane, who has an authenticator app here, has come back from her employer: her browser, the page, and the code."""
    browser = Browser(deployment)
    await sign_in_there(employer, browser, await browser.get(ACCOUNT))
    page = await act(browser, "set-up")
    app = app_of(page)
    await browser.submit(page, act="confirm", code=code_of(app, deployment))
    deployment.now += 30_000
    employer.claims["sid"] = "second-session"
    browser = Browser(deployment)
    page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
    assert ASKS in page.body
    return browser, page, code_of(app, deployment)


async def test_a_sign_out_there_ends_the_session_that_a_code_completed(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        browser, page, code = await at_code_page(employer, deployment)
        await browser.submit(page, code=code)
        assert SIGNED_IN in (await browser.get(ACCOUNT)).body
        token = logout_token(employer, sub=None, sid="second-session")
        assert (await log_out(deployment, token)).status == 200
        assert SIGNED_IN not in (await browser.get(ACCOUNT)).body


async def test_a_sign_out_there_ends_a_login_that_still_needs_its_code(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        browser, page, code = await at_code_page(employer, deployment)
        await log_out(deployment, logout_token(employer, sub=None, sid="second-session"))
        await browser.submit(page, code=code)
        assert COOKIE not in browser.cookies


async def test_signing_out_after_a_code_leads_to_the_issuer_too(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True, signs_out_there=True) as (
        employer,
        deployment,
    ):
        browser, page, code = await at_code_page(employer, deployment)
        await browser.submit(page, code=code)
        assert address_of(await signed_out(browser)).startswith(f"{employer.issuer}/logout?")


async def test_a_logout_token_that_is_sent_again_ends_no_later_session(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        first, later = Browser(deployment), Browser(deployment)
        await sign_in_there(employer, first, await first.get(ACCOUNT))
        token = logout_token(employer)
        await log_out(deployment, token)
        employer.claims["sid"] = "second-session"
        await sign_in_there(employer, later, await later.get(ACCOUNT))
        assert (await log_out(deployment, token)).status == 200
        assert SIGNED_IN in (await later.get(ACCOUNT)).body


async def test_a_passkey_adds_to_the_sign_in_of_a_person_who_signs_in_at_an_issuer_alone(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True, only_way=True) as (employer, deployment):
        browser, passkey = Browser(deployment), Passkey()
        await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        await add(browser, passkey)
        await deployment.change_account(JANE, sign_in="passkey")
        alone = Browser(deployment)
        page = await use(alone, await alone.get(ACCOUNT), passkey)
        assert b"You sign in with your organisation" in page.body
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        await use(browser, page, passkey)
        assert SIGNED_IN in (await browser.get(ACCOUNT)).body
        assert {each.methods for each in await deployment.store.sessions_of(JANE)} == {"fed hwk user mfa"}
        await log_out(deployment, logout_token(employer, sub=None))
        assert SIGNED_IN not in (await browser.get(ACCOUNT)).body


async def test_a_passkey_does_not_prolong_a_session_that_began_at_an_issuer(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """Else a leaver with a passkey would stay signed in without end."""
    async with employing(tmp_path, open_deployment, makes_accounts=True, only_way=True) as (employer, deployment):
        browser, passkey = Browser(deployment), Passkey()
        page = await browser.get(ACCOUNT)
        await sign_in_there(employer, browser, page)
        await add(browser, passkey)
        (before,) = await deployment.store.sessions_of(JANE)
        deployment.now += 600_000
        session = browser.cookies.pop(COOKIE)
        page = await browser.get(ACCOUNT)
        browser.cookies[COOKIE] = session
        await use(browser, page, passkey)
        (after,) = await deployment.store.sessions_of(JANE)
        assert after.key != before.key
        assert after.expires_at == before.expires_at
