"""Who signs out here signs out at the issuer too, and comes back (OpenID Connect RP-Initiated Logout 1.0 §2, §3)."""

import base64
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest
from joserfc import jwt

from credence.oauth.issuer_metadata import IssuerMetadata
from credence.store.trusted_issuers import ISSUERS
from tests.deployment import Deployment, OpenDeployment, Reply
from tests.sign_in.browsing import (
    ACCOUNT,
    SIGN_OUT,
    Browser,
    address_of,
    answer_of,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.employer import CLIENT_ID, KEY, Employer, employing, sign_in_there

GOODBYE = "https://app.example.com/goodbye"
COOKIE = "__Host-credence-session"


async def at_account(employer: Employer, deployment: Deployment) -> Browser:
    browser = Browser(deployment)
    await sign_in_there(employer, browser, await browser.get(ACCOUNT))
    assert COOKIE in browser.cookies
    return browser


async def signed_out(browser: Browser) -> Reply:
    return await browser.submit(await browser.get(SIGN_OUT), decision="sign-out")


def request_at(page: Reply) -> tuple[str, dict[str, str]]:
    url = address_of(page)
    return url.partition("?")[0], dict(parse_qsl(urlsplit(url).query, strict_parsing=True))


async def test_the_browser_goes_to_the_issuer_with_its_id_token_and_comes_back(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True, signs_out_there=True) as (
        employer,
        deployment,
    ):
        browser = await at_account(employer, deployment)
        page = await signed_out(browser)
        assert COOKIE not in browser.cookies
        assert b"Continue to sign out of Employer Ltd as well" in page.body
        address, sent = request_at(page)
        assert address == f"{employer.issuer}/logout"
        assert jwt.decode(sent["id_token_hint"], KEY, algorithms=["ES256"]).claims["sub"] == "jane-1"
        assert sent["client_id"] == CLIENT_ID
        back = f"{deployment.service.settings.issuer}/oauth2/v1/from-issuer/employer/signed-out"
        assert sent["post_logout_redirect_uri"] == back
        page = await browser.get(f"{urlsplit(back).path}?state={sent['state']}")
        assert (page.status, b"You have signed out" in page.body) == (200, True)


async def test_an_application_gets_the_browser_back_after_both_sign_outs(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True, signs_out_there=True) as (
        employer,
        deployment,
    ):
        application = await with_browser_application(deployment, post_logout_redirect_uris=(GOODBYE,))
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(request_of(application)))
        tokens = (await redeem(deployment, answer_of(await browser.submit(page, decision="allow"))["code"])).json
        query = f"id_token_hint={tokens['id_token']}&post_logout_redirect_uri={GOODBYE}&state=s7"
        _, sent = request_at(await browser.get(f"{SIGN_OUT}?{query}"))
        assert (await deployment.report(tokens["access_token"])).status == 401
        state = base64.urlsafe_b64decode(sent["state"] + "==")
        assert tokens["id_token"].split(".")[1].encode() not in state, "the issuer can read it"
        back = f"{urlsplit(sent['post_logout_redirect_uri']).path}?state={sent['state']}"
        assert address_of(await browser.get(back)) == f"{GOODBYE}?state=s7"


async def test_nobody_comes_back_who_did_not_leave(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    """An open redirect would need a state of this browser, which this service has authenticated."""
    async with employing(tmp_path, open_deployment, makes_accounts=True, signs_out_there=True) as (
        employer,
        deployment,
    ):
        browser = await at_account(employer, deployment)
        page = await browser.get(SIGN_OUT)
        step = page.body.decode().partition('name="step" value="')[2].partition('"')[0]
        _, sent = request_at(await browser.submit(page, decision="sign-out"))
        path = "/oauth2/v1/from-issuer/employer/signed-out"
        for target in (path, f"{path}?state=x", f"{path}?state={step}"):
            assert (await browser.get(target)).status == 400, target
        other = path.replace("employer", "other")
        assert (await browser.get(f"{other}?state={sent['state']}")).status == 400
        assert (await Browser(deployment).get(f"{path}?state={sent['state']}")).status == 400


@pytest.mark.parametrize(
    "metadata", [{"end_session_endpoint": None}, {"end_session_endpoint": "javascript:alert(1)"}, {"issuer": "other"}]
)
async def test_without_an_address_there_a_page_says_that_the_session_there_goes_on(
    tmp_path: Path, open_deployment: OpenDeployment, metadata: dict[str, str | None]
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True, signs_out_there=True) as (
        employer,
        deployment,
    ):
        browser = await at_account(employer, deployment)
        employer.metadata = metadata
        authority = deployment.service.authority
        authority.issuer_metadata = IssuerMetadata(authority.issuer_metadata.client)  # as after a restart
        page = await signed_out(browser)
        assert b"you may still be signed in to Employer Ltd" in page.body
        assert COOKIE not in browser.cookies


async def test_a_sign_out_stays_here_unless_the_operator_wants_more(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        browser = await at_account(employer, deployment)
        page = await signed_out(browser)
        assert "refresh" not in page.headers
        kept = await deployment.store.get(ISSUERS, "employer")
        assert kept is not None
        changed = msgspec.structs.replace(kept, signs_out_there=True, version=2)
        await deployment.store.save(ISSUERS, changed, deployment.now)
        browser = Browser(deployment)
        await browser.sign_in(await browser.get(ACCOUNT))  # at no issuer
        page = await signed_out(browser)
        assert "refresh" not in page.headers
