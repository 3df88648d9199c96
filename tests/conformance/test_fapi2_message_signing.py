"""FAPI 2.0 Message Signing: the modules that the plan has beyond the Security Profile, of signed requests and answers.

Each test is named after its module. Signed introspection is in `tests/oauth/test_signed_introspection.py`.
"""

from typing import Any

import pytest

from tests.conformance.fapi2_code import CodeClient, code_client
from tests.deployment import NOW, Deployment
from tests.oauth import assertions
from tests.oauth.proving import ISSUER, encoded
from tests.oauth.standard import error
from tests.sign_in.browsing import request_of
from tests.sign_in.pushing import by_reference, object_of
from tests.sign_in.test_signed_answers import read

SECONDS = NOW // 1000
INVALID_OBJECT = (400, "invalid_request_object")
"""RFC 9101 §6.2, §6.3, §7, RFC 9126 §2.3: `EnsurePARInvalidRequestObjectError`."""
INVALID_REQUEST = (400, "invalid_request")
"""`EnsurePARInvalidRequestError`: the fault is in the parameters, and no object is at fault."""


@pytest.fixture
async def party(deployment: Deployment) -> CodeClient:
    return await code_client(deployment, signed_requests_required=True)


async def push(party: CodeClient, header: Any = None, **changes: Any) -> Any:
    text = object_of(party.deployment, party.application, header, **changes)
    return await party.push_fields({"client_id": party.application.client_id, "request": text})


async def accepted(party: CodeClient, **changes: Any) -> dict[str, str]:
    reply = await push(party, **changes)
    assert reply.status == 201, reply
    return await party.through_pages(by_reference(party.application, reply.json["request_uri"]))


async def test_happy_flow_signed(party: CodeClient) -> None:
    """The object counts alone, and the answer is a JWT for the client, signed as FAPI allows."""
    answer = await accepted(party, response_mode="jwt")
    said = await read(party.deployment, answer["response"], "ES256")
    assert (await party.redeem(said["code"])).status == 200


async def test_ensure_request_object_with_multiple_aud_succeeds(party: CodeClient) -> None:
    assert (await accepted(party, aud=[ISSUER, "https://other.example.com"]))["code"]


async def test_ensure_request_object_with_nbf_8_seconds_in_the_future_is_accepted(party: CodeClient) -> None:
    assert (await accepted(party, nbf=SECONDS + 8))["code"]


async def test_ensure_different_nonce_inside_and_outside_request_object(party: CodeClient) -> None:
    uri = (await push(party)).json["request_uri"]
    target = by_reference(party.application, uri, nonce="outside", state="outside")
    assert (await party.through_pages(target))["state"] == "xyz"


async def test_ensure_different_state_inside_and_outside_request_object(party: CodeClient) -> None:
    text = object_of(party.deployment, party.application, state="inside")
    fields = {"client_id": party.application.client_id, "request": text, "state": "outside"}
    uri = (await party.push_fields(fields)).json["request_uri"]
    assert (await party.through_pages(by_reference(party.application, uri)))["state"] == "inside"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"exp": None}, id="without-exp-fails"),
        pytest.param({"nbf": None}, id="without-nbf-fails"),
        pytest.param({"exp": SECONDS - 300, "nbf": SECONDS - 600}, id="expired-request-object-fails"),
        pytest.param({"aud": "https://other.example.com"}, id="with-bad-aud-fails"),
        pytest.param({"aud": None}, id="without-aud"),
        pytest.param({"exp": SECONDS + 4_200}, id="with-exp-over-60-fails"),
        pytest.param({"nbf": SECONDS - 4_200, "exp": SECONDS + 60}, id="with-nbf-over-60-fails"),
        pytest.param({"request_uri": "urn:x"}, id="par-reject-request-uri-in-par-authorization-request"),
    ],
)
async def test_ensure_request_object_fails(party: CodeClient, changes: dict[str, Any]) -> None:
    assert error(await push(party, **changes)) == INVALID_OBJECT


async def test_ensure_request_object_without_redirect_uri_fails(party: CodeClient) -> None:
    """The object is valid, but not the request in it."""
    assert error(await push(party, redirect_uri=None)) == INVALID_REQUEST


async def test_ensure_signed_request_object_with_rs256_fails(party: CodeClient) -> None:
    claims = {"client_id": party.application.client_id, "aud": ISSUER, "nbf": SECONDS, "exp": SECONDS + 60}
    text = assertions.signed(assertions.RSA, {"alg": "RS256"}, claims)
    assert error(await party.push_fields({"request": text})) == INVALID_OBJECT


async def test_ensure_request_object_signature_algorithm_is_not_none(party: CodeClient) -> None:
    payload = object_of(party.deployment, party.application).split(".")[1]
    text = f"{encoded({'alg': 'none'})}.{payload}."
    assert error(await party.push_fields({"request": text})) == INVALID_OBJECT


async def test_ensure_request_object_with_invalid_signature_fails(party: CodeClient) -> None:
    text = object_of(party.deployment, party.application)
    changed = text[:-8] + ("AAAAAAAA" if text[-8:] != "AAAAAAAA" else "BBBBBBBA")
    assert error(await party.push_fields({"request": changed})) == INVALID_OBJECT


async def test_ensure_matching_key_in_authorization_request(party: CodeClient) -> None:
    """A key that is not the client's."""
    head = {"alg": "ES256", "typ": "oauth-authz-req+jwt"}
    claims = {"client_id": party.application.client_id, "aud": ISSUER, "nbf": SECONDS, "exp": SECONDS + 60}
    text = assertions.signed(assertions.OTHER_EC, head, claims)
    assert error(await party.push_fields({"request": text})) == INVALID_OBJECT


async def test_ensure_unsigned_request_at_par_endpoint_fails(party: CodeClient) -> None:
    assert error(await party.push()) == INVALID_REQUEST


async def test_a_signed_request_that_was_not_pushed_fails(party: CodeClient) -> None:
    """FAPI 2.0 §5.3.2.2 item 2."""
    text = object_of(party.deployment, party.application)
    answer = await party.through_pages(f"{request_of(party.application)}&request={text}")
    assert answer["error"] == "invalid_request"
