"""Step-up: the API wants a stronger or more recent sign-in than that of the token (RFC 9470)."""

from typing import Any

import pytest

from credence.access.rules import AccessRules
from tests.deployment import REPORT_PATH, Deployment, Reply, claims
from tests.oauth.proving import Prover
from tests.oauth.standard import ask
from tests.sign_in.browsing import Browser, answer_of, authorized, redeem, request_of, with_browser_application

REPORT = f"{REPORT_PATH}/99999999"
RECENT = AccessRules(max_age=900)


async def token_of(deployment: Deployment, page: Reply) -> str:
    token: str = (await redeem(deployment, answer_of(page)["code"])).json["access_token"]
    return token


def challenge(reply: Reply) -> str:
    assert reply.status == 401
    return reply.headers["www-authenticate"]


async def test_an_old_sign_in_is_challenged_and_the_answer_to_the_challenge_opens_the_api(
    deployment: Deployment,
) -> None:
    """RFC 9470 §3, §4, §5: from the refusal to the token that is enough, with `max_age` alone."""
    application = await with_browser_application(deployment, rules=RECENT)
    browser = Browser(deployment)
    token = await token_of(deployment, await authorized(browser, application))
    deployment.now += 900_000
    assert (await deployment.report(token)).status == 200
    deployment.now += 1_000
    said = challenge(await deployment.report(token))
    assert said.startswith('Bearer error="insufficient_user_authentication", ')
    assert 'max_age="900"' in said
    assert "acr_values" not in said
    silent = await browser.get(request_of(application, max_age="900", prompt="none"))
    assert answer_of(silent)["error"] == "login_required"
    page = await browser.sign_in(await browser.get(request_of(application, max_age="900")))
    assert (await deployment.report(await token_of(deployment, page))).status == 200


async def test_a_weak_sign_in_is_challenged_with_every_class_that_is_enough(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    token = await token_of(deployment, await authorized(Browser(deployment), application))
    assert claims(token)["acr"] == "1"
    for weakest, classes in (("1", None), ("2", "2 phr"), ("phr", "phr")):
        await deployment.change_application(rules=AccessRules(weakest_class=weakest))
        reply = await deployment.report(token)
        if classes is None:
            assert reply.status == 200
        else:
            assert f'acr_values="{classes}"' in challenge(reply)


async def test_a_rule_of_the_account_counts_as_well_and_the_stricter_of_two(deployment: Deployment) -> None:
    application = await with_browser_application(deployment, rules=AccessRules(max_age=600))
    token = await token_of(deployment, await authorized(Browser(deployment), application))
    await deployment.change_account(rules=AccessRules(weakest_class="2", max_age=1_200))
    said = challenge(await deployment.report(token))
    assert 'acr_values="2 phr", max_age="600"' in said


async def test_a_token_of_the_password_grant_has_one_factor_and_the_age_of_its_login(deployment: Deployment) -> None:
    await deployment.change_application(rules=RECENT)
    token = (await deployment.tokens())["access_token"]
    assert "acr" not in claims(token)
    assert (await deployment.report(token)).status == 200
    deployment.now += 901_000
    assert "max_age" in challenge(await deployment.report(token))


async def test_a_token_of_the_application_itself_is_not_affected(deployment: Deployment) -> None:
    rules = AccessRules(weakest_class="phr", max_age=1)
    await deployment.change_application(grants=("client_credentials",), rules=rules)
    token = (await ask(deployment, {"grant_type": "client_credentials"})).json["access_token"]
    deployment.now += 60_000
    assert (await deployment.report(token)).status == 200


@pytest.mark.parametrize("rules", [RECENT, AccessRules(weakest_class="2")], ids=["max_age", "class"])
async def test_the_dpop_scheme_is_challenged_in_its_own(deployment: Deployment, rules: AccessRules) -> None:
    """RFC 9449 §7.1."""
    prover = Prover(deployment)
    token = await prover.token()
    await deployment.change_application(rules=rules)
    deployment.now += 901_000
    reply: Any = await prover.report(token)
    reply = await prover.report(token)
    assert challenge(reply).startswith('DPoP error="insufficient_user_authentication"')


async def test_introspection_says_the_class_and_the_time(deployment: Deployment) -> None:
    """RFC 9470 §6.2."""
    application = await with_browser_application(deployment)
    token = await token_of(deployment, await authorized(Browser(deployment), application))
    said = (await ask(deployment, {"token": token}, path="/oauth2/v1/introspect")).json
    assert (said["acr"], said["auth_time"]) == ("1", deployment.now // 1000)
