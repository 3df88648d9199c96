"""Who signs in at an issuer alone, and for what an issuer's sign-in counts (threats E14)."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest

from credence.store.records import Application
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, link_id
from tests.deployment import NOW, Deployment, OpenDeployment
from tests.sign_in.browsing import ACCOUNT, Browser, answer_of, request_of, with_browser_application
from tests.sign_in.devices import ask, enter, with_device_application
from tests.sign_in.employer import Employer, employing, leave, sign_in_there

JANES = "jane@employer.example"
COOKIE = "__Host-credence-session"


class Employing(Protocol):
    def __call__(self, **changes: Any) -> AbstractAsyncContextManager[tuple[Employer, Deployment]]: ...


@pytest.fixture
def employed(tmp_path: Path, open_deployment: OpenDeployment) -> Employing:
    return lambda **changes: employing(tmp_path, open_deployment, **{"makes_accounts": True, **changes})


async def with_account(deployment: Deployment, **changes: Any) -> None:
    """Add an account with Ada's password that has never signed in at the issuer."""
    ada = await deployment.store.account("ada")
    assert ada is not None
    await deployment.store.save_account(msgspec.structs.replace(ada, **{"version": 1, **changes}), NOW)


async def change_issuer(deployment: Deployment, **changes: Any) -> None:
    kept = await deployment.store.get(ISSUERS, "employer")
    assert kept is not None
    changed = msgspec.structs.replace(kept, version=kept.version + 1, **changes)
    await deployment.store.save(ISSUERS, changed, deployment.now)


async def with_another_application(deployment: Deployment, application: Application) -> Application:
    """Add an application of the operator at the same address, which no issuer names."""
    made = (await deployment.another_application()).application
    other = msgspec.structs.replace(
        made,
        grants=application.grants,
        redirect_uris=application.redirect_uris,
        first_party=True,
        version=made.version + 1,
    )
    await deployment.store.save_application(other, NOW)
    return other


@pytest.mark.parametrize(
    ("changes", "accepted"),
    [
        ({"username": JANES}, False),
        ({"username": "jane", "email": "Jane@Employer.Example"}, False),
        ({"username": "jane", "email": "jane@other.example"}, True),
        ({"username": JANES, "console_role": "owner"}, True),
        ({"username": JANES, "type": "service"}, True),
    ],
)
async def test_an_address_of_the_employer_has_no_password_where_the_employer_is_the_only_way(
    employed: Employing, changes: dict[str, Any], accepted: bool
) -> None:
    async with employed(only_way=True) as (_, deployment):
        await with_account(deployment, **changes)
        assert ((await deployment.login(changes["username"])).status == 200) is accepted


async def test_a_person_at_an_address_of_the_employer_cannot_sign_in_by_password(employed: Employing) -> None:
    async with employed(only_way=True) as (_, deployment):
        await with_account(deployment, username="jane", email=JANES)
        browser = Browser(deployment)
        page = await browser.sign_in(await browser.get(ACCOUNT), "jane")
        assert b"You sign in with your organisation" in page.body
        assert COOKIE not in browser.cookies


async def test_an_owner_at_an_address_of_the_employer_can_sign_in_by_password(employed: Employing) -> None:
    """A fault of the employer must not lock every owner out."""
    async with employed(only_way=True) as (employer, deployment):
        await with_account(deployment, username=JANES, console_role="owner")
        browser = Browser(deployment)
        employer.metadata = {"issuer": "another"}
        page = await browser.submit(await browser.get(ACCOUNT), username=JANES)
        assert b"does not work at the moment" in page.body
        await browser.sign_in(page, JANES)
        assert COOKIE in browser.cookies


async def test_another_at_such_an_address_has_no_password_while_the_employer_is_out_of_order(
    employed: Employing,
) -> None:
    async with employed(only_way=True) as (employer, deployment):
        await with_account(deployment, username=JANES)
        browser = Browser(deployment)
        employer.metadata = {"issuer": "another"}
        page = await browser.sign_in(await browser.submit(await browser.get(ACCOUNT), username=JANES), JANES)
        assert b"You sign in with your organisation" in page.body
        assert COOKIE not in browser.cookies


async def test_the_password_grant_opens_no_application_whose_only_way_is_an_issuer(employed: Employing) -> None:
    async with employed(only_way=True, mail_domains=()) as (_, deployment):
        assert (await deployment.login()).status == 200
        await change_issuer(deployment, applications=(deployment.application.client_id,))
        assert (await deployment.login()).status == 401


async def test_a_session_by_password_does_not_count_where_an_issuer_is_the_only_way(employed: Employing) -> None:
    async with employed(only_way=True, mail_domains=()) as (employer, deployment):
        application = await with_browser_application(deployment)
        browser = Browser(deployment)
        await browser.sign_in(await browser.get(ACCOUNT))
        await change_issuer(deployment, applications=(application.client_id,))
        page = await browser.get(request_of(application))
        assert b"Sign in with Employer Ltd" in page.body
        assert b'name="password"' not in page.body
        page = await sign_in_there(employer, browser, page)
        assert b"Allow" in page.body


async def test_each_issuer_that_is_an_only_way_has_a_button(employed: Employing) -> None:
    async with employed(only_way=True, mail_domains=()) as (_, deployment):
        application = await with_browser_application(deployment)
        await change_issuer(deployment, applications=(application.client_id,))
        kept = await deployment.store.get(ISSUERS, "employer")
        assert kept is not None
        other = msgspec.structs.replace(
            kept, id="other", issuer="https://other.example", name="Other Ltd", version=1, client_id="c2"
        )
        await deployment.store.save(ISSUERS, other, NOW)
        page = await Browser(deployment).get(request_of(application))
        assert b"Sign in with Employer Ltd" in page.body
        assert b"Sign in with Other Ltd" in page.body


async def test_a_session_of_an_issuer_counts_only_for_the_applications_of_the_issuer(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        application = await with_browser_application(deployment)
        await change_issuer(deployment, applications=(application.client_id,))
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(request_of(application)))
        assert "code" in answer_of(await browser.submit(page, decision="allow"))
        other = await with_another_application(deployment, application)
        page = await browser.get(request_of(other))
        assert b'name="username"' in page.body
        assert b"Employer Ltd" not in page.body
        assert answer_of(await browser.get(request_of(other, prompt="none")))["error"] == "login_required"
        assert "code" in answer_of(await browser.sign_in(page))


async def test_a_password_counts_where_the_sign_in_at_an_issuer_before_it_does_not(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        application = await with_browser_application(deployment)
        await change_issuer(deployment, applications=(application.client_id,))
        link = IssuerLink(link_id("employer", "jane-1"), "employer", "jane-1", "ada", NOW)
        await deployment.store.save(LINKS, link, NOW)
        await deployment.change_account(issuers="employer")
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(request_of(application)))
        assert "code" in answer_of(await browser.submit(page, decision="allow"))
        other = await with_another_application(deployment, application)
        page = await browser.get(request_of(other))
        assert b'name="username"' in page.body
        assert "code" in answer_of(await browser.sign_in(page))
        assert "code" in answer_of(await browser.get(request_of(other)))


async def test_a_session_of_an_issuer_that_is_disabled_since_counts_for_no_more_applications(
    employed: Employing,
) -> None:
    async with employed() as (employer, deployment):
        application = await with_browser_application(deployment)
        browser = Browser(deployment)
        await sign_in_there(employer, browser, await browser.get(request_of(application)))
        await change_issuer(deployment, applications=("another",), disabled=True)
        page = await browser.get(request_of(application))
        assert b'name="username"' in page.body


async def test_a_consent_page_that_was_open_is_of_no_use_once_the_issuer_is_for_others(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        application = await with_browser_application(deployment)
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(request_of(application)))
        await change_issuer(deployment, applications=("another",))
        page = await browser.submit(page, decision="allow")
        assert b'name="username"' in page.body


async def test_a_response_of_an_issuer_that_is_not_for_the_application_signs_nobody_in(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        application = await with_browser_application(deployment)
        browser = Browser(deployment)
        back = employer.authorize(await leave(browser, await browser.get(request_of(application))))
        await change_issuer(deployment, applications=("another",))
        page = await browser.get(back)
        assert (page.status, b"is not for this application" in page.body) == (400, True)
        assert COOKIE not in browser.cookies
        assert employer.paths.count("/token") == 0


async def test_a_sign_in_of_unknown_age_is_not_recent(employed: Employing) -> None:
    """Who signs out here and in again may not have proved anything there: without `auth_time` the session may be old."""
    async with employed() as (employer, deployment):
        browser = Browser(deployment)
        employer.id_token = {"auth_time": None}
        await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        assert JANES.encode() in (await browser.get(ACCOUNT)).body
        page = await browser.get("/account/mail-address")
        assert b"Sign in with Employer Ltd" in page.body
        page = await sign_in_there(employer, browser, page)
        assert b"your organisation reported an earlier sign-in" in page.body
        await deployment.change_account(JANES, not_before=deployment.now)
        deployment.now += 60_000
        again = Browser(deployment)
        await sign_in_there(employer, again, await again.get(ACCOUNT))
        assert JANES.encode() in (await again.get(ACCOUNT)).body


async def test_a_device_is_not_connected_by_a_session_that_does_not_count_for_its_application(
    employed: Employing,
) -> None:
    async with employed() as (employer, deployment):
        application = await with_device_application(deployment)
        browser = Browser(deployment)
        await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        code = (await ask(deployment)).json["user_code"]
        await change_issuer(deployment, applications=("another",))
        page = await enter(browser, code)
        assert (page.status, b"Sign out, enter the code again" in page.body) == (400, True)
        assert b'href="/oauth2/v1/sign-out"' in page.body
        await change_issuer(deployment, applications=(application.client_id,))
        assert b'name="decision"' in (await enter(browser, code)).body
