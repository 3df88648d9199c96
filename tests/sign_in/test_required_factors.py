"""What requires a second factor, and what happens to a person who has not proved one (OpenID Connect Core §3.1.2.1)."""

import pytest

from tests.deployment import PASSWORD, Deployment, claims
from tests.sign_in.authenticator import signed_in, with_passkey
from tests.sign_in.browsing import (
    ACCOUNT,
    Browser,
    answer_of,
    authorized,
    form_of,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.factors import (
    ASKS,
    CONTINUE,
    COOKIE,
    act,
    app_of,
    code_of,
    enrolled,
    recovery_codes,
)


@pytest.mark.parametrize("by", ["application", "account"])
async def test_a_required_factor_is_set_up_on_the_way_and_the_way_goes_on(deployment: Deployment, by: str) -> None:
    application = await with_browser_application(deployment, **({"sign_in": "factor"} if by == "application" else {}))
    if by == "account":
        await deployment.change_account(sign_in="factor")
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)))
    assert b"Your account requires two-factor authentication" in page.body
    page = await browser.submit(page, act="confirm", code=code_of(app_of(page), deployment))
    assert len(recovery_codes(page)) == 10
    page = await browser.submit(page, act="go-on")
    page = await browser.submit(page, decision="allow")
    said = claims((await redeem(deployment, answer_of(page)["code"])).json["id_token"])
    assert said["acr"] == "2"


async def test_an_account_that_needs_a_factor_does_not_get_past_its_set_up(deployment: Deployment) -> None:
    await deployment.change_account(sign_in="factor")
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(ACCOUNT))
    assert b"Your account requires two-factor authentication" in page.body
    assert COOKIE not in browser.cookies
    assert b'name="username"' in (await browser.get(ACCOUNT)).body
    _, hidden = form_of(page)
    for path in (CONTINUE, ACCOUNT):
        assert b'name="username"' in (await browser.post(path, hidden.items())).body
    assert await deployment.store.sessions_of("ada") == []


@pytest.mark.parametrize("by", ["application", "account"])
async def test_the_password_grant_gives_nothing_where_a_factor_is_required(deployment: Deployment, by: str) -> None:
    if by == "application":
        await deployment.change_application(sign_in="factor")
    else:
        await deployment.change_account(sign_in="factor")
    reply = await deployment.login()
    assert reply.said[0] == 401
    assert deployment.service.counts.refusals["account.needs_factor"] == 1
    assert (await deployment.login(password=PASSWORD + "x")).body == reply.body


@pytest.mark.parametrize("factor", ["app", "passkey"])
async def test_the_password_grant_gives_nothing_for_a_person_who_has_a_factor_unless_the_application_may(
    deployment: Deployment, factor: str
) -> None:
    """A thief with the password needs neither the app nor the passkey otherwise. The set-up page says so."""
    browser = await signed_in(deployment)
    for name in ("set-up", "add-passkey"):
        assert (
            b"Programs that ask for your password themselves will no longer be able to sign you in, unless"
            in (await act(browser, name)).body
        )
    earlier = await deployment.tokens()
    await (with_passkey(deployment) if factor == "passkey" else enrolled(Browser(deployment)))
    refused = await deployment.login()
    assert refused.said[0] == 401
    assert deployment.service.counts.refusals["account.needs_factor"] == 1
    assert (await deployment.login(password=PASSWORD + "x")).body == refused.body
    assert (await deployment.refresh(earlier["refresh_token"])).status == 200
    await deployment.change_application(password_alone=True)
    assert (await deployment.login()).status == 200
    await deployment.change_account(sign_in="factor")
    assert (await deployment.login()).status == 401


async def test_acr_values_steps_up_a_session_and_keeps_the_time_of_the_sign_in(deployment: Deployment) -> None:
    """OpenID Connect Core §3.1.2.1, RFC 9470 §5: what a code adds does not make the password any newer."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    signed_in_at = deployment.now
    other = Browser(deployment)
    app, _ = await enrolled(other)
    silent = await browser.get(request_of(application, acr_values="2", prompt="none"))
    assert answer_of(silent)["error"] == "login_required"
    page = await browser.get(request_of(application, acr_values="2 phr"))
    assert ASKS in page.body
    first = browser.cookies[COOKIE]
    page = await browser.submit(page, code=code_of(app, deployment))
    assert browser.cookies[COOKIE] != first  # ASVS 7.2.4
    said = claims((await redeem(deployment, answer_of(page)["code"])).json["id_token"])
    assert (said["acr"], said["auth_time"]) == ("2", signed_in_at // 1000)
    assert "code" in answer_of(await browser.get(request_of(application, acr_values="2", prompt="none")))


@pytest.mark.parametrize("wish", ["2", "phr", "1", "urn:mace:incommon:iap:silver"])
async def test_a_wish_that_cannot_be_met_is_no_error(deployment: Deployment, wish: str) -> None:
    """The module oidcc-ensure-request-with-acr-values-succeeds: `acr` says what it was."""
    application = await with_browser_application(deployment)
    page = await authorized(Browser(deployment), application, acr_values=wish)
    assert claims((await redeem(deployment, answer_of(page)["code"])).json["id_token"])["acr"] == "1"


async def test_max_age_asks_for_both_factors_again(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    app, _ = await enrolled(browser)
    deployment.now += 60_000
    page = await browser.get(request_of(application, max_age="30"))
    assert b'name="username"' in page.body
    page = await browser.sign_in(page)
    assert ASKS in page.body
    await browser.submit(page, code=code_of(app, deployment))


async def test_an_essential_acr_leads_to_the_code_and_without_an_app_to_a_refusal(deployment: Deployment) -> None:
    """OpenID Connect Core §5.5.1.1."""
    application = await with_browser_application(deployment)
    wanted = '{"id_token": {"acr": {"essential": true, "values": ["2"]}}}'
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application, claims=wanted)))
    assert answer_of(page)["error"] == "unmet_authentication_requirements"
    app, _ = await enrolled(Browser(deployment))
    page = await browser.sign_in(await browser.get(request_of(application, claims=wanted)))
    assert ASKS in page.body
    page = await browser.submit(page, code=code_of(app, deployment))
    page = await browser.submit(page, decision="allow")
    said = claims((await redeem(deployment, answer_of(page)["code"])).json["id_token"])
    assert said["acr"] == "2"
