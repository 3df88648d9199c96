"""A refusal of what names an account names it in the audit trail (threats F2): whose login somebody else tried."""

from collections.abc import Awaitable, Callable

import pytest

from tests.deployment import Deployment, Reply
from tests.oauth.proving import Key, Prover
from tests.oauth.standard import ask
from tests.sign_in.browsing import Browser, answer_of, authorized, redeem, with_browser_application
from tests.web.test_audit import line_of


async def _retry_with_another_key(deployment: Deployment) -> Reply:
    client, other = Prover(deployment), Prover(deployment, Key())
    token = (await client.log_in()).json["refresh_token"]
    assert (await client.refresh(token)).status == 200
    other.nonce = client.nonce
    return await other.refresh(token)


async def _refresh_without_the_key(deployment: Deployment) -> Reply:
    token = (await Prover(deployment).log_in()).json["refresh_token"]
    return await ask(deployment, {"grant_type": "refresh_token", "refresh_token": token})


async def _refresh_of_a_password_login_by_a_public_client(deployment: Deployment) -> Reply:
    token = (await deployment.tokens())["refresh_token"]
    await deployment.change_application(authentication="none", grants=("refresh_token",))
    named = {"client_id": deployment.application.client_id}
    return await ask(deployment, {"grant_type": "refresh_token", "refresh_token": token, **named}, headers=[])


async def _reuse_of_a_refresh_token(deployment: Deployment) -> Reply:
    token = (await deployment.tokens())["refresh_token"]
    assert (await deployment.refresh(token)).status == 200
    deployment.now += 31_000
    return await deployment.refresh(token)


async def _code_without_its_verifier(deployment: Deployment) -> Reply:
    application = await with_browser_application(deployment)
    code = answer_of(await authorized(Browser(deployment), application))["code"]
    return await redeem(deployment, code, code_verifier=None)


async def _password_where_a_second_factor_is_wanted(deployment: Deployment) -> Reply:
    await deployment.change_account(sign_in="factor")
    return await deployment.login()


async def _ended_access_token(deployment: Deployment) -> Reply:
    tokens = await deployment.tokens()
    await deployment.revoke(tokens["refresh_token"])
    return await deployment.report(tokens["access_token"])


@pytest.mark.parametrize(
    ("tried", "reason"),
    [
        (_retry_with_another_key, "refresh_token.other_key"),
        (_refresh_without_the_key, "refresh_token.binding_dropped"),
        (_refresh_of_a_password_login_by_a_public_client, "grant_type.not_for_public"),
        (_reuse_of_a_refresh_token, "refresh_token.already_used"),
        (_code_without_its_verifier, "code.verifier"),
        (_password_where_a_second_factor_is_wanted, "account.needs_factor"),
        (_ended_access_token, "token.revoked"),
    ],
)
async def test_a_refusal_names_the_account_whose_login_was_tried(
    deployment: Deployment, tried: Callable[[Deployment], Awaitable[Reply]], reason: str
) -> None:
    line = line_of(deployment, await tried(deployment))
    assert (line["event"], line["reason"], line["account"]) == ("refused", reason, "ada")
    assert line["application"] == deployment.application.client_id
