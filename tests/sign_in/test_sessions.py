"""Signing in, staying signed in, and what ends it (D28, OpenID Connect Core §3.1.2.3, ASVS 7)."""

import html
import re
from typing import Any

import pytest

from credence.identity.sessions import session_key
from tests.deployment import NOW, PASSWORD, Deployment
from tests.sign_in.browsing import (
    ACCOUNT,
    CONSENT,
    SIGN_IN,
    SIGN_OUT,
    Browser,
    answer_of,
    authorized,
    form_of,
    request_of,
    with_browser_application,
)
from tests.sign_in.test_hostile_pages import assert_only_its_own_script

MINUTE = 60_000
COOKIE = "__Host-credence-session"


async def test_a_person_who_is_signed_in_is_not_asked_again(deployment: Deployment) -> None:
    """The modules oidcc-prompt-none-logged-in and single sign-on across applications."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    for prompt in (None, "none"):
        reply = await browser.get(request_of(application, prompt=prompt))
        assert reply.status == 303
        assert answer_of(reply)["code"]


async def test_another_application_asks_for_consent_and_not_for_a_password(deployment: Deployment) -> None:
    browser = Browser(deployment)
    await authorized(browser, await with_browser_application(deployment))
    other = await deployment.another_application()
    application = await with_browser_application(other)
    page = await browser.get(request_of(application))
    assert b'name="decision"' in page.body
    silent = await browser.get(request_of(application, prompt="none"))
    assert answer_of(silent)["error"] == "consent_required"


async def test_prompt_login_asks_for_the_password_and_dates_the_sign_in_anew(deployment: Deployment) -> None:
    """The module oidcc-prompt-login."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    deployment.now += MINUTE
    page = await browser.get(request_of(application, prompt="login"))
    assert b'name="username"' in page.body
    assert answer_of(await browser.sign_in(page))["code"]


@pytest.mark.parametrize(("age", "asked"), [("61", False), ("59", True), ("0", True)])
async def test_max_age_asks_when_the_sign_in_is_older(deployment: Deployment, age: str, asked: bool) -> None:
    """The modules oidcc-max-age-1 and oidcc-max-age-10000."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    deployment.now += MINUTE
    reply = await browser.get(request_of(application, max_age=age))
    assert (reply.status == 200) is asked


async def test_a_hint_of_another_person_asks_to_sign_in(deployment: Deployment) -> None:
    """OpenID Connect Core §3.1.2.1: login_hint proposes the name, id_token_hint requires the person."""
    application = await with_browser_application(deployment)
    page = await Browser(deployment).get(request_of(application, login_hint="grace"))
    assert b'value="grace"' in page.body
    browser = Browser(deployment)
    await authorized(browser, application)
    wrong = await browser.get(request_of(application, id_token_hint="eyJ.x.y"))
    assert answer_of(wrong)["error"] == "invalid_request"


async def test_the_cookie_is_a_host_cookie_that_scripts_and_other_sites_do_not_get(deployment: Deployment) -> None:
    """RFC 6265bis §4.1.3.2, ASVS 3.3."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    reply = await browser.sign_in(await browser.get(request_of(application)))
    (cookie,) = (line for line in reply.cookies if line.startswith(f"{COOKIE}="))
    assert cookie.split("; ")[1:] == ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]
    assert len(browser.cookies[COOKIE]) == 43  # 256 bits in base64url


async def test_the_store_has_only_a_keyed_digest_of_the_cookie(deployment: Deployment) -> None:
    browser = Browser(deployment)
    await authorized(browser, await with_browser_application(deployment))
    (session,) = await deployment.store.sessions_of("ada")
    cookie = browser.cookies[COOKIE]
    assert cookie.encode() not in session.key
    assert session.key == session_key(deployment.service.authority.secrets.refresh, cookie)
    assert session.label == "Firefox on Linux"


async def test_a_new_sign_in_has_a_new_session_id(deployment: Deployment) -> None:
    """ASVS 7.2.4: an id from before the sign-in is worth nothing after it."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment, cookies={COOKIE: "A" * 43})
    await authorized(browser, application)
    first = browser.cookies[COOKIE]
    assert first != "A" * 43
    deployment.now += MINUTE
    await browser.sign_in(await browser.get(request_of(application, prompt="login")))
    assert browser.cookies[COOKIE] != first
    stale = Browser(deployment, cookies={COOKIE: first})
    assert answer_of(await stale.get(request_of(application, prompt="none")))["error"] == "login_required"


async def test_a_session_ends_after_half_an_hour_without_use(deployment: Deployment) -> None:
    """ASVS 7.3.1. Use extends it."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    for _ in range(3):
        deployment.now += 20 * MINUTE
        assert "code" in answer_of(await browser.get(request_of(application, prompt="none")))
    deployment.now += 30 * MINUTE
    assert answer_of(await browser.get(request_of(application, prompt="none")))["error"] == "login_required"


async def test_a_session_ends_after_twelve_hours_of_use(deployment: Deployment) -> None:
    """ASVS 7.3.2."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    while deployment.now < NOW + 12 * 60 * MINUTE - 20 * MINUTE:
        deployment.now += 20 * MINUTE
        assert "code" in answer_of(await browser.get(request_of(application, prompt="none")))
    deployment.now = NOW + 12 * 60 * MINUTE
    assert answer_of(await browser.get(request_of(application, prompt="none")))["error"] == "login_required"


@pytest.mark.parametrize(("ahead", "asked"), [(10_000, False), (10_001, True), (365 * 24 * 60 * MINUTE, True)])
async def test_a_session_that_began_while_the_clock_was_ahead_ends_with_that_clock(
    deployment: Deployment, ahead: int, asked: bool
) -> None:
    """threats T11: it would be neither idle nor too old until then. Nodes may be ten seconds apart."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    deployment.now = NOW + ahead
    await authorized(browser, application)
    deployment.now = NOW
    answered = answer_of(await browser.get(request_of(application, prompt="none")))
    assert (answered.get("error") == "login_required") is asked


@pytest.mark.parametrize("change", [{"status": "suspended"}, {"not_before": NOW + 1}], ids=str)
async def test_a_change_of_the_account_ends_its_sessions(deployment: Deployment, change: dict[str, Any]) -> None:
    """ASVS 7.4.1, 7.4.3, threats L5."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    await deployment.change_account(**change)
    assert answer_of(await browser.get(request_of(application, prompt="none")))["error"] == "login_required"


@pytest.mark.parametrize(("username", "password"), [("ada", "wrong"), ("nobody", PASSWORD)])
async def test_a_wrong_name_or_password_says_the_same_and_keeps_the_name(
    deployment: Deployment, username: str, password: str
) -> None:
    """threats A1, A2."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)), username, password)
    assert b"Incorrect username or password." in page.body
    assert f'value="{username}"'.encode() in page.body
    assert COOKIE not in browser.cookies
    assert password.encode() not in page.body


async def test_the_sixth_wrong_password_is_throttled_and_the_right_one_too(deployment: Deployment) -> None:
    """threats A4: the limits of the password grant hold for the page."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.get(request_of(application))
    for _ in range(5):
        page = await browser.sign_in(page, password="wrong")
    page = await browser.sign_in(page)
    assert (page.status, page.headers["retry-after"]) == (429, "180")
    assert b"Too many attempts. Try again in 3 minutes." in page.body
    assert deployment.service.counts.refusals["password.throttled_origin"] == 1


async def test_an_account_that_is_not_active_is_told_so_only_after_the_right_password(deployment: Deployment) -> None:
    """D3, D14."""
    application = await with_browser_application(deployment)
    await deployment.change_account(status="locked")
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)), password="wrong")
    assert b"Incorrect username or password." in page.body
    page = await browser.sign_in(page)
    assert b"This account cannot sign in" in page.body


@pytest.mark.parametrize(("typed", "problem"), [("", b"Enter your username"), ("ada", b"Enter your password")])
async def test_a_forgotten_field_is_asked_for(deployment: Deployment, typed: str, problem: bytes) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)), typed, "")
    assert problem in page.body


async def test_a_form_of_another_browser_is_refused(deployment: Deployment) -> None:
    """Login CSRF, threats E5: an attacker cannot sign a victim in to the attacker's account."""
    application = await with_browser_application(deployment)
    attacker, victim = Browser(deployment), Browser(deployment)
    _, hidden = form_of(await attacker.get(request_of(application)))
    await victim.get(request_of(application))
    reply = await victim.post(SIGN_IN, {**hidden, "username": "ada", "password": PASSWORD}.items())
    assert reply.status == 400
    assert COOKIE not in victim.cookies


async def test_a_form_that_the_browser_says_comes_from_elsewhere_is_refused(deployment: Deployment) -> None:
    """Fetch Metadata §2.2; a sibling host that tosses a cookie is `same-site`."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    _, hidden = form_of(await browser.get(request_of(application)))
    for site in ("cross-site", "same-site"):
        typed = {**hidden, "username": "ada", "password": PASSWORD}.items()
        assert (await browser.post(SIGN_IN, typed, ("Sec-Fetch-Site", site))).status == 400


async def test_a_page_that_was_open_too_long_says_so(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.get(request_of(application))
    deployment.now += 61 * MINUTE
    late = await browser.sign_in(page)
    assert late.status == 400
    assert b"open for too long" in late.body
    (restart,) = re.findall(r'<a class="button" href="([^"]+)"', late.body.decode())
    again = await browser.sign_in(await browser.get(html.unescape(restart)))
    assert answer_of(await browser.submit(again, decision="allow"))["state"] == "xyz"


@pytest.mark.parametrize(
    ("target", "leads"),
    [
        (ACCOUNT, ACCOUNT),
        ("/device?user_code=WDJB-MJHT", "/device?user_code=WDJB-MJHT"),
        (f"{SIGN_OUT}?state=s1", f"{SIGN_OUT}?state=s1"),
    ],
)
async def test_every_page_that_was_open_too_long_leads_back_to_its_beginning(
    deployment: Deployment, target: str, leads: str
) -> None:
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    page = await browser.get(target)
    deployment.now += 61 * MINUTE
    late = await browser.submit(page)
    assert late.status == 400
    assert f'<a class="button" href="{leads}">Start again</a>'.encode() in late.body


@pytest.mark.parametrize("path", [SIGN_IN, CONSENT, "/oauth2/v1/second-factor", "/oauth2/v1/passkey"])
async def test_the_address_of_a_form_alone_is_a_page_that_says_so(deployment: Deployment, path: str) -> None:
    """A person who opens it from the history of the browser gets words and no JSON; other methods get the house form."""
    page = await Browser(deployment).get(path)
    assert (page.status, page.headers["allow"]) == (405, "POST")
    assert page.headers["content-type"].startswith("text/html")
    assert b"This address only receives a form from another page" in page.body


@pytest.mark.parametrize("page", ["sign-in", "consent", "account", "error"])
async def test_no_page_may_be_framed_stored_or_name_itself_to_another_site(deployment: Deployment, page: str) -> None:
    """RFC 9700 §4.2.4, §4.16, threats E4."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    reply = await browser.get(request_of(application))
    if page == "consent":
        reply = await browser.sign_in(reply)
    elif page == "account":
        await browser.sign_in(reply)
        reply = await browser.get(ACCOUNT)
    elif page == "error":
        reply = await browser.get(request_of(application, client_id=None))
    policy = reply.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self'" in policy
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert_only_its_own_script(reply, has_script=page == "sign-in")


async def test_the_sign_in_is_in_the_audit_trail_and_the_password_nowhere(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    await authorized(Browser(deployment), application)
    deployment.service.audit.flush()
    trail = "".join(file.read_text() for file in sorted(deployment.service.settings.audit_folder.iterdir()))
    for event in ("signed_in", "consent_given", "authorized"):
        assert f'"{event}"' in trail
    assert PASSWORD not in trail
