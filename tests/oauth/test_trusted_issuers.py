"""What a trusted issuer has signed is accepted within the table's limits, and nothing else is (RFC 8725, RFC 7519 §7.2)."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from credence.crypto import base64url
from credence.crypto.jwk import generate, signing_key
from credence.identity.client_keys import read_key_set
from credence.oauth.trusted_issuers.verifying import Expected, UntrustedToken, are_apart, issuer_of, verified
from credence.store.trusted_issuers import ISSUERS, TrustedIssuer
from tests.deployment import NOW, Deployment

ISSUER = "https://login.example.com"
US = "https://api.example.com"
NEW = generate("ES256")
STRANGER = generate("ES256")
KEYS = read_key_set(msgspec.json.encode({"keys": [msgspec.json.decode(NEW.public)]}))
TRUSTED = TrustedIssuer("example", ISSUER, "Example Ltd", NOW, uses=("assertions",), keys=KEYS)
OF_ISSUER = {"iss": ISSUER}
EXPECTED = Expected(frozenset({"jwt"}), frozenset({US}), max_age_seconds=300)
SECONDS = NOW // 1000
HEADER = {"alg": "ES256", "kid": NEW.kid, "typ": "JWT"}
CLAIMS = {
    "iss": ISSUER,
    "sub": "248289761001",
    "aud": US,
    "iat": SECONDS,
    "exp": SECONDS + 60,
    "email": "jane@example.com",
    "email_verified": True,
    "tid": "t1",
}


def signed(header: Mapping[str, Any], claims: bytes, by: Any = NEW) -> str:
    text = f"{base64url.encode(msgspec.json.encode(header))}.{base64url.encode(claims)}"
    key = signing_key(by.kid, by.algorithm, by.private)
    return f"{text}.{base64url.encode(key.sign(text.encode()))}"


def token(*, by: Any = NEW, header: Mapping[str, Any] = HEADER, **claims: Any) -> str:
    given = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    return signed(header, msgspec.json.encode(given), by)


async def test_what_a_trusted_issuer_signed_is_accepted(deployment: Deployment) -> None:
    claims = await verified(deployment.service.authority, TRUSTED, token(), EXPECTED, NOW)
    assert claims["sub"] == "248289761001"


FORGED: dict[str, tuple[str, dict[str, Any], str]] = {
    "unsigned": (token().rpartition(".")[0] + ".", {}, "issuer_token.malformed"),
    "alg none": (token(header={**HEADER, "alg": "none"}), {}, "issuer_token.signature"),
    "alg HS256": (token(header={**HEADER, "alg": "HS256"}), {}, "issuer_token.signature"),
    "another algorithm of the list": (token(header={**HEADER, "alg": "EdDSA"}), {}, "issuer_token.signature"),
    "a key of its own": (token(header={**HEADER, "jwk": {"kty": "EC"}}), {}, "issuer_token.malformed"),
    "an address of a key": (token(header={**HEADER, "jku": "https://evil.example"}), {}, "issuer_token.malformed"),
    "a critical header": (token(header={**HEADER, "crit": ["x"], "x": 1}), {}, "issuer_token.malformed"),
    "another issuer's key": (token(by=STRANGER), {}, "issuer_token.signature"),
    "an unknown kid": (token(header={**HEADER, "kid": "other"}), {}, "issuer_token.signature"),
    "an access token": (token(header={**HEADER, "typ": "at+jwt"}), {}, "issuer_token.type"),
    "no type": (token(header={"alg": "ES256", "kid": NEW.kid}), {}, "issuer_token.type"),
    "another iss": (token(iss="https://evil.example"), {}, "issuer_token.issuer"),
    "iss with a slash": (token(iss=f"{ISSUER}/"), {}, "issuer_token.issuer"),
    "iss is a list": (token(iss=[ISSUER]), {}, "issuer_token.issuer"),
    "iss is an object": (token(iss={ISSUER: 1}), {}, "issuer_token.issuer"),
    "no iss": (token(iss=None), {}, "issuer_token.issuer"),
    "another aud": (token(aud="https://other.example"), {}, "issuer_token.audience"),
    "two audiences": (token(aud=[US, "https://other.example"]), {}, "issuer_token.audience"),
    "no aud": (token(aud=None), {}, "issuer_token.audience"),
    "aud is an object": (token(aud={US: 1}), {}, "issuer_token.audience"),
    "expired": (token(exp=SECONDS), {}, "issuer_token.times"),
    "never expires": (token(exp=None), {}, "issuer_token.times"),
    "expires in a year": (token(exp=SECONDS + 31_536_000), {}, "issuer_token.times"),
    "exp is text": (token(exp=str(SECONDS + 60)), {}, "issuer_token.times"),
    "exp is longer than a float": (
        signed(HEADER, msgspec.json.encode({**CLAIMS, "exp": 0}).replace(b'"exp":0', b'"exp":' + b"9" * 400)),
        {},
        "issuer_token.times",
    ),
    "exp is true": (token(exp=True), {}, "issuer_token.times"),
    "not yet valid": (token(nbf=SECONDS + 60), {}, "issuer_token.times"),
    "issued in the future": (token(iat=SECONDS + 60), {}, "issuer_token.times"),
    "issued long ago": (token(iat=SECONDS - 301), {}, "issuer_token.times"),
    "no iat": (token(iat=None), {}, "issuer_token.times"),
    "a duplicated member": (
        signed(HEADER, msgspec.json.encode(CLAIMS)[:-1] + b',"sub":"admin"}'),
        {},
        "issuer_token.malformed",
    ),
    "another tenant": (token(tid="t2"), {"required_claims": {"tid": "t1"}}, "issuer_token.required_claim"),
    "no tenant": (token(tid=None), {"required_claims": {"tid": "t1"}}, "issuer_token.required_claim"),
    "another subject": (token(), {"subjects": ("repo:acme/*",)}, "issuer_token.subject"),
    "another subject, at its end": (token(sub="x:acme:1\n"), {"subjects": ("x:acme:?",)}, "issuer_token.subject"),
    "another domain": (
        token(email="jane@evil.example"),
        {"mail_domains": ("example.com",)},
        "issuer_token.mail_domain",
    ),
    "two at signs": (
        token(email="jane@evil.example@example.com"),
        {"mail_domains": ("example.com",)},
        "issuer_token.mail_domain",
    ),
    "a domain below": (
        token(email="jane@sub.example.com"),
        {"mail_domains": ("example.com",)},
        "issuer_token.mail_domain",
    ),
    "an unproven address": (
        token(email_verified=False),
        {"mail_domains": ("example.com",)},
        "issuer_token.mail_domain",
    ),
    "an unproven address, in text": (
        token(email_verified="false"),
        {"mail_domains": ("example.com",)},
        "issuer_token.mail_domain",
    ),
}


@pytest.mark.parametrize("forged", list(FORGED))
async def test_a_forged_token_is_refused(deployment: Deployment, forged: str) -> None:
    text, limits, reason = FORGED[forged]
    with pytest.raises(UntrustedToken, match=f"^{reason}$"):
        await verified(deployment.service.authority, msgspec.structs.replace(TRUSTED, **limits), text, EXPECTED, NOW)


@pytest.mark.parametrize(
    ("limits", "claims"),
    [
        ({"subjects": ("system:serviceaccount:prod:*",)}, {"sub": "system:serviceaccount:prod:batch"}),
        ({"mail_domains": ("example.com",)}, {"email": "Jane@EXAMPLE.com"}),
        ({"required_claims": {"groups": "credit"}}, {"groups": ["all", "credit"]}),
    ],
)
async def test_a_token_within_the_limits_is_accepted(
    deployment: Deployment, limits: dict[str, Any], claims: dict[str, Any]
) -> None:
    issuer = msgspec.structs.replace(TRUSTED, **limits)
    assert await verified(deployment.service.authority, issuer, token(**claims), EXPECTED, NOW)


async def test_every_node_trusts_an_issuer_once_it_is_stored_and_not_after_it_is_removed(
    deployment: Deployment,
) -> None:
    authority = deployment.service.authority
    assert authority.issuers == ()
    await deployment.store.save(ISSUERS, TRUSTED, NOW)
    await authority.follow(NOW)
    assert issuer_of(authority, OF_ISSUER, "assertions") == TRUSTED
    assert issuer_of(authority, OF_ISSUER, "sign_in") is None
    assert issuer_of(authority, {"iss": f"{ISSUER}/"}, "assertions") is None
    await deployment.store.delete(ISSUERS, TRUSTED, NOW)
    await authority.follow(NOW)
    assert issuer_of(authority, OF_ISSUER, "assertions") is None


async def test_a_disabled_issuer_is_not_trusted(deployment: Deployment) -> None:
    await deployment.store.save(ISSUERS, msgspec.structs.replace(TRUSTED, disabled=True), NOW)
    await deployment.service.authority.follow(NOW)
    assert issuer_of(deployment.service.authority, OF_ISSUER, "assertions") is None


async def test_tenants_of_one_issuer_are_told_apart_by_a_required_claim(deployment: Deployment) -> None:
    """Many companies share the identifier of Google; `hd` says which of them a token is of."""
    one, other = (
        msgspec.structs.replace(TRUSTED, id=each, required_claims={"hd": f"{each}.example"})
        for each in ("one", "other")
    )
    assert are_apart(one, other)
    assert not are_apart(one, msgspec.structs.replace(other, required_claims={"tid": "other"}))
    assert not are_apart(one, TRUSTED)
    for each in (one, other):
        await deployment.store.save(ISSUERS, each, NOW)
    authority = deployment.service.authority
    await authority.follow(NOW)
    assert issuer_of(authority, {"iss": ISSUER, "hd": "other.example"}, "assertions") == other
    for claims in ({}, {"hd": "third.example"}, {"hd": ["one.example", "other.example"]}):
        assert issuer_of(authority, {"iss": ISSUER, **claims}, "assertions") is None
