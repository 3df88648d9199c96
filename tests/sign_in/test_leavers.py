"""Access ends when the employer says so, on every node (Back-Channel Logout 1.0, RFC 8417, RFC 8935, CAEP 1.0, RISC 1.0)."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from credence.identity.console_roles import with_console_role
from credence.store.trusted_issuers import ISSUERS
from tests.deployment import NOW, Deployment, OpenDeployment, Reply
from tests.sign_in.browsing import FORM, Browser, answer_of, redeem, request_of, with_browser_application
from tests.sign_in.employer import CLIENT_ID, STRANGER, Employer, employing, sign_in_there

JANE = "jane@employer.example"
LOGOUT = "http://schemas.openid.net/event/backchannel-logout"
REVOKED = "https://schemas.openid.net/secevent/caep/event-type/session-revoked"
DISABLED = "https://schemas.openid.net/secevent/risc/event-type/account-disabled"


async def jane_at(employer: Employer, deployment: Deployment, scope: str = "openid credit:report") -> dict[str, str]:
    """Sign the person in there, and return the tokens of the application."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await sign_in_there(employer, browser, await browser.get(request_of(application, scope=scope)))
    page = page if "code" in page.headers.get("refresh", "") else await browser.submit(page, decision="allow")
    tokens: dict[str, str] = (await redeem(deployment, answer_of(page)["code"])).json
    return tokens


def logout_token(employer: Employer, **more: Any) -> str:
    now = employer.deployment.now // 1000
    claims = {
        "iss": employer.issuer,
        "aud": CLIENT_ID,
        "iat": now,
        "exp": now + 120,
        "jti": "j1",
        "events": {LOGOUT: {}},
        "sub": "jane-1",
        "sid": "employer-session",
        **more,
    }
    return employer.signed("logout+jwt", {name: value for name, value in claims.items() if value is not None})


def event_token(employer: Employer, event: str, **more: Any) -> str:
    claims = {
        "iss": employer.issuer,
        "aud": employer.deployment.service.settings.issuer,
        "iat": employer.deployment.now // 1000,
        "jti": "e1",
        "sub_id": {"format": "iss_sub", "iss": employer.issuer, "sub": "jane-1"},
        "events": {event: {}},
        **more,
    }
    return employer.signed("secevent+jwt", claims)


async def log_out(node: Deployment, token: str) -> Reply:
    body = urlencode({"logout_token": token}).encode()
    return await node.send("POST", "/oauth2/v1/from-issuer/employer/logout", [FORM], body)


async def signal(node: Deployment, token: str) -> Reply:
    head = [("Content-Type", "application/secevent+jwt")]
    return await node.send("POST", "/oauth2/v1/from-issuer/employer/signals", head, token.encode())


@pytest.mark.parametrize("named", [{}, {"sub": None}, {"sid": None}, {"sid": "unknown"}])
async def test_a_sign_out_there_ends_the_session_and_its_tokens_here(
    tmp_path: Path, open_deployment: OpenDeployment, named: dict[str, Any]
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        tokens = await jane_at(employer, deployment)
        assert (await deployment.report(tokens["access_token"])).status == 200
        assert (await log_out(deployment, logout_token(employer, **named))).status == 200
        assert (await deployment.report(tokens["access_token"])).status == 401


FORGED: dict[str, dict[str, Any]] = {
    "another key": {"key": STRANGER},
    "another issuer": {"iss": "https://evil.example"},
    "another audience": {"aud": "other"},
    "an ID token": {"events": None},
    "a nonce": {"nonce": "n"},
    "another event": {"events": {REVOKED: {}}},
    "no jti": {"jti": None},
    "expired": {"exp": NOW // 1000},
    "old": {"iat": NOW // 1000 - 301},
    "of no one": {"sub": None, "sid": None},
}


@pytest.mark.parametrize("forged", list(FORGED))
async def test_a_forged_logout_token_ends_nothing(tmp_path: Path, open_deployment: OpenDeployment, forged: str) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        tokens = await jane_at(employer, deployment)
        changes = dict(FORGED[forged])
        employer.key = changes.pop("key", employer.key)
        reply = await log_out(deployment, logout_token(employer, **changes))
        assert (reply.status, reply.json["error"]) == (400, "invalid_request")
        assert (await deployment.report(tokens["access_token"])).status == 200


async def test_many_sign_outs_at_once_count_and_fetch_the_metadata_once(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """An administrator ends every session there; the client makes two calls to a host at a time, and 16 wait."""
    async with employing(tmp_path, open_deployment) as (employer, deployment):
        tokens = [logout_token(employer, jti=f"j{each}", sid=f"s{each}") for each in range(40)]
        answers = await asyncio.gather(*(log_out(deployment, each) for each in tokens))
        assert {each.status for each in answers} == {200}
        assert sorted(employer.paths) == ["/.well-known/openid-configuration", "/keys"]


async def test_a_revoked_session_ends_offline_access_too_and_once(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        tokens = await jane_at(employer, deployment, "openid credit:report offline_access")
        token = event_token(employer, REVOKED)
        assert (await signal(deployment, token)).status == 202
        assert (await deployment.report(tokens["access_token"])).status == 401
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401
        deployment.now += 120_000
        again = await jane_at(employer, deployment)
        assert (await signal(deployment, token)).status == 202  # the same one again
        assert (await deployment.report(again["access_token"])).status == 200


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, "suspended"),
        (
            {"sub_id": {"format": "complex", "user": {"format": "iss_sub", "iss": "ISSUER", "sub": "jane-1"}}},
            "suspended",
        ),
        ({"sub_id": {"format": "email", "email": JANE}}, "active"),
        ({"sub_id": {"format": "iss_sub", "iss": "https://evil.example", "sub": "jane-1"}}, "active"),
    ],
)
async def test_a_disabled_account_is_suspended_by_iss_and_sub_alone(
    tmp_path: Path, open_deployment: OpenDeployment, more: dict[str, Any], status: str
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        await jane_at(employer, deployment)
        more = msgspec.json.decode(msgspec.json.encode(more).replace(b"ISSUER", employer.issuer.encode()))
        assert (await signal(deployment, event_token(employer, DISABLED, **more))).status == 202
        found = await deployment.store.account(JANE)
        assert found is not None
        assert found.status == status


async def test_an_owner_is_not_suspended_but_everything_of_the_owner_ends(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        tokens = await jane_at(employer, deployment)
        jane = await deployment.store.account(JANE)
        assert jane is not None
        await deployment.store.save_account(with_console_role(jane, "owner"), NOW)
        await signal(deployment, event_token(employer, DISABLED))
        jane = await deployment.store.account(JANE)
        assert jane is not None
        assert jane.status == "active"
        assert (await deployment.report(tokens["access_token"])).status == 401


@pytest.mark.parametrize("more", [{"iss": "https://evil.example"}, {"aud": "https://other.example"}, {"events": None}])
async def test_a_forged_signal_ends_nothing(
    tmp_path: Path, open_deployment: OpenDeployment, more: dict[str, Any]
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True) as (employer, deployment):
        tokens = await jane_at(employer, deployment)
        assert (await signal(deployment, event_token(employer, DISABLED, **more))).status == 400
        assert (await deployment.report(tokens["access_token"])).status == 200


async def test_a_refresh_needs_the_word_of_the_employer_again_after_the_time_that_is_set(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with employing(tmp_path, open_deployment, makes_accounts=True, vouch_seconds=600) as (employer, deployment):
        tokens = await jane_at(employer, deployment, "openid credit:report offline_access")
        tokens = (await deployment.refresh(tokens["refresh_token"])).json
        assert employer.refreshes == 0
        deployment.now += 601_000
        tokens = (await deployment.refresh(tokens["refresh_token"])).json
        assert employer.refreshes == 1
        tokens = (await deployment.refresh(tokens["refresh_token"])).json
        assert employer.refreshes == 1
        employer.refresh_tokens.clear()  # the person has left
        deployment.now += 601_000
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401
        assert (await deployment.report(tokens["access_token"])).status == 401


@pytest.mark.parametrize(
    "refusal", [(401, "invalid_client"), (400, "invalid_request"), (403, ""), (500, "invalid_grant")]
)
async def test_an_issuer_that_refuses_this_service_has_not_said_that_the_person_left(
    tmp_path: Path, open_deployment: OpenDeployment, refusal: tuple[int, str]
) -> None:
    """RFC 6749 §5.2: of the refusals only `invalid_grant` is about the refresh token."""
    async with employing(tmp_path, open_deployment, makes_accounts=True, vouch_seconds=600) as (employer, deployment):
        tokens = await jane_at(employer, deployment, "openid credit:report offline_access")
        employer.refusal = refusal
        deployment.now += 601_000
        tokens = (await deployment.refresh(tokens["refresh_token"])).json
        assert "access_token" in tokens
        deployment.now += 600_000  # twice the time: it is not believed for ever
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401


@pytest.mark.parametrize(("subject", "status"), [("jane-1", 200), ("joe-1", 401)])
async def test_an_id_token_vouches_only_for_the_person_it_is_about(
    tmp_path: Path, open_deployment: OpenDeployment, subject: str, status: int
) -> None:
    """OpenID Connect Core §12.2; it may lack the mail address."""
    async with employing(tmp_path, open_deployment, makes_accounts=True, vouch_seconds=600) as (employer, deployment):
        tokens = await jane_at(employer, deployment, "openid credit:report offline_access")
        now = deployment.now // 1000
        about = {"iss": employer.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 3_600, "sub": subject}
        employer.refreshed = {"id_token": employer.signed("JWT", about)}
        deployment.now += 1_201_000  # an issuer that does not answer is believed no longer
        assert (await deployment.refresh(tokens["refresh_token"])).status == status
        assert employer.refreshes == 1


async def test_a_person_of_no_issuer_costs_a_refresh_no_call(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with employing(tmp_path, open_deployment, vouch_seconds=1) as (employer, deployment):
        tokens = await deployment.tokens()
        deployment.now += 60_000
        assert (await deployment.refresh(tokens["refresh_token"])).status == 200
        assert employer.paths == []


async def test_another_node_refuses_a_leaver_within_five_seconds(
    tmp_path: Path, open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    async with employing(tmp_path, open_deployment, store=migrated_postgres, makes_accounts=True) as (
        employer,
        deployment,
    ):
        tokens = await jane_at(employer, deployment)
        async with deployment.another_node() as other:
            assert (await other.report(tokens["access_token"])).status == 200
            issuers = await other.store.page(ISSUERS)
            assert [each.id for each in issuers] == ["employer"]
            assert (await signal(deployment, event_token(employer, DISABLED))).status == 202
            refused = False
            for _ in range(50):
                refused = refused or (await other.report(tokens["access_token"])).status == 401
                await asyncio.sleep(0 if refused else 0.1)
            assert refused
