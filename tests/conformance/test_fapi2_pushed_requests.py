"""FAPI 2.0 Security Profile, pushed requests and PKCE: each module under its name (`modules.py`)."""

import pytest

from tests.conformance.fapi2_code import CodeClient, code_client, flow
from tests.deployment import NOW
from tests.oauth.proving import ISSUER
from tests.oauth.standard import error
from tests.sign_in.pushing import PAR, by_reference

INVALID_CLIENT = (401, "invalid_client")
INVALID_GRANT = (400, "invalid_grant")
INVALID_REQUEST = (400, "invalid_request")


async def test_par_ensure_reused_request_uri_prior_to_auth_completion_succeeds(party: CodeClient) -> None:
    target = await party.pushed()
    for _ in range(2):
        assert b'name="username"' in (await party.browser.get(target)).body
    assert (await party.through_pages(target))["code"]


async def test_par_attempt_reuse_request_uri(party: CodeClient) -> None:
    target = await party.pushed()
    assert (await party.through_pages(target))["code"]
    assert (await party.browser.get(target)).status == 400


async def test_par_attempt_to_use_expired_request_uri(party: CodeClient) -> None:
    target = await party.pushed()
    party.deployment.now += 300_000
    assert (await party.browser.get(target)).status == 400


@pytest.mark.parametrize("claim", ["iat", "nbf"])
async def test_par_ensure_jwt_client_assertions_nbf_8_seconds_in_the_future_is_accepted(
    party: CodeClient, claim: str
) -> None:
    assertion = party.assertion(**{claim: NOW // 1000 + 8})
    assert (await party.push(assertion=assertion)).status == 201


@pytest.mark.parametrize("claim", ["iat", "nbf"])
async def test_par_ensure_jwt_client_assertions_nbf_over_60_seconds_in_the_future_fails(
    party: CodeClient, claim: str
) -> None:
    assertion = party.assertion(**{claim: NOW // 1000 + 70, "exp": NOW // 1000 + 130})
    assert error(await party.push(assertion=assertion)) == INVALID_CLIENT


async def test_par_attempt_to_use_request_uri_for_different_client(party: CodeClient) -> None:
    uri = (await party.push()).json["request_uri"]
    other = await code_client(await party.deployment.another_application(), "PS256")
    assert (await party.browser.get(by_reference(other.application, uri))).status == 400


async def test_par_authorization_request_containing_request_uri_form_param(party: CodeClient) -> None:
    assert error(await party.push(request_uri="urn:ietf:params:oauth:request_uri:x")) == INVALID_REQUEST


async def test_par_attempt_invalid_http_method(party: CodeClient) -> None:
    for method in ("GET", "PUT"):
        assert (await party.deployment.send(method, PAR)).status == 405


async def test_par_ensure_pkce_required(party: CodeClient) -> None:
    pushed = await party.push(code_challenge=None, code_challenge_method=None)
    assert error(pushed) == INVALID_REQUEST


async def test_ensure_pkce_code_verifier_required(party: CodeClient) -> None:
    assert error(await party.redeem(await party.code(), code_verifier=None)) == INVALID_GRANT


async def test_incorrect_pkce_code_verifier_rejected(party: CodeClient) -> None:
    assert error(await party.redeem(await party.code(), code_verifier="d" * 43)) == INVALID_GRANT


async def test_par_plain_pkce_rejected(party: CodeClient) -> None:
    assert error(await party.push(code_challenge="d" * 43, code_challenge_method="plain")) == INVALID_REQUEST


async def test_par_without_duplicate_parameters(party: CodeClient) -> None:
    """The browser brings client_id and request_uri alone (RFC 9126 §4)."""
    assert (await flow(party))["access_token"]


async def test_par_test_array_as_audience_fails(party: CodeClient) -> None:
    assert error(await party.push(assertion=party.assertion(aud=[ISSUER]))) == INVALID_CLIENT


async def test_par_test_par_endpoint_url_as_audience_fails(party: CodeClient) -> None:
    assert error(await party.push(assertion=party.assertion(aud=ISSUER + PAR))) == INVALID_CLIENT


async def test_par_test_token_endpoint_url_as_audience_fails(party: CodeClient) -> None:
    assert error(await party.push(assertion=party.assertion(aud=f"{ISSUER}/oauth2/v1/token"))) == INVALID_CLIENT


async def test_without_the_profile_the_address_of_the_endpoint_is_an_audience(party: CodeClient) -> None:
    """RFC 9126 §2."""
    await party.deployment.change_application(profile=None)
    assert (await party.push(assertion=party.assertion(aud=ISSUER + PAR))).status == 201
