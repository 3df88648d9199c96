"""People sign in at their employer's OpenID provider (OpenID Connect Core §3.1, RFC 9207, RFC 9700 §4.4)."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest

from credence.identity.console_roles import with_console_role
from credence.store.records import Account
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, Right, link_id
from tests.deployment import NOW, PASSWORD, Deployment, OpenDeployment, claims
from tests.sign_in.browsing import ACCOUNT, Browser, answer_of, redeem, request_of, with_browser_application
from tests.sign_in.employer import JANE, STRANGER, Employer, employing, leave, sign_in_there, trust

JANES = "jane@employer.example"


class Employing(Protocol):
    def __call__(self, **changes: Any) -> AbstractAsyncContextManager[tuple[Employer, Deployment]]: ...


@pytest.fixture
def employed(tmp_path: Path, open_deployment: OpenDeployment) -> Employing:
    return lambda **changes: employing(tmp_path, open_deployment, **{"makes_accounts": True, **changes})


async def account(deployment: Deployment, username: str = JANES) -> Account:
    found = await deployment.store.account(username)
    assert found is not None
    return found


async def test_a_person_of_the_employer_gets_an_account_and_the_application_a_code(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        application = await with_browser_application(deployment)
        browser = Browser(deployment)
        page = await browser.get(request_of(application))
        assert b"Sign in with Employer Ltd" in page.body
        page = await sign_in_there(employer, browser, page)
        page = await browser.submit(page, decision="allow")
        tokens = (await redeem(deployment, answer_of(page)["code"])).json
        assert claims(tokens["id_token"])["sub"] == JANES
        assert claims(tokens["id_token"])["amr"] == ["fed"]
        made = await account(deployment)
        assert (made.issuers, made.email, made.email_verified) == ("employer", JANES, True)
        assert employer.paths.count("/par") == 1


async def test_an_address_of_the_employer_leads_there_and_no_password_is_wanted(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        browser = Browser(deployment)
        url = await leave(browser, await browser.get(ACCOUNT), username="Jane@Employer.example")
        assert url.startswith(f"{employer.issuer}/authorize?")
        request = employer.pushed[dict(parse_qsl(urlsplit(url).query))["request_uri"]]
        assert request["login_hint"] == "Jane@Employer.example"
        elsewhere = await browser.submit(await browser.get(ACCOUNT), username="jane@other.example")
        assert b'name="password"' in elsewhere.body


async def test_a_second_sign_in_finds_the_same_account_by_subject_whatever_the_address_is(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        first = Browser(deployment)
        await sign_in_there(employer, first, await first.get(ACCOUNT))
        employer.claims["email"] = "jane.smith@employer.example"
        second = Browser(deployment)
        await sign_in_there(employer, second, await second.get(ACCOUNT))
        assert JANES.encode() in (await second.get(ACCOUNT)).body
        assert await deployment.store.account("jane.smith@employer.example") is None


async def test_without_an_account_and_without_making_one_a_page_says_so(employed: Employing) -> None:
    async with employed(makes_accounts=False) as (employer, deployment):
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        assert (page.status, b"you have no account here yet" in page.body) == (400, True)
        assert b"Sign in" in (await browser.get(ACCOUNT)).body


@pytest.mark.parametrize(
    ("changes", "known"),
    [
        ({}, {}),
        ({"email_verified": False}, {}),
        ({"email_verified": "true"}, {}),
        ({"email": "jane@evil.example"}, {}),
        ({}, {"email_verified": False}),
        ({}, {"console_role": "support"}),
        ({}, {"issuers": "other"}),
    ],
)
async def test_only_an_address_that_both_sides_have_proved_links_an_account(
    employed: Employing, changes: dict[str, Any], known: dict[str, Any]
) -> None:
    async with employed(makes_accounts=False, links_by_mail=True, mail_domains=("employer.example",)) as (
        employer,
        deployment,
    ):
        ada = await account(deployment, "ada")
        proven = {"username": JANES, "version": 1, "email": JANES, "email_verified": True}
        jane = msgspec.structs.replace(ada, **{**proven, **known})
        await deployment.store.save_account(jane, NOW)
        employer.claims |= changes
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        links = await deployment.store.links_of(JANES)
        assert bool(links) is (not changes and not known), page.body


async def test_a_taken_address_is_not_taken_over(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        ada = await account(deployment, "ada")
        await deployment.store.save_account(msgspec.structs.replace(ada, username=JANES, version=1), NOW)
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        assert b"not connected to the sign-in of your organisation" in page.body
        assert await deployment.store.links_of(JANES) == []


async def test_rights_follow_the_groups_at_each_sign_in_and_an_owner_stays_one(employed: Employing) -> None:
    rights = (
        Right("groups", "credit", workbench_for="crd_sbx_app_1"),
        Right("groups", "ops", console_role="operator"),
        Right("groups", "helpdesk", console_role="support"),
        Right("department", "IT", developer=True),
    )
    async with employed(rights=rights) as (employer, deployment):

        async def rights_with(**more: Any) -> tuple[str, str, bool]:
            employer.claims = JANE | more
            browser = Browser(deployment)
            await sign_in_there(employer, browser, await browser.get(ACCOUNT))
            found = await account(deployment)
            return found.console_role, found.workbench_for, found.developer

        assert await rights_with(groups=["credit", "helpdesk", "ops"]) == ("operator", "crd_sbx_app_1", False)
        assert await rights_with(groups="helpdesk", department="IT") == ("support", "", True)
        assert await rights_with() == ("none", "", False)
        await deployment.store.save_account(with_console_role(await account(deployment), "owner"), NOW)
        assert (await rights_with(groups=["helpdesk"]))[0] == "owner"


FORGED: dict[str, tuple[dict[str, Any], dict[str, str | None]]] = {
    "another nonce": ({"nonce": "other"}, {}),
    "no nonce": ({"nonce": None}, {}),
    "another audience": ({"aud": "other"}, {}),
    "two audiences without azp": ({"aud": ["credence", "other"]}, {}),
    "azp of another": ({"azp": "other"}, {}),
    "another issuer": ({"iss": "https://evil.example"}, {}),
    "expired": ({"exp": NOW // 1000}, {}),
    "no subject": ({"sub": None}, {}),
    "another domain": ({"email": "jane@evil.example"}, {}),
    "iss of another (mix-up)": ({}, {"iss": "https://evil.example"}),
    "no iss (mix-up)": ({}, {"iss": None}),
    "an error": ({}, {"error": "access_denied"}),
    "no code": ({}, {"code": None}),
}


@pytest.mark.parametrize("forged", list(FORGED))
async def test_a_forged_response_signs_nobody_in(employed: Employing, forged: str) -> None:
    async with employed() as (employer, deployment):
        employer.id_token, answer = FORGED[forged]
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT), **answer)
        assert (page.status, b"You are not signed in" in page.body) == (400, True)
        assert await deployment.store.account(JANES) is None
        assert "__Host-credence-session" not in browser.cookies


async def test_an_id_token_of_another_key_signs_nobody_in(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        employer.key = STRANGER
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        assert page.status == 400
        assert await deployment.store.account(JANES) is None


async def test_a_response_that_this_browser_did_not_request_signs_nobody_in(employed: Employing) -> None:
    """Sign-in begun elsewhere, and a response of another person's browser (RFC 9700 §4.7)."""
    async with employed() as (employer, deployment):
        attacker, victim = Browser(deployment), Browser(deployment)
        await victim.get(ACCOUNT)
        back = employer.authorize(await leave(attacker, await attacker.get(ACCOUNT)))
        for target in (back, "/oauth2/v1/from-issuer/employer?code=c", "/oauth2/v1/from-issuer/nobody?code=c&state=s"):
            assert (await victim.get(target)).status == 400, target
        assert "__Host-credence-session" not in victim.cookies


async def test_the_response_of_one_issuer_is_not_taken_at_the_address_of_another(employed: Employing) -> None:
    """RFC 9700 §4.4.2: an issuer of the attacker gets the code of an honest one by mixing them up."""
    async with employed() as (employer, deployment):
        await trust(deployment, "https://evil.example", "evil")
        browser = Browser(deployment)
        back = employer.authorize(await leave(browser, await browser.get(ACCOUNT)))
        page = await browser.get(back.replace("/employer?", "/evil?"))
        assert (page.status, employer.paths.count("/token")) == (400, 0)


async def test_the_only_way_to_an_application_has_no_field_for_a_password(employed: Employing) -> None:
    async with employed(only_way=True, mail_domains=()) as (employer, deployment):
        application = await with_browser_application(deployment)
        issuer = deployment.service.authority.issuers[0]
        await deployment.store.save(
            ISSUERS,
            msgspec.structs.replace(issuer, applications=(application.client_id,), version=2),
            NOW,
        )
        browser = Browser(deployment)
        page = await browser.get(request_of(application))
        assert b'name="password"' not in page.body
        assert b'name="username"' not in page.body
        assert b"Sign in with Employer Ltd" in page.body
        sent = await browser.submit(page, username="ada", password=PASSWORD)
        assert "refresh" in sent.headers
        assert sent.headers["refresh"].startswith(f"0; url={employer.issuer}/authorize")


async def test_the_password_of_a_person_who_signs_in_elsewhere_alone_opens_nothing(employed: Employing) -> None:
    async with employed(only_way=True) as (_, deployment):
        await deployment.change_account(issuers="employer")
        browser = Browser(deployment)
        page = await browser.sign_in(await browser.get(ACCOUNT))
        assert b"You sign in with your organisation" in page.body
        assert "__Host-credence-session" not in browser.cookies
        assert (await deployment.login()).status == 401


async def test_a_recent_sign_in_is_one_at_the_issuer(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        browser = Browser(deployment)
        employer.id_token = {"auth_time": NOW // 1000 - 3_600}
        await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        page = await browser.get("/account/mail-address")
        assert b"Sign in with Employer Ltd" in page.body
        assert b'name="password"' not in page.body
        url = await leave(browser, page)
        request = employer.pushed[dict(parse_qsl(urlsplit(url).query))["request_uri"]]
        assert request["max_age"] == "0"
        assert (await browser.get(employer.authorize(url))).status == 400  # it has not signed the person in again
        employer.id_token = {}
        page = await sign_in_there(employer, browser, await browser.get("/account/mail-address"))
        page = await browser.get("/account/mail-address")
        assert b"Sign in with Employer Ltd" not in page.body


@pytest.mark.parametrize("amr", [["hwk", "user", "mfa"], ["swk"], [["mfa"], {"mfa": 1}]])
async def test_no_key_at_the_issuer_counts_as_a_passkey_here(employed: Employing, amr: list[Any]) -> None:
    """D28: `phr` is for a passkey that this service has verified, whatever the issuer calls its own."""
    async with employed() as (employer, deployment):
        application = await with_browser_application(deployment, sign_in="passkey")
        browser = Browser(deployment)
        employer.id_token = {"amr": amr}
        page = await sign_in_there(employer, browser, await browser.get(request_of(application)))
        assert page.status == 200
        assert b'id="passkey"' in page.body
        assert "refresh" not in page.headers


async def test_two_factors_are_requested_of_the_issuer_and_carried(employed: Employing) -> None:
    async with employed(strong_classes=("urn:employer:mfa",)) as (employer, deployment):
        application = await with_browser_application(deployment, sign_in="factor")
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(request_of(application)))
        assert b"this time with a second factor" in page.body
        url = await leave(browser, page, act="issuer-strongly:employer")
        request = employer.pushed[dict(parse_qsl(urlsplit(url).query))["request_uri"]]
        assert request["acr_values"] == "urn:employer:mfa"
        employer.id_token = {"acr": "urn:employer:mfa", "amr": ["pwd", "otp", "invented"]}
        page = await browser.get(employer.authorize(url))
        page = await browser.submit(page, decision="allow")
        tokens = (await redeem(deployment, answer_of(page)["code"])).json
        assert claims(tokens["id_token"])["acr"] == "2"
        assert claims(tokens["id_token"])["amr"] == ["fed", "pwd", "otp", "mfa"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"authorization_endpoint": "http://localhost/authorize"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": None},
        {"token_endpoint": "https://169.254.169.254/latest"},
        {"jwks_uri": "https://10.0.0.1/keys"},
        {"pushed_authorization_request_endpoint": "https://[fd00::1]/par"},
    ],
)
async def test_metadata_leads_nowhere_that_it_should_not(employed: Employing, metadata: dict[str, Any]) -> None:
    """Threats E3: what an issuer says of itself is called only if the operator's rules allow the address."""
    async with employed() as (employer, deployment):
        employer.metadata = metadata
        browser = Browser(deployment)
        page = await browser.submit(await browser.get(ACCOUNT), act="issuer:employer")
        if "refresh" in page.headers:
            page = await browser.get(employer.authorize(page.headers["refresh"].removeprefix("0; url=")))
        assert (page.status, b"You are not signed in" in page.body) == (400, True)


async def test_a_disabled_issuer_signs_nobody_in_any_more(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        browser = Browser(deployment)
        back = employer.authorize(await leave(browser, await browser.get(ACCOUNT)))
        issuer = deployment.service.authority.issuers[0]
        await deployment.store.save(ISSUERS, msgspec.structs.replace(issuer, disabled=True, version=2), NOW)
        assert (await browser.get(back)).status == 400
        assert b"Employer Ltd" not in (await browser.get(ACCOUNT)).body


async def test_a_suspended_account_is_refused_in_words(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        first = Browser(deployment)
        await sign_in_there(employer, first, await first.get(ACCOUNT))
        await deployment.set_status("suspended", JANES)
        second = Browser(deployment)
        page = await sign_in_there(employer, second, await second.get(ACCOUNT))
        assert b"This account cannot sign in" in page.body


async def test_a_sign_in_after_everything_has_ended_is_made_again_there(employed: Employing) -> None:
    async with employed() as (employer, deployment):
        await deployment.store.save(
            LINKS, IssuerLink(link_id("employer", "jane-1"), "employer", "jane-1", "ada", NOW), NOW
        )
        await deployment.change_account(not_before=NOW)
        deployment.now += 60_000
        employer.id_token = {"auth_time": NOW // 1000 - 600}
        browser = Browser(deployment)
        page = await sign_in_there(employer, browser, await browser.get(ACCOUNT))
        employer.id_token = {}
        await browser.get(employer.authorize(page.headers["refresh"].removeprefix("0; url=")))
        assert "__Host-credence-session" in browser.cookies
