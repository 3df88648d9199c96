"""The JWT bearer grant with an employer's assertion (RFC 7523, ID-JAG, MCP), threats E15.

The issuer is PyJWT for a good assertion and joserfc for forged ones: neither is ours.
"""

import asyncio
import json
from typing import Any

import jwt
import msgspec
import pytest

from credence.access.report_rights import ReportRights
from credence.crypto import base64url
from tests.deployment import NOW, Deployment, claims
from tests.oauth.asserting import (
    EMPLOYER,
    GRANT,
    HEADER,
    OTHER_EMPLOYER,
    SECONDS,
    US,
    asserted,
    assertion,
    issuer,
    present,
    trusting,
)
from tests.oauth.assertions import EC, OTHER_EC, oct_key, public, signed
from tests.oauth.standard import error


async def test_an_assertion_by_pyjwt_becomes_a_token_for_the_person(deployment: Deployment) -> None:
    """ID-JAG §4.4: short, without refresh token and ID token, and good at once for the API."""
    await trusting(deployment)
    key = EC.as_pem(private=True)
    text = jwt.encode(asserted(deployment, scope="credit:report"), key, HEADER["alg"], dict(HEADER))
    reply = await present(deployment, text)
    assert reply.status == 200, reply
    assert reply.json.keys() == {"access_token", "token_type", "expires_in", "issued_at", "scope"}
    assert (reply.json["scope"], reply.json["expires_in"]) == ("credit:report", 900)
    said = claims(reply.json["access_token"])
    assert (said["sub"], said["client_id"]) == ("ada", deployment.application.client_id)
    assert (await deployment.report(reply.json["access_token"])).status == 200


async def test_without_an_issuer_in_the_table_the_grant_is_off(deployment: Deployment) -> None:
    await deployment.change_application(grants=(GRANT,))
    assert error(await present(deployment, assertion(deployment))) == (400, "invalid_grant")


async def test_an_application_without_the_grant_cannot_use_it(deployment: Deployment) -> None:
    """D25."""
    await trusting(deployment, grants=("password",))
    assert error(await present(deployment, assertion(deployment))) == (400, "unauthorized_client")


FORGED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "an access token": ({"typ": "at+jwt"}, {}, "issuer_token.type"),
    "an ID token": ({"typ": "JWT"}, {}, "issuer_token.type"),
    "a logout token": ({"typ": "logout+jwt"}, {}, "issuer_token.type"),
    "a client assertion": ({"typ": "client-authentication+jwt"}, {}, "issuer_token.type"),
    "a security event": ({"typ": "secevent+jwt"}, {}, "issuer_token.type"),
    "no type": ({"typ": None}, {}, "issuer_token.type"),
    "another kid": ({"kid": "e2"}, {}, "issuer_token.signature"),
    "a key in the header": ({"jwk": public(OTHER_EC)}, {}, "issuer_token.malformed"),
    "an address of keys": ({"jku": "https://evil.example/keys"}, {}, "issuer_token.malformed"),
    "an address of certificates": ({"x5u": "https://evil.example/c"}, {}, "issuer_token.malformed"),
    "a critical header": ({"crit": ["b64"], "b64": False}, {}, "issuer_token.malformed"),
    "an unknown issuer": ({}, {"iss": "https://evil.example"}, "assertion_grant.issuer"),
    "this service as issuer": ({}, {"iss": US}, "assertion_grant.issuer"),
    "the issuer with a slash": ({}, {"iss": f"{EMPLOYER}/"}, "assertion_grant.issuer"),
    "the issuer in capitals": ({}, {"iss": "https://LOGIN.example.com"}, "assertion_grant.issuer"),
    "an issuer that is a list": ({}, {"iss": [EMPLOYER]}, "assertion_grant.issuer"),
    "no issuer": ({}, {"iss": None}, "assertion_grant.issuer"),
    "the token endpoint as audience": ({}, {"aud": f"{US}/oauth2/v1/token"}, "issuer_token.audience"),
    "another audience": ({}, {"aud": "https://auth.chat.example"}, "issuer_token.audience"),
    "two audiences": ({}, {"aud": [US, "https://auth.chat.example"]}, "issuer_token.audience"),
    "the client as audience": ({}, {"aud": "crd_sbx_app_a"}, "issuer_token.audience"),
    "no audience": ({}, {"aud": None}, "issuer_token.audience"),
    "another client": ({}, {"client_id": "crd_sbx_app_other"}, "assertion_grant.client"),
    "a list of clients": ({}, {"client_id": ["crd_sbx_app_other"]}, "assertion_grant.claims"),
    "no client": ({}, {"client_id": None}, "assertion_grant.claims"),
    "no jti": ({}, {"jti": None}, "assertion_grant.claims"),
    "an empty jti": ({}, {"jti": ""}, "assertion_grant.claims"),
    "a long jti": ({}, {"jti": "x" * 256}, "assertion_grant.claims"),
    "a jti that is a number": ({}, {"jti": 7}, "assertion_grant.claims"),
    "an unknown subject": ({}, {"sub": "U0"}, "assertion_grant.subject"),
    "a login name as subject": ({}, {"sub": "ada"}, "assertion_grant.subject"),
    "a mail address as subject": ({}, {"sub": "ada@example.com"}, "assertion_grant.subject"),
    "no subject": ({}, {"sub": None}, "assertion_grant.claims"),
    "expired": ({}, {"exp": SECONDS}, "issuer_token.times"),
    "without end": ({}, {"exp": None}, "issuer_token.times"),
    "an end that is text": ({}, {"exp": str(SECONDS + 60)}, "issuer_token.times"),
    "issued six minutes ago": ({}, {"iat": SECONDS - 360}, "issuer_token.times"),
    "issued in a minute": ({}, {"iat": SECONDS + 60}, "issuer_token.times"),
    "valid in a minute": ({}, {"nbf": SECONDS + 60}, "issuer_token.times"),
    "without a time of issue": ({}, {"iat": None}, "issuer_token.times"),
    "a sign-in before all time": ({}, {"auth_time": -1}, "assertion_grant.claims"),
    "a sign-in in the future": ({}, {"auth_time": SECONDS + 3_600}, "assertion_grant.claims"),
    "another tenant": ({}, {"tid": "other"}, "issuer_token.required_claim"),
    "no tenant": ({}, {"tid": None}, "issuer_token.required_claim"),
}


@pytest.mark.parametrize("name", FORGED)
async def test_a_forged_assertion_is_refused(deployment: Deployment, name: str) -> None:
    header, changes, reason = FORGED[name]
    await trusting(deployment, issuer(required_claims={"tid": "t1"}))
    whole = {key: value for key, value in {**HEADER, **header}.items() if value is not None}
    text = assertion(deployment, whole, **{"tid": "t1", **changes})
    assert error(await present(deployment, text)) == (400, "invalid_grant")
    assert deployment.service.counts.refusals[reason] == 1
    assert (await present(deployment, assertion(deployment, tid="t1"))).status == 200


def _unsigned(deployment: Deployment) -> str:
    return assertion(deployment).rpartition(".")[0] + "."


def _none(deployment: Deployment) -> str:
    _, body, _ = assertion(deployment).split(".")
    return f"{base64url.encode(json.dumps({**HEADER, 'alg': 'none'}).encode())}.{body}."


def _duplicated(deployment: Deployment) -> str:
    body = json.dumps(asserted(deployment))
    return signed(EC, dict(HEADER), (body[:-1] + ', "client_id": "crd_sbx_app_other"}').encode())


def _by_public_key(deployment: Deployment) -> str:
    secret = json.dumps(public(EC)).encode()
    return signed(oct_key(secret), {**HEADER, "alg": "HS256"}, asserted(deployment))


def _signed_elsewhere(deployment: Deployment) -> str:
    return assertion(deployment, key=OTHER_EC)


def _claims_exchanged(deployment: Deployment) -> str:
    good, other = assertion(deployment), assertion(deployment, sub="U1")
    return ".".join((good.split(".")[0], other.split(".")[1], good.split(".")[2]))


@pytest.mark.parametrize(
    "forge",
    [_unsigned, _none, _duplicated, _by_public_key, _signed_elsewhere, _claims_exchanged],
    ids=lambda each: each.__name__,
)
async def test_a_text_that_the_issuer_did_not_sign_as_it_is_is_refused(deployment: Deployment, forge: Any) -> None:
    await trusting(deployment)
    assert error(await present(deployment, forge(deployment))) == (400, "invalid_grant")


@pytest.mark.parametrize("text", ["x", "a.b.c", "." * 5, "e30.e30.e30", "\u00e9.e30.e30"])
async def test_what_is_no_jwt_is_refused(deployment: Deployment, text: str) -> None:
    await trusting(deployment)
    assert error(await present(deployment, text))[0] == 400


async def test_the_key_of_one_employer_does_not_sign_for_another(deployment: Deployment) -> None:
    """threats E15: nor is a subject of one the person of the other, though both use the same text."""
    other = issuer("other", OTHER_EMPLOYER, OTHER_EC)
    await trusting(deployment, issuer(), other)
    assert error(await present(deployment, assertion(deployment, key=OTHER_EC))) == (400, "invalid_grant")
    assert error(await present(deployment, assertion(deployment, key=OTHER_EC, iss=OTHER_EMPLOYER))) == (
        400,
        "invalid_grant",
    )
    assert deployment.service.counts.refusals["assertion_grant.subject"] == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"disabled": True},
        {"uses": ("sign_in", "clients")},
        {"applications": ("crd_sbx_app_other",)},
        {"subjects": ("X*",)},
    ],
)
async def test_an_issuer_asserts_no_more_than_the_table_says(deployment: Deployment, changes: dict[str, Any]) -> None:
    await trusting(deployment, issuer(**changes))
    assert error(await present(deployment, assertion(deployment))) == (400, "invalid_grant")


async def test_of_one_assertion_over_two_nodes_one_token_comes(deployment: Deployment) -> None:
    """RFC 7523 §3 item 7: as often as it is presented at once."""
    await trusting(deployment)
    text = assertion(deployment)
    async with deployment.another_node(deployment.store) as other:
        answers = await asyncio.gather(*(present(node, text) for node in (deployment, other) * 4))
    assert sorted(each.status for each in answers) == [200] + [400] * 7
    deployment.now += 290_000
    assert error(await present(deployment, text)) == (400, "invalid_grant")


@pytest.mark.parametrize(
    ("asserted_scope", "of_issuer", "requested", "granted"),
    [
        (None, (), None, "credit:report credit:search credit:directors"),
        ("credit:report", (), None, "credit:report"),
        ("credit:report credit:search", (), "credit:search", "credit:search"),
        ("credit:report credit:search", ("credit:report",), None, "credit:report"),
        (None, ("credit:search",), None, "credit:search"),
        ("credit:report", (), "credit:report credit:search", None),
        ("credit:report", ("credit:search",), None, None),
        ("openid offline_access manage:accounts", (), None, None),
        (None, (), "manage:accounts", None),
        (None, (), "openid", None),
    ],
)
async def test_the_scope_is_what_assertion_issuer_and_application_allow(
    deployment: Deployment,
    asserted_scope: str | None,
    of_issuer: tuple[str, ...],
    requested: str | None,
    granted: str | None,
) -> None:
    await trusting(deployment, issuer(scopes=of_issuer))
    more = {} if requested is None else {"scope": requested}
    reply = await present(deployment, assertion(deployment, scope=asserted_scope), **more)
    assert (reply.json["scope"] if granted else error(reply)) == (granted or (400, "invalid_scope"))


@pytest.mark.parametrize(
    ("asserted_resource", "requested", "status"),
    [
        (f"{US}/mcp", None, 200),
        (f"{US}/mcp", f"{US}/mcp", 200),
        (f"{US}/mcp", US, 400),
        ("https://mcp.chat.example", None, 400),
    ],
)
async def test_the_resource_is_that_of_the_assertion(
    deployment: Deployment, asserted_resource: str, requested: str | None, status: int
) -> None:
    """MCP Enterprise-Managed Authorization §4.3; RFC 8707 §2.2."""
    await trusting(deployment)
    more = {} if requested is None else {"resource": requested}
    reply = await present(deployment, assertion(deployment, resource=asserted_resource), **more)
    assert reply.status == status
    if status == 200:
        assert claims(reply.json["access_token"])["aud"] == f"{US}/mcp"


async def test_an_issuer_is_for_its_resources_alone(deployment: Deployment) -> None:
    await trusting(deployment, issuer(resources=(f"{US}/mcp",)))
    assert error(await present(deployment, assertion(deployment))) == (400, "invalid_target")
    assert (await present(deployment, assertion(deployment), resource=f"{US}/mcp")).status == 200


async def test_rights_are_those_of_assertion_and_issuer(deployment: Deployment) -> None:
    """RFC 9396: the issuer has a ceiling, and the assertion narrows it; more is refused."""
    await trusting(deployment, issuer(report_rights=ReportRights("credit_report", companies=("99999999", "99999901"))))
    detail = {"type": "credit_report", "companies": ["99999999"]}
    reply = await present(deployment, assertion(deployment, authorization_details=[detail]))
    assert reply.json["authorization_details"] == [detail]
    assert (await deployment.report(reply.json["access_token"], "/99999901")).status == 403
    for beyond in ({"type": "credit_report", "companies": ["01234567"]}, {"type": "unheard_of"}):
        refused = await present(deployment, assertion(deployment, authorization_details=[beyond]))
        assert error(refused) == (400, "invalid_authorization_details")


async def test_a_suspended_account_gets_no_token_and_loses_the_one_it_has(deployment: Deployment) -> None:
    """D14: the employer's word opens no account that is not active."""
    await trusting(deployment)
    token = (await present(deployment, assertion(deployment))).json["access_token"]
    account = await deployment.store.account("ada")
    assert account is not None
    await deployment.store.save_account(
        msgspec.structs.replace(account, status="suspended", version=account.version + 1), deployment.now
    )
    assert (await present(deployment, assertion(deployment))).status == 400
    assert (await deployment.report(token)).status == 401


@pytest.mark.parametrize(
    ("policy", "acr", "status"),
    [("factor", "other", 400), ("factor", "urn:example:mfa", 200), ("passkey", "urn:example:mfa", 400)],
)
@pytest.mark.parametrize("of", ["account", "application"])
async def test_an_assertion_is_held_to_the_policy_of_account_and_application(
    deployment: Deployment, of: str, policy: str, acr: str, status: int
) -> None:
    """D28: as with the password grant, a weaker sign-in than the policy requires gets no token."""
    own = {"sign_in": policy}
    await trusting(deployment, issuer(strong_classes=("urn:example:mfa",)), **(own if of == "application" else {}))
    if of == "account":
        await deployment.change_account(**own)
    assert (await present(deployment, assertion(deployment, acr=acr))).status == status


async def test_an_assertion_from_before_the_end_of_everything_opens_nothing(deployment: Deployment) -> None:
    """D14: a client that keeps an assertion would get in again with it."""
    await trusting(deployment)
    await deployment.change_account(not_before=NOW)
    assert (await present(deployment, assertion(deployment, iat=SECONDS - 60))).status == 400
    assert (await present(deployment, assertion(deployment, iat=SECONDS + 1))).status == 200


async def test_metadata_names_grant_and_profile(deployment: Deployment) -> None:
    """ID-JAG §7.2."""
    document = (await deployment.send("GET", "/.well-known/oauth-authorization-server")).json
    assert GRANT in document["grant_types_supported"]
    assert document["authorization_grant_profiles_supported"] == ["urn:ietf:params:oauth:grant-profile:id-jag"]
