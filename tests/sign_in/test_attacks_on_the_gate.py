"""What a thief with a password once did before the check that should have stopped it (threats E11, E12)."""

import pytest

from credence.access.rules import AccessRules
from credence.identity import accounts
from tests.deployment import NOW, Deployment, Reply, ada
from tests.sign_in.authenticator import Passkey, options_of, use, with_passkey
from tests.sign_in.browsing import (
    ACCOUNT,
    CHANGE_PASSWORD,
    CONSENT,
    Browser,
    answer_of,
    authorized,
    form_of,
    request_of,
    with_browser_application,
)
from tests.sign_in.factors import ASKS, COOKIE, FACTORS, act, code_of, enrolled

SIGN_IN_PAGE = b'action="/oauth2/v1/sign-in"'
OFFICE = AccessRules(networks=("10.0.0.0/8",))
"""A network in which no browser of these tests is."""


async def test_the_step_of_a_login_that_lacks_the_factor_neither_shows_the_account_nor_ends_sessions(
    deployment: Deployment,
) -> None:
    """The thief sent the hidden field of the page for the code to /account."""
    owner, thief = Browser(deployment), Browser(deployment)
    await enrolled(owner)
    await deployment.change_account(sign_in="factor")
    page = await thief.sign_in(await thief.get(ACCOUNT))
    assert ASKS in page.body
    _, hidden = form_of(page)
    sessions = await deployment.store.sessions_of("ada")
    for fields in ({"session": form_of(await owner.get(ACCOUNT))[1].get("session", "")}, {"act": "data"}, {}):
        reply = await thief.post(ACCOUNT, {**hidden, **fields}.items())
        assert SIGN_IN_PAGE in reply.body
    for name in ("set-up", "renew", "remove", "add-passkey", "remove-passkey", "confirm", "passkey"):
        reply = await thief.post(FACTORS, {**hidden, "act": name}.items())
        assert SIGN_IN_PAGE in reply.body or ASKS in reply.body, name
    assert await deployment.store.sessions_of("ada") == sessions
    assert COOKIE not in thief.cookies


async def test_a_consent_is_stored_only_when_it_is_what_the_request_needs_next(deployment: Deployment) -> None:
    """With a session by password alone the thief sent the consent of an application that needs a second factor.

    Later the owner was not asked.
    """
    application = await with_browser_application(deployment, sign_in="factor")
    thief = Browser(deployment)
    await thief.sign_in(await thief.get(ACCOUNT))
    page = await thief.get(request_of(application))
    assert b"Your account requires two-factor authentication" in page.body
    _, hidden = form_of(page)
    reply = await thief.post(CONSENT, {**hidden, "decision": "allow"}.items())
    assert b"Your account requires two-factor authentication" in reply.body
    assert await deployment.store.consents_of("ada") == []


@pytest.mark.parametrize("owner_of_the_rules", ["application", "account"])
async def test_a_consent_from_an_excluded_network_is_not_stored(
    deployment: Deployment, owner_of_the_rules: str
) -> None:
    application = await with_browser_application(deployment)
    thief = Browser(deployment)
    page = await thief.sign_in(await thief.get(request_of(application)))
    change = deployment.change_account if owner_of_the_rules == "account" else deployment.change_application
    await change(rules=OFFICE)
    assert (await thief.submit(page, decision="allow")).status == 403
    assert await deployment.store.consents_of("ada") == []


async def test_the_networks_of_an_account_hold_on_its_own_pages(deployment: Deployment) -> None:
    """A thief outside the network changed the password and set up a factor."""
    thief = Browser(deployment)
    await thief.sign_in(await thief.get(ACCOUNT))
    form = await thief.get(CHANGE_PASSWORD)
    account = await thief.get(ACCOUNT)
    await deployment.change_account(rules=OFFICE)
    kept = await deployment.store.account("ada")
    typed = {"current": "correct horse battery", "password": "four unrelated words", "again": "four unrelated words"}
    _, hidden = form_of(account, FACTORS)
    replies: list[Reply] = [
        await thief.get(ACCOUNT),
        await thief.get(CHANGE_PASSWORD),
        await thief.submit(form, **typed),
        await thief.post(FACTORS, {**hidden, "act": "set-up"}.items()),
    ]
    assert [reply.status for reply in replies] == [403] * 4
    assert await deployment.store.account("ada") == kept


async def test_a_code_does_not_add_a_passkey_to_an_account_that_needs_one(deployment: Deployment) -> None:
    """A thief with password and code, who lacks the passkey, made one; now the passkey that exists is needed for it."""
    owner = Browser(deployment)
    app, _ = await enrolled(owner)
    passkey = await _added(owner)
    thief = Browser(deployment)
    page = await thief.submit(await thief.sign_in(await thief.get(ACCOUNT)), code=code_of(app, deployment))
    waiting = await act(thief, "add-passkey")
    await deployment.change_account(sign_in="passkey")
    reply = await thief.submit(waiting, response=Passkey().created(options_of(waiting)), name="Of the thief")
    assert b"Use your passkey" in reply.body
    kinds = [each.id for each in await deployment.store.factors_of("ada") if each.kind == "passkey"]
    assert kinds == [passkey.id]
    assert b"Your account" in page.body


async def _added(browser: Browser) -> Passkey:
    passkey, page = Passkey(), await act(browser, "add-passkey")
    await browser.submit(page, response=passkey.created(options_of(page)), name="Telephone")
    return passkey


async def test_a_passkey_is_added_on_the_way_by_password_and_then_the_code_of_the_app(deployment: Deployment) -> None:
    """An account that must have a passkey and has only an app: the app is proved first, and no session opens before."""
    app, _ = await enrolled(Browser(deployment))
    await deployment.change_account(sign_in="passkey")
    browser, passkey = Browser(deployment), Passkey()
    page = await browser.sign_in(await browser.get(ACCOUNT))
    assert ASKS in page.body
    page = await browser.submit(page, code=code_of(app, deployment))
    assert b"Your account requires a passkey" in page.body
    assert COOKIE not in browser.cookies
    page = await browser.submit(page, response=passkey.created(options_of(page)), name="Telephone")
    assert b"Where you are signed in" in page.body


@pytest.mark.parametrize("by", ["password", "passkey"])
async def test_a_service_account_has_no_session(deployment: Deployment, by: str) -> None:
    """It belongs to a program. The right password says so, a wrong one does not."""
    passkey = await with_passkey(deployment) if by == "passkey" else Passkey()
    await deployment.change_account(type="service")
    browser = Browser(deployment)
    page = await browser.get(ACCOUNT)
    if by == "password":
        assert b"This is a service account" not in (await browser.sign_in(page, password="wrong")).body
        page = await browser.sign_in(page)
    else:
        page = await use(browser, page, passkey)
    assert b"This is a service account" in page.body
    assert COOKIE not in browser.cookies
    assert deployment.service.counts.refusals["account.service"] == 1


async def test_a_session_that_a_service_account_has_from_before_is_over(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    await deployment.change_account(type="service")
    assert SIGN_IN_PAGE in (await browser.get(ACCOUNT)).body
    assert answer_of(await browser.get(request_of(application, prompt="none")))["error"] == "login_required"


async def test_of_two_people_at_one_browser_the_form_of_the_first_does_nothing_for_the_second(
    deployment: Deployment,
) -> None:
    """The page with the key of an app was made for ada; grace has signed in since."""
    grace = accounts.register("grace", "user", ada().password_hash, NOW)
    await deployment.store.save_account(grace, NOW)
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    _, hidden = form_of(await act(browser, "set-up"))
    del browser.cookies[COOKIE]
    await browser.sign_in(await browser.get(ACCOUNT), "grace")
    assert SIGN_IN_PAGE in (await browser.post(FACTORS, {**hidden, "act": "confirm", "code": "000000"}.items())).body
    assert await deployment.store.factors_of("grace") == []
