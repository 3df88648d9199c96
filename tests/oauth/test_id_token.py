"""The ID token: who logged in, for the application alone (OpenID Connect Core §2, §3.1.3.3, §3.1.3.6, §5.4, §12.2)."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from credence.crypto import base64url
from credence.identity import accounts
from credence.oauth.tokens.id_token import at_hash
from credence.settings import Settings
from tests.deployment import NOW, REVOKE_PATH, Deployment, ada, claims
from tests.oauth.standard import ask, error, log_in

ALL = "openid profile email credit:report"
OF_A_LOGIN = {"iss", "sub", "aud", "iat", "exp", "auth_time", "at_hash"}
OF_PROFILE = {"name", "given_name", "family_name", "preferred_username", "updated_at"}
OF_PROFILE |= {"FirstName", "LastName", "account_type"}
OF_EMAIL = {"email", "email_verified", "Email"}


def header(token: str) -> Any:
    return json.loads(base64url.decode(token.split(".")[0]))


async def refresh(deployment: Deployment, refresh_token: str, **more: str) -> dict[str, Any]:
    reply = await ask(deployment, {"grant_type": "refresh_token", "refresh_token": refresh_token, **more})
    assert reply.status == 200, reply
    tokens: dict[str, Any] = reply.json
    return tokens


async def test_the_scope_openid_adds_one(deployment: Deployment) -> None:
    """Core §3.1.3.3 and §2: who, by whom, for whom, from when until when; `aud` is the application."""
    tokens = (await log_in(deployment, scope="openid")).json
    assert claims(tokens["id_token"]) == {
        "iss": "https://localhost:8443",
        "sub": "ada",
        "aud": deployment.application.client_id,
        "iat": NOW // 1000,
        "exp": NOW // 1000 + 10_800,
        "auth_time": NOW // 1000,
        "at_hash": half_of(hashlib.sha256, tokens["access_token"]),
    }


async def test_without_the_scope_openid_there_is_no_id_token(deployment: Deployment) -> None:
    """Core §3.1.2.1: without `openid` a request is no OpenID Connect request. A request without scope is not one either."""
    assert "id_token" not in (await log_in(deployment)).json
    assert "id_token" not in (await log_in(deployment, scope="profile email")).json
    assert "id_token" not in await deployment.tokens()


@pytest.mark.parametrize(
    ("scope", "told"),
    [
        ("openid", set()),
        ("openid profile", OF_PROFILE),
        ("openid email", OF_EMAIL),
        ("openid profile email", OF_PROFILE | OF_EMAIL),
    ],
)
async def test_it_has_the_claims_of_its_scopes(deployment: Deployment, scope: str, told: set[str]) -> None:
    """Core §5.4."""
    assert claims((await log_in(deployment, scope=scope)).json["id_token"]).keys() == OF_A_LOGIN | told


async def test_it_has_the_standard_claims_and_those_of_the_house(deployment: Deployment) -> None:
    """Core §5.1, D5: the names that existing clients read mean the same here as in the access token."""
    tokens = (await log_in(deployment, scope=ALL)).json
    said, house = claims(tokens["id_token"]), claims(tokens["access_token"])
    assert (said["name"], said["given_name"], said["family_name"]) == ("Ada Lovelace", "Ada", "Lovelace")
    assert (said["preferred_username"], said["email"]) == ("ada", "ada@example.com")
    for name in ("Email", "FirstName", "LastName", "account_type", "sub"):
        assert said[name] == house[name]


async def test_an_unknown_claim_is_left_out(deployment: Deployment) -> None:
    """Core §5.3.2: a claim that is not returned is omitted, not null. A service account has no profile (D5)."""
    robot = accounts.register("robot", "service", ada().password_hash, NOW)
    await deployment.store.save_account(robot, NOW)
    said = claims((await log_in(deployment, username="robot", scope=ALL)).json["id_token"])
    assert said.keys() - OF_A_LOGIN == {"preferred_username", "updated_at", "account_type"}
    assert said["account_type"] == "service"


@pytest.mark.settings(algorithm="ES256")
async def test_it_is_signed_with_rs256_also_when_access_tokens_are_not(deployment: Deployment) -> None:
    """Core §15.1, Registration §2: RS256 is what a client expects that registered nothing else."""
    tokens = (await log_in(deployment, scope="openid")).json
    assert (header(tokens["access_token"])["alg"], header(tokens["id_token"])["alg"]) == ("ES256", "RS256")
    assert header(tokens["id_token"])["typ"] == "JWT"


@pytest.mark.parametrize(
    ("algorithm", "hashed"), [("RS256", "sha256"), ("ES256", "sha256"), ("PS256", "sha256"), ("EdDSA", "sha512")]
)
async def test_an_application_may_have_another_algorithm(deployment: Deployment, algorithm: str, hashed: str) -> None:
    """Registration §2 `id_token_signed_response_alg`; Core §3.1.3.6: the hash of `at_hash` is that of this algorithm."""
    await deployment.change_application(id_token_algorithm=algorithm)
    tokens = (await log_in(deployment, scope="openid")).json
    assert header(tokens["id_token"])["alg"] == algorithm
    assert claims(tokens["id_token"])["at_hash"] == half_of(getattr(hashlib, hashed), tokens["access_token"])


async def test_an_algorithm_that_is_no_longer_offered_gives_way_to_rs256(deployment: Deployment) -> None:
    """Core §15.1."""
    await deployment.change_application(id_token_algorithm="ML-DSA-65")
    assert header((await log_in(deployment, scope="openid")).json["id_token"])["alg"] == "RS256"


def test_a_service_cannot_be_without_rs256() -> None:
    """Core §15.1, Discovery §3: RS256 must be among the algorithms of ID tokens."""
    with pytest.raises(ValueError, match="RS256"):
        Settings(algorithms=("ES256",), algorithm="ES256")


def test_the_hash_of_an_access_token_is_that_of_the_standards_example() -> None:
    """Core appendix A.3 and A.4: the token of the one and the `at_hash` of the other."""
    assert at_hash("RS256", "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ"


def test_at_hash_is_left_out_for_an_algorithm_without_an_agreed_hash() -> None:
    """Core §3.1.3.6: the claim is optional here, and a wrong one is refused by clients."""
    assert at_hash("ML-DSA-65", "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") is None


async def test_another_implementation_verifies_it_and_takes_no_access_token_for_one(deployment: Deployment) -> None:
    """Core §3.1.3.7, by joserfc and the published key set; threats T8: an access token is not for the application."""
    tokens = (await log_in(deployment, scope=ALL)).json
    keys = KeySet.import_key_set((await deployment.send("GET", "/oauth2/v1/keys")).json)
    expected = jwt.JWTClaimsRegistry(
        now=lambda: NOW // 1000,
        iss={"essential": True, "value": "https://localhost:8443"},
        aud={"essential": True, "value": deployment.application.client_id},
        exp={"essential": True},
    )
    expected.validate(jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims)
    with pytest.raises(JoseError):
        expected.validate(jwt.decode(tokens["access_token"], keys, algorithms=["RS256", "ES256"]).claims)


async def test_it_is_no_bearer_token_and_no_refresh_token(deployment: Deployment) -> None:
    """threats T8."""
    tokens = (await log_in(deployment, scope=ALL)).json
    assert (await deployment.report(tokens["access_token"])).status == 200
    reply = await deployment.report(tokens["id_token"])
    assert reply.said == (401, "Unauthorized", "Access token is Invalid.")
    fields = {"grant_type": "refresh_token", "refresh_token": tokens["id_token"]}
    assert error(await ask(deployment, fields)) == (400, "invalid_grant")


async def test_revoking_one_has_no_effect(deployment: Deployment) -> None:
    """RFC 7009 §2.2: it cannot be revoked, and the answer does not reveal that."""
    tokens = (await log_in(deployment, scope=ALL)).json
    assert (await ask(deployment, {"token": tokens["id_token"]}, path=REVOKE_PATH)).status == 200
    assert (await deployment.report(tokens["access_token"])).status == 200


async def test_a_refresh_repeats_the_time_of_the_login(deployment: Deployment) -> None:
    """Core §12.2: `iss`, `sub` and `aud` stay, `iat` is the refresh's, `auth_time` the login's."""
    first = (await log_in(deployment, scope=ALL)).json
    deployment.now += 60_000
    second = await refresh(deployment, first["refresh_token"])
    before, after = claims(first["id_token"]), claims(second["id_token"])
    changed = {"iat": NOW // 1000 + 60, "exp": NOW // 1000 + 60 + 10_800}
    assert after == before | changed | {"at_hash": half_of(hashlib.sha256, second["access_token"])}
    assert after["auth_time"] == NOW // 1000


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
async def test_a_retried_refresh_gets_the_same_one(deployment: Deployment, algorithm: str) -> None:
    """D7, to the letter, where the signature is deterministic."""
    await deployment.change_application(id_token_algorithm=algorithm)
    first = (await log_in(deployment, scope=ALL)).json
    answered = await refresh(deployment, first["refresh_token"])
    deployment.now += 5_000
    assert await refresh(deployment, first["refresh_token"]) == answered


async def test_so_does_one_that_is_retried_after_the_key_has_rolled(deployment: Deployment) -> None:
    """D7, D13: a key signs for 90 days from the first instant of the deployment, and its successor takes over then."""
    deployment.now = NOW + 90 * 86_400_000 - 5_000
    first = (await log_in(deployment, scope=ALL)).json
    answered = await refresh(deployment, first["refresh_token"])
    deployment.now += 10_000
    assert await refresh(deployment, first["refresh_token"]) == answered
    later = (await log_in(deployment, scope=ALL)).json
    assert header(later["id_token"])["kid"] != header(answered["id_token"])["kid"]


async def test_one_whose_key_was_revoked_meanwhile_gets_the_same_claims_under_the_next_key(
    deployment: Deployment,
) -> None:
    """D7, threats §6, K7: the revoked key is gone from the key set, and what it signed with it."""
    first = (await log_in(deployment, scope=ALL)).json
    answered = await refresh(deployment, first["refresh_token"])
    revoked = header(answered["id_token"])["kid"]
    await deployment.store.revoke_signing_key(revoked, deployment.now)
    retried = await refresh(deployment, first["refresh_token"])
    assert claims(retried["id_token"]) == claims(answered["id_token"])
    published = [key["kid"] for key in (await deployment.send("GET", "/oauth2/v1/keys")).json["keys"]]
    assert header(retried["id_token"])["kid"] in published
    assert revoked not in published


async def test_a_refresh_in_the_house_dialect_has_no_id_token(deployment: Deployment) -> None:
    """spec §2.3: a login of the standard dialect may be refreshed by headers, and gets the fields of the house."""
    first = (await log_in(deployment, scope=ALL)).json
    answered = (await deployment.refresh(first["refresh_token"])).json
    assert answered.keys() == {"issued_at", "expires_in", "token_type", "access_token", "refresh_token"}


async def test_a_refresh_without_openid_gets_no_id_token(deployment: Deployment) -> None:
    """RFC 6749 §6: the narrower scope that is requested is granted."""
    first = (await log_in(deployment, scope=ALL)).json
    narrow = await refresh(deployment, first["refresh_token"], scope="credit:report")
    assert "id_token" not in narrow
    assert "id_token" in await refresh(deployment, narrow["refresh_token"])


async def test_an_application_whose_scopes_were_narrowed_gets_fewer_claims(deployment: Deployment) -> None:
    """threats A15: what it may have now, not what it was granted."""
    first = (await log_in(deployment, scope=ALL)).json
    await deployment.change_application(scopes=("openid", "profile"))
    second = await refresh(deployment, first["refresh_token"])
    assert claims(second["id_token"]).keys() == OF_A_LOGIN | OF_PROFILE
    await deployment.change_application(scopes=("profile",))
    assert "id_token" not in await refresh(deployment, second["refresh_token"])


def half_of(hashed: Callable[[bytes], Any], token: str) -> str:
    """The left half of the hash of the ASCII of a token, in base64url (Core §3.1.3.6)."""
    digest: bytes = hashed(token.encode("ascii")).digest()
    return base64url.encode(digest[: len(digest) // 2])
