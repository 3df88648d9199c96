"""Consent: asked once, again when something changes, and withdrawn (RFC 6749 §10.2, RFC 8252 §8.6, ASVS 10.7)."""

import pytest

from credence.oauth.parameters.scopes import ALL_SCOPES
from tests.deployment import REPORT_PATH, Deployment
from tests.sign_in.browsing import (
    ACCOUNT,
    CALLBACK,
    CONSENT,
    Browser,
    answer_of,
    authorized,
    form_of,
    redeem,
    request_of,
    with_browser_application,
)


async def test_the_page_says_who_for_what_until_when_and_where_to(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = (await browser.sign_in(await browser.get(request_of(application)))).body.decode()
    for text in (
        application.name,
        "app.example.com",
        "ada",
        "see who you are",
        "see your name",
        "read credit reports on companies",
        "1 day",
    ):
        assert text in page, text


@pytest.mark.parametrize("scope", ALL_SCOPES)
async def test_every_scope_can_be_consented_to_in_words(deployment: Deployment, scope: str) -> None:
    application = await with_browser_application(deployment, scopes=tuple(ALL_SCOPES))
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application, scope=scope)))
    assert b'name="decision"' in page.body
    assert f"<li>{scope}</li>".encode() not in page.body


async def test_a_person_who_refuses_sends_the_application_away(deployment: Deployment) -> None:
    """The module fapi2-user-rejects-authentication."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(request_of(application)))
    answer = answer_of(await browser.submit(consent, decision="refuse"))
    assert (answer["error"], answer["state"]) == ("access_denied", "xyz")
    assert await deployment.store.consents_of("ada") == []


@pytest.mark.parametrize(
    "change",
    [
        {"redirect_uris": (CALLBACK, "https://app.example.com/second")},
        {"authentication": "private_key_jwt"},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_consent_is_asked_again_when_the_application_changes(
    deployment: Deployment, change: dict[str, object]
) -> None:
    browser = Browser(deployment)
    await authorized(browser, await with_browser_application(deployment))
    changed = await with_browser_application(deployment, **change)
    assert b'name="decision"' in (await browser.get(request_of(changed))).body


async def test_consent_is_asked_again_for_a_further_scope_and_covers_both_afterwards(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application, scope="openid")
    page = await browser.get(request_of(application, scope="openid email"))
    assert b'name="decision"' in page.body
    await browser.submit(page, decision="allow")
    for scope in ("openid", "openid email", "email"):
        assert "code" in answer_of(await browser.get(request_of(application, scope=scope)))


async def test_prompt_consent_asks_again(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    deployment.now += 1_000
    page = await browser.get(request_of(application, prompt="consent"))
    assert b'name="decision"' in page.body
    assert "code" in answer_of(await browser.submit(page, decision="allow"))


async def test_a_first_party_application_asks_nobody(deployment: Deployment) -> None:
    application = await with_browser_application(deployment, first_party=True)
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)))
    reply = await redeem(deployment, answer_of(page)["code"])
    assert reply.status == 200


async def test_a_public_client_on_this_computer_asks_each_time_with_a_warning(deployment: Deployment) -> None:
    """RFC 8252 §8.6: another program could use its name."""
    uri = "http://127.0.0.1/done"
    application = await with_browser_application(
        deployment,
        redirect_uris=(uri,),
        application_type="native",
        authentication="none",
        secrets=(),
        grants=("authorization_code",),
    )
    browser = Browser(deployment)
    await authorized(browser, application, redirect_uri=uri)
    deployment.now += 1_000
    page = await browser.get(request_of(application, redirect_uri=uri))
    assert b"a program on this computer" in page.body
    silent = await browser.get(request_of(application, redirect_uri=uri, prompt="none"))
    assert answer_of(silent)["error"] == "consent_required"
    assert deployment.service.counts.refusals["authorization.consent_required"] == 1


async def test_withdrawing_it_on_the_account_page_ends_every_token(deployment: Deployment) -> None:
    """ASVS 10.7.3."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await authorized(browser, application, scope="openid offline_access credit:report")
    tokens = (await redeem(deployment, answer_of(page)["code"])).json
    account = await browser.get(ACCOUNT)
    assert application.name.encode() in account.body
    _, hidden = form_of(account)
    after = await browser.post(ACCOUNT, {**hidden, "client_id": application.client_id}.items())
    assert b"No applications have access to your account" in after.body
    headers = [("Authorization", f"Bearer {tokens['access_token']}")]
    assert (await deployment.send("GET", f"{REPORT_PATH}/99999999", headers)).status == 401


async def test_a_code_of_before_the_withdrawal_is_refused(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    code = answer_of(await authorized(browser, application))["code"]
    await deployment.store.withdraw_consent("ada", application.client_id, deployment.now)
    assert (await redeem(deployment, code)).json["error"] == "invalid_grant"


async def test_a_consent_form_of_another_browser_is_refused(deployment: Deployment) -> None:
    """threats E5: consent cannot be given for somebody."""
    application = await with_browser_application(deployment)
    attacker, victim = Browser(deployment), Browser(deployment)
    _, hidden = form_of(await attacker.sign_in(await attacker.get(request_of(application))))
    await victim.sign_in(await victim.get(request_of(application)))
    reply = await victim.post(CONSENT, {**hidden, "decision": "allow"}.items())
    assert reply.status == 400
    assert await deployment.store.consents_of("ada") == []


async def test_consent_without_a_session_asks_to_sign_in(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(request_of(application)))
    del browser.cookies["__Host-credence-session"]
    page = await browser.submit(consent, decision="allow")
    assert b'name="username"' in page.body
    assert await deployment.store.consents_of("ada") == []


async def test_the_page_leads_to_the_policy_and_the_terms_and_loads_nothing_from_there(deployment: Deployment) -> None:
    """The modules oidcc-registration-policy-uri and -tos-uri: links, opened without referrer."""
    pages = {"policy_uri": "https://app.example.com/p?a=1&b=<", "terms_uri": "https://app.example.com/t"}
    application = await with_browser_application(deployment, **pages)
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)))
    text = page.body.decode()
    for address in ("https://app.example.com/p?a=1&amp;b=&lt;", "https://app.example.com/t"):
        assert f'<a href="{address}" target="_blank" rel="noopener noreferrer">' in text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<img" not in text
