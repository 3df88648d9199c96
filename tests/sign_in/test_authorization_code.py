"""The authorization code flow from the first page to the tokens (D27, RFC 6749 §4.1, OpenID Connect Core §3.1)."""

import json
from typing import Any

import msgspec
import pytest

from credence.crypto import base64url
from credence.oauth.authorization.code import code_key, read_code, write_code
from tests.deployment import NOW, REPORT_PATH, TOKEN_PATH, Deployment, Reply
from tests.oauth.proving import Key, Prover
from tests.oauth.standard import ask
from tests.sign_in.browsing import (
    CALLBACK,
    SIGN_OUT,
    Browser,
    address_of,
    answer_of,
    authorized,
    challenge_of,
    redeem,
    request_of,
    with_browser_application,
)


def claims_of(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = json.loads(base64url.decode(token.split(".")[1]))
    return claims


async def code_of(deployment: Deployment, **more: str | None) -> str:
    """Return a code after sign-in and consent."""
    application = await with_browser_application(deployment)
    return answer_of(await authorized(Browser(deployment), application, **more))["code"]


async def tokens_of(deployment: Deployment, **more: str | None) -> dict[str, Any]:
    reply = await redeem(deployment, await code_of(deployment, **more))
    assert reply.status == 200, reply
    tokens: dict[str, Any] = reply.json
    return tokens


async def report(deployment: Deployment, token: str) -> Reply:
    return await deployment.send("GET", f"{REPORT_PATH}/99999999", [("Authorization", f"Bearer {token}")])


def assert_invalid_grant(reply: Reply) -> None:
    assert (reply.status, reply.json["error"]) == (400, "invalid_grant")


async def test_a_person_signs_in_allows_and_the_application_gets_tokens(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(request_of(application)))
    last = await browser.submit(consent, decision="allow")
    assert address_of(last).startswith(f"{CALLBACK}?code=")
    answer = answer_of(last)
    assert (answer["state"], answer["iss"]) == ("xyz", "https://localhost:8443")
    tokens = (await redeem(deployment, answer["code"])).json
    assert tokens["scope"] == "openid profile credit:report"
    assert (await report(deployment, tokens["access_token"])).status == 200


async def test_the_id_token_says_who_how_and_when_and_leaves_the_profile_to_the_user_information(
    deployment: Deployment,
) -> None:
    """OpenID Connect Core §2, §3.1.3.6, §5.4; RFC 8176."""
    tokens = await tokens_of(deployment)
    said = claims_of(tokens["id_token"])
    assert said.keys() == {
        "iss", "sub", "aud", "iat", "exp", "auth_time", "at_hash", "nonce", "acr", "amr", "sid"
    }  # fmt: skip
    assert (said["nonce"], said["acr"], said["amr"]) == ("n-0S6_WzA2Mj", "1", ["pwd"])
    headers = [("Authorization", f"Bearer {tokens['access_token']}")]
    about = (await deployment.send("GET", "/oauth2/v1/userinfo", headers)).json
    assert about["sub"] == said["sub"] == "ada"
    assert "name" in about


async def test_auth_time_is_that_of_the_sign_in_and_not_of_the_code(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    deployment.now += 600_000
    again = await browser.get(request_of(application))
    tokens = (await redeem(deployment, answer_of(again)["code"])).json
    assert claims_of(tokens["id_token"])["auth_time"] == NOW // 1000
    assert claims_of(tokens["access_token"])["auth_time"] == NOW // 1000
    assert claims_of(tokens["id_token"])["iat"] == (NOW + 600_000) // 1000


async def test_a_code_used_twice_is_refused_and_ends_the_tokens_of_its_first_use(deployment: Deployment) -> None:
    """RFC 6749 §4.1.2; the module oidcc-codereuse."""
    code = await code_of(deployment)
    tokens = (await redeem(deployment, code)).json
    assert_invalid_grant(await redeem(deployment, code))
    assert (await report(deployment, tokens["access_token"])).status == 401


async def test_a_code_used_after_its_minute_ends_the_tokens_too(deployment: Deployment) -> None:
    """The module oidcc-codereuse-30seconds, and later."""
    code = await code_of(deployment)
    tokens = (await redeem(deployment, code)).json
    deployment.now += 60_000
    assert_invalid_grant(await redeem(deployment, code))
    assert (await report(deployment, tokens["access_token"])).status == 401


async def test_a_code_is_valid_for_sixty_seconds(deployment: Deployment) -> None:
    """FAPI 2.0 §5.3.2.1 item 11."""
    code = await code_of(deployment)
    deployment.now += 60_000
    assert_invalid_grant(await redeem(deployment, code))
    deployment.now -= 1
    assert (await redeem(deployment, code)).status == 200


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"redirect_uri": "https://app.example.com/callback2"}, "code.redirect_uri"),
        ({"redirect_uri": None}, "code.redirect_uri"),
        ({"code_verifier": "d" * 43}, "code.verifier"),
        ({"code_verifier": None}, "code.verifier"),
        ({"code_verifier": "short"}, "code.verifier"),
        ({"code": "crd_sbx_cod_AAAA"}, "code.invalid"),
        ({"code": "x"}, "code.invalid"),
    ],
    ids=str,
)
async def test_a_code_with_another_part_wrong_is_refused_and_stays_good(
    deployment: Deployment, change: dict[str, str | None], reason: str
) -> None:
    """RFC 6749 §4.1.3, RFC 7636 §4.6: a stolen code without the verifier does nothing, not even harm."""
    code = await code_of(deployment)
    refused = await redeem(deployment, code, **change)
    assert_invalid_grant(refused)
    assert refused.headers["x-reason"] == reason
    assert (await redeem(deployment, code)).status == 200


async def test_a_code_of_an_unknown_account_is_refused(deployment: Deployment) -> None:
    """RFC 6749 §5.2. No account is ever deleted, but a store may come from a backup."""
    key = code_key(deployment.service.authority.secrets.refresh)
    claims = read_code("sbx", key, await code_of(deployment))
    assert claims is not None
    refused = await redeem(deployment, write_code("sbx", key, msgspec.structs.replace(claims, username="nobody")))
    assert_invalid_grant(refused)
    assert refused.headers["x-reason"] == "code.account_unknown"


@pytest.mark.parametrize(("characters", "status"), [(42, 400), (43, 200), (128, 200), (129, 400)])
async def test_a_verifier_has_43_to_128_characters(deployment: Deployment, characters: int, status: int) -> None:
    """RFC 7636 §4.1; each is the verifier of the challenge."""
    verifier = "v" * characters
    code = await code_of(deployment, code_challenge=challenge_of(verifier))
    assert (await redeem(deployment, code, code_verifier=verifier)).status == status


async def test_a_code_of_another_application_is_refused_and_stays_good(deployment: Deployment) -> None:
    """RFC 9700 §4.5: code injection."""
    code = await code_of(deployment)
    other = await deployment.another_application()
    await with_browser_application(other)
    assert_invalid_grant(await redeem(other, code))
    assert (await redeem(deployment, code)).status == 200


async def test_a_verifier_without_a_challenge_is_refused(deployment: Deployment) -> None:
    """RFC 9700 §4.8.2: otherwise an attacker could strip PKCE from the request."""
    application = await with_browser_application(deployment)
    page = await authorized(Browser(deployment), application, code_challenge=None, code_challenge_method=None)
    code = answer_of(page)["code"]
    assert_invalid_grant(await redeem(deployment, code))
    assert (await redeem(deployment, code, code_verifier=None)).status == 200


async def test_a_changed_code_is_refused(deployment: Deployment) -> None:
    code = await code_of(deployment)
    for place in (20, len(code) // 2, len(code) - 2):
        other = "A" if code[place] != "A" else "B"
        assert_invalid_grant(await redeem(deployment, code[:place] + other + code[place + 1 :]))


async def test_two_codes_differ_by_more_than_their_time(deployment: Deployment) -> None:
    """RFC 6749 §10.10: each has a random family id of 128 bits, and is sealed with a nonce."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    first = answer_of(await authorized(browser, application))["code"]
    second = answer_of(await browser.get(request_of(application)))["code"]
    assert first != second
    assert (await redeem(deployment, first)).status == (await redeem(deployment, second)).status == 200


@pytest.mark.parametrize("change", [{"status": "suspended"}, {"password_version": 2, "not_before": NOW + 1}], ids=str)
async def test_a_change_of_the_account_between_code_and_redemption_refuses_it(
    deployment: Deployment, change: dict[str, Any]
) -> None:
    """threats L3."""
    code = await code_of(deployment)
    await deployment.change_account(**change)
    reply = await redeem(deployment, code)
    assert reply.status == 400


async def test_signing_out_between_code_and_redemption_refuses_it(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    code = answer_of(await authorized(browser, application))["code"]
    await browser.submit(await browser.get(SIGN_OUT))
    assert_invalid_grant(await redeem(deployment, code))


async def test_an_openid_client_gets_a_refresh_token_only_with_offline_access(deployment: Deployment) -> None:
    """OpenID Connect Core §11."""
    assert "refresh_token" not in await tokens_of(deployment)
    offline = await tokens_of(deployment, scope="openid offline_access")
    assert offline["refresh_token"]


async def test_a_refresh_repeats_when_the_sign_in_was_and_leaves_out_the_nonce(deployment: Deployment) -> None:
    """OpenID Connect Core §12.2."""
    tokens = await tokens_of(deployment, scope="openid offline_access")
    deployment.now += 60_000
    fields = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    refreshed = (await ask(deployment, fields)).json
    first, second = claims_of(tokens["id_token"]), claims_of(refreshed["id_token"])
    assert second["auth_time"] == first["auth_time"]
    assert (second["sid"], second["acr"], second["amr"]) == (first["sid"], first["acr"], first["amr"])
    assert "nonce" not in second


async def test_a_plain_oauth_client_gets_a_refresh_token_that_ends_with_the_session(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    code = answer_of(await authorized(browser, application, scope="credit:report"))["code"]
    tokens = (await redeem(deployment, code)).json
    assert "id_token" not in tokens
    await browser.submit(await browser.get(SIGN_OUT))
    fields = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert_invalid_grant(await ask(deployment, fields))
    assert (await report(deployment, tokens["access_token"])).status == 401


async def test_a_public_client_redeems_with_its_verifier_and_rotates(deployment: Deployment) -> None:
    """RFC 9700 §2.2.2: rotation without a secret; a second use of a refresh token ends the login."""
    grants = ("authorization_code", "refresh_token")
    application = await with_browser_application(
        deployment, grants=grants, authentication="none", secrets=(), application_type="native"
    )
    code = answer_of(await authorized(Browser(deployment), application, scope="credit:report"))["code"]
    client = {"client_id": application.client_id}
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    grant = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": verifier}
    tokens = (await ask(deployment, {**grant, **client}, [])).json
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], **client}
    refreshed = (await ask(deployment, refresh, [])).json
    assert refreshed["refresh_token"] != tokens["refresh_token"]
    deployment.now += 31_000
    assert_invalid_grant(await ask(deployment, refresh, []))
    newest = {**refresh, "refresh_token": refreshed["refresh_token"]}
    assert_invalid_grant(await ask(deployment, newest, []))


async def test_a_code_bound_to_a_key_is_redeemed_with_that_key_alone(deployment: Deployment) -> None:
    """RFC 9449 §10."""
    prover = Prover(deployment, Key())
    code = await code_of(deployment, dpop_jkt=prover.key.thumbprint)
    fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
    fields["code_verifier"] = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    assert_invalid_grant(await ask(deployment, fields))
    assert_invalid_grant(await Prover(deployment, Key()).ask(fields))
    assert (await prover.ask(fields)).json["token_type"] == "DPoP"


async def test_the_login_of_a_public_client_is_refreshed_with_its_key_alone(deployment: Deployment) -> None:
    """RFC 9449 §5: nothing else proves who presents it, and who has the key may still present it."""
    application = await with_browser_application(
        deployment, grants=("authorization_code", "refresh_token"), authentication="none", secrets=()
    )
    client = {"client_id": application.client_id}
    owner, thief = Prover(deployment, Key()), Prover(deployment, Key())
    code = answer_of(await authorized(Browser(deployment), application, scope="credit:report"))["code"]
    grant = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, **client}
    grant["code_verifier"] = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    async def asked(prover: Prover | None, fields: dict[str, str]) -> Reply:
        """Ask without a secret, again if a nonce is required."""
        for _ in range(2):
            reply = await ask(deployment, fields, [("DPoP", prover.proof("POST", TOKEN_PATH))] if prover else [])
            if prover is None or "dpop-nonce" not in reply.headers or reply.status == 200:
                break
            prover.nonce = reply.headers["dpop-nonce"]
        return reply

    token = (await asked(owner, grant)).json["refresh_token"]
    refresh = {"grant_type": "refresh_token", "refresh_token": token, **client}
    for other in (thief, None):
        refused = await asked(other, refresh)
        assert_invalid_grant(refused)
        assert refused.headers["x-reason"] == "refresh_token.other_key"
    assert (await asked(owner, refresh)).json["token_type"] == "DPoP"


async def test_one_of_several_authorized_resources_is_chosen_at_the_token_endpoint(deployment: Deployment) -> None:
    """RFC 8707 §2.2."""
    other = "https://ledger.example.com"
    application = await with_browser_application(deployment, audiences=(other,))
    target = (
        request_of(application) + "&resource=https%3A%2F%2Fledger.example.com&resource=https%3A%2F%2Flocalhost%3A8443"
    )
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(target))
    code = answer_of(await browser.submit(consent, decision="allow"))["code"]
    both = await redeem(deployment, code)
    assert (both.status, both.json["error"]) == (400, "invalid_target")
    foreign = await redeem(deployment, code, resource="https://elsewhere.example.com")
    assert (foreign.status, foreign.json["error"]) == (400, "invalid_target")
    tokens = (await redeem(deployment, code, resource=other)).json
    assert claims_of(tokens["access_token"])["aud"] == other
