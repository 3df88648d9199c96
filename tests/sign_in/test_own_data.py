"""What a person reads about themselves on the account page: which application used its access when, and all as a file."""

import json
from typing import Any

import msgspec
import pytest

from credence.management.instants import instant
from credence.monitoring.mailing import set_mail
from credence.store.records import Account, Application
from credence.store.saved_views import SavedView, SavedViews, save_views
from credence.store.trusted_issuers import LINKS, IssuerLink, link_id
from tests.deployment import PASSWORD, Deployment
from tests.sign_in.browsing import ACCOUNT, Browser, answer_of, authorized, form_of, redeem, with_browser_application
from tests.sign_in.factors import COOKIE, enrolled


async def data_of(browser: Browser) -> dict[str, list[dict[str, object]]]:
    _, hidden = form_of(await browser.get(ACCOUNT), ACCOUNT)
    reply = await browser.post(ACCOUNT, {**hidden, "act": "data"}.items())
    assert reply.status == 200
    assert reply.headers["content-disposition"] == 'attachment; filename="account.json"'
    assert reply.headers["cache-control"] == "no-store"
    content: dict[str, list[dict[str, object]]] = json.loads(reply.body)
    return content


async def test_the_account_page_says_when_an_application_last_used_its_access(deployment: Deployment) -> None:
    """ASVS 10.7.3; the file has the same, and every sign-in."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    code = answer_of(await authorized(browser, application))["code"]
    assert b"not used recently" in (await browser.get(ACCOUNT)).body
    deployment.now += 50_000
    assert (await redeem(deployment, code)).status == 200
    assert b"not used recently" not in (await browser.get(ACCOUNT)).body
    data = await data_of(browser)
    (access,), (sign_in,), (session,) = data["applications"], data["sign_ins"], data["sessions"]
    assert access["client_id"] == sign_in["client_id"] == application.client_id
    assert sign_in["at"] == data["made_at"]
    assert str(session["browser"]) == "Firefox on Linux"


async def test_the_file_is_of_the_person_alone_and_has_nothing_secret(deployment: Deployment) -> None:
    browser = Browser(deployment)
    app, recovery_codes = await enrolled(browser)
    text = json.dumps(await data_of(browser))
    assert '"username": "ada"' in text
    assert '"kind": "totp"' in text or '"kind": "app"' in text
    for secret in (PASSWORD, browser.cookies[COOKIE], app.secret, *recovery_codes, "argon2"):
        assert secret not in text


async def test_the_file_has_every_field_of_the_account_but_its_password(deployment: Deployment) -> None:
    """UK GDPR art. 15: what an operator decides about a person is about that person."""
    await with_browser_application(deployment)
    await deployment.change_account(console_role="support", developer=True, workbench_for="crd_sbx_app_x")
    link = IssuerLink(link_id("employer", "248289761001"), "employer", "248289761001", "ada", deployment.now)
    await deployment.store.save(LINKS, link, deployment.now)
    application = Application("crd_sbx_app_own", "Own", (), deployment.now, owner="ada")
    await deployment.store.save_application(application, deployment.now)
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    data = await data_of(browser)
    account: Any = data["account"]
    assert (account["console_role"], account["workbench_for"]) == ("support", "crd_sbx_app_x")
    assert [each["client_id"] for each in data["own_applications"]] == ["crd_sbx_app_own"]
    assert data["logins_at_issuers"] == [
        {"issuer": "employer", "subject": "248289761001", "linked_at": instant(deployment.now)}
    ]
    renamed = {"not_before", "sign_in", "developer", "type", "version", "password_hash", "password_version"}
    assert {each.name for each in msgspec.structs.fields(Account)} - renamed <= account.keys()


async def test_the_file_has_the_saved_views_of_the_book_and_whether_alerts_come_by_email(
    deployment: Deployment,
) -> None:
    """UK GDPR art. 15: the text of a filter is what the person typed."""
    views = SavedViews("ada", "crd_sbx_app_x", 1).having(SavedView("North", {"q": "north"}))
    await save_views(deployment.store, views)
    await set_mail(deployment.store, "ada", wanted=True)
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    data: Any = await data_of(browser)
    assert data["workbench"] == {
        "alerts_by_email": True,
        "saved_views": {"crd_sbx_app_x": [{"name": "North", "filters": {"q": "north"}}]},
    }


@pytest.mark.parametrize("policy", ["factor", "passkey"])
async def test_a_sign_in_that_is_too_weak_gets_no_file(deployment: Deployment, policy: str) -> None:
    """A session of before the operator required more opens the account page no further either."""
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(ACCOUNT))
    _, hidden = form_of(page, ACCOUNT)
    await deployment.change_account(sign_in=policy)
    reply = await browser.post(ACCOUNT, {**hidden, "act": "data"}.items())
    assert "content-disposition" not in reply.headers
