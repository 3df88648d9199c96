"""FAPI 2.0 Security Profile, authorization code flow: what the OpenID Foundation's modules check.

Each test is named after its module (`modules.py` has them all); those of pushed requests and those that need no code
have files of their own. A run of the suite itself can be compared line by line.
"""

from typing import Any
from urllib.parse import urlencode

import pytest

from tests.conformance.fapi2 import KEYS
from tests.conformance.fapi2_code import CodeClient, code_client, flow
from tests.deployment import PASSWORD, Deployment, claims
from tests.oauth.client_certificates import BEHIND_A_PROXY, PROXY, certificate
from tests.oauth.proving import ISSUER, Key, Prover
from tests.oauth.standard import FORM, error
from tests.sign_in.browsing import CALLBACK, answer_of, request_of

INVALID_CLIENT = (401, "invalid_client")
INVALID_GRANT = (400, "invalid_grant")
INVALID_REQUEST = (400, "invalid_request")


@pytest.mark.parametrize("algorithm", KEYS)
async def test_happy_flow(deployment: Deployment, algorithm: str) -> None:
    """Push, code, tokens and a report, every token bound to the key, the ID token signed as FAPI allows."""
    party = await code_client(deployment, algorithm)
    tokens = await flow(party)
    assert tokens["token_type"] == "DPoP"
    assert claims(tokens["access_token"])["cnf"] == {"jkt": party.client.prover.key.thumbprint}
    assert claims(tokens["id_token"])["nonce"] == "n-0S6_WzA2Mj"
    assert (await party.client.report(tokens["access_token"])).status == 200
    assert (await party.client.report(tokens["access_token"], scheme="Bearer")).status == 401


@pytest.mark.settings(BEHIND_A_PROXY)
async def test_happy_flow_with_mutual_tls(deployment: Deployment) -> None:
    """FAPI 2.0 §5.3.2.1 items 4 and 6: the certificate authenticates the client and binds the tokens."""
    own = certificate()
    party = await code_client(deployment)
    await deployment.change_application(dpop_required=False, certificate_bound_tokens=True)

    async def through_the_proxy(
        method: str, target: str, headers: Any = (), body: bytes = b"", peer: str = PROXY
    ) -> Any:
        del peer  # every request comes from the proxy
        return await Deployment.send(deployment, method, target, [*headers, own.field()], body, peer=PROXY)

    deployment.send = through_the_proxy  # type: ignore[method-assign,assignment]
    reply = await party.redeem(await party.code(), bound=False)
    assert (reply.status, reply.json["token_type"]) == (200, "Bearer")
    assert "x5t#S256" in claims(reply.json["access_token"])["cnf"]
    assert (await deployment.report(reply.json["access_token"])).status == 200
    shown = [("Authorization", f"Bearer {reply.json['access_token']}")]
    stolen = await Deployment.send(deployment, "GET", "/oauth2/v1/userinfo", shown)
    assert stolen.status == 401


async def test_user_rejects_authentication(party: CodeClient) -> None:
    consent = await party.browser.sign_in(await party.browser.get(await party.pushed()))
    answer = answer_of(await party.browser.submit(consent, decision="refuse"))
    assert (answer["error"], answer["state"], answer["iss"]) == ("access_denied", "xyz", ISSUER)


async def test_ensure_authorization_request_without_state_success(party: CodeClient) -> None:
    assert "state" not in await party.through_pages(await party.pushed(state=None))


async def test_ensure_authorization_request_without_nonce_success(party: CodeClient) -> None:
    assert "nonce" not in claims((await flow(party, nonce=None))["id_token"])


async def test_ensure_authorization_request_with_64_char_nonce_success(party: CodeClient) -> None:
    assert claims((await flow(party, nonce="n" * 64))["id_token"])["nonce"] == "n" * 64


async def test_ensure_other_scope_order_succeeds(party: CodeClient) -> None:
    assert (await flow(party, scope="credit:report openid"))["id_token"]


async def test_test_claims_parameter_identity_claims(party: CodeClient) -> None:
    asked = '{"id_token": {"given_name": {"essential": true}}, "userinfo": {"email": null}}'
    assert claims((await flow(party, claims=asked))["id_token"])["given_name"] == "Ada"


async def test_ensure_mismatched_dpop_jkt_fails(party: CodeClient) -> None:
    """RFC 9449 §10.1."""
    assert error(await party.push(proof=True, dpop_jkt=Key().thumbprint)) == INVALID_REQUEST


async def test_ensure_token_endpoint_fails_with_mismatched_dpop_proof_jkt(party: CodeClient) -> None:
    code = await party.code(proof=True)
    party.client.prover.key = Key()
    assert error(await party.redeem(code)) == INVALID_GRANT


async def test_ensure_token_endpoint_fails_with_mismatched_dpop_jkt(party: CodeClient) -> None:
    code = await party.code(dpop_jkt=Key().thumbprint)
    assert error(await party.redeem(code)) == INVALID_GRANT


async def test_ensure_dpopproof_at_par_endpoint_binding_success(party: CodeClient) -> None:
    assert (await flow(party, proof=True))["token_type"] == "DPoP"


async def test_ensure_dpop_auth_code_binding_success(party: CodeClient) -> None:
    tokens = await flow(party, proof=True, dpop_jkt=party.client.prover.key.thumbprint)
    assert tokens["token_type"] == "DPoP"


async def test_ensure_authorization_request_with_long_nonce(party: CodeClient) -> None:
    assert claims((await flow(party, nonce="n" * 384))["id_token"])["nonce"] == "n" * 384


async def test_ensure_authorization_request_with_long_state(party: CodeClient) -> None:
    assert (await party.through_pages(await party.pushed(state="s" * 384)))["state"] == "s" * 384


async def test_state_only_outside_request_object_not_used(party: CodeClient) -> None:
    assert "state" not in await party.through_pages(await party.pushed(state=None) + "&state=outside")


async def test_ensure_request_object_without_redirect_uri_fails(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.2 item 6."""
    assert error(await party.push(redirect_uri=None)) == INVALID_REQUEST


async def test_plain_fapi_tolerate_unregistered_redirect_uri(party: CodeClient) -> None:
    assert error(await party.push(redirect_uri=f"{CALLBACK}/other")) == INVALID_REQUEST


async def test_ensure_unsigned_authorization_request_without_using_par_fails(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.2 item 2."""
    reply = await party.browser.get(request_of(party.application))
    assert answer_of(reply)["error"] == "invalid_request"


async def test_ensure_redirect_uri_in_authorization_request(party: CodeClient) -> None:
    assert error(await party.push(redirect_uri="")) == INVALID_REQUEST


async def test_ensure_response_type_code_idtoken_fails(party: CodeClient) -> None:
    assert error(await party.push(response_type="code id_token")) == (400, "unsupported_response_type")


async def test_ensure_response_type_token_fails(party: CodeClient) -> None:
    assert error(await party.push(response_type="token")) == (400, "unsupported_response_type")


async def test_ensure_holder_of_key_required(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.1 item 4; the code stays good."""
    code = await party.code()
    assert error(await party.redeem(code, bound=False)) == (400, "invalid_dpop_proof")
    assert (await party.redeem(code)).status == 200


async def test_ensure_authorization_code_is_bound_to_client(party: CodeClient) -> None:
    code = await party.code()
    other = await code_client(await party.deployment.another_application(), "PS256")
    assert error(await other.redeem(code)) == INVALID_GRANT
    assert (await party.redeem(code)).status == 200


async def test_attempt_reuse_authorization_code_after_one_second(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.2 item 9; the tokens of the first use end."""
    code = await party.code()
    token = (await party.redeem(code)).json["access_token"]
    party.deployment.now += 1_000
    assert error(await party.redeem(code)) == INVALID_GRANT
    assert (await party.client.report(token)).status == 401


async def test_ensure_token_endpoint_fails_with_expired_auth_code(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.1 item 11: at most 60 seconds."""
    code = await party.code()
    party.deployment.now += 60_000
    assert error(await party.redeem(code)) == INVALID_GRANT


async def test_refresh_token(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.1 item 9: bound to the client, no rotation: the same token works again and again, until it ends."""
    other = await code_client(await party.deployment.another_application(), "PS256")
    tokens = await flow(party, scope="openid offline_access credit:report")
    text, seen = tokens["refresh_token"], {tokens["access_token"]}
    for _ in range(3):
        party.deployment.now += 45_000
        refreshed = (await party.refresh(text)).json
        assert refreshed["refresh_token"] == text
        assert (await party.client.report(refreshed["access_token"])).status == 200
        seen.add(refreshed["access_token"])
    assert len(seen) == 4
    other.deployment.now = party.deployment.now
    assert error(await other.refresh(text)) == INVALID_GRANT
    party.client.prover.key = Key()
    assert (await party.refresh(text)).status == 200  # it is bound to the client, not to a key (RFC 9449 §5)


async def test_a_refresh_token_that_stays_the_same_is_active_until_it_is_revoked(party: CodeClient) -> None:
    """Introspection agrees with the refresh grant (RFC 7662 §2.2)."""
    text = (await flow(party, scope="openid offline_access"))["refresh_token"]
    party.deployment.now += 45_000
    await party.refresh(text)

    async def active() -> bool:
        fields = {"token": text, **party.assertion()}
        reply = await party.deployment.send("POST", "/oauth2/v1/introspect", [FORM], urlencode(fields).encode())
        found: bool = reply.json["active"]
        return found

    party.deployment.now += 45_000
    assert await active()
    fields = {"token": text, **party.assertion()}
    await party.deployment.send("POST", "/oauth2/v1/revokeToken", [FORM], urlencode(fields).encode())
    assert not await active()
    assert error(await party.refresh(text)) == INVALID_GRANT


async def test_the_password_is_no_way_around_the_pages(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.1: no password grant."""
    fields = {"grant_type": "password", "username": "ada", "password": PASSWORD, **party.assertion()}
    assert error(await Prover(party.deployment).ask(fields))[1] in {"unauthorized_client", "invalid_request"}
