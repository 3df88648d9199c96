"""Keys that change under a running service (D13, threats K1, K7, I6, T12)."""

import json
from typing import Any

import pytest

from credence.crypto import base64url
from credence.crypto.jws import OFFERED
from credence.oauth.keys.rotation import publish_ahead, rotate_keys
from credence.oauth.keys.schedule import RETENTION_MS, SAFE_AFTER_MS
from credence.telemetry.reasons import explanations
from tests.deployment import KEKS, NOW, Deployment, OpenDeployment, add_keys
from tests.sweeps import LONG

DAY = 86_400_000


def kid(token: str) -> Any:
    return json.loads(base64url.decode(token.split(".")[0]))["kid"]


async def published(deployment: Deployment) -> set[str]:
    return {key["kid"] for key in (await deployment.send("GET", "/oauth2/v1/keys")).json["keys"]}


async def tend(deployment: Deployment) -> None:
    await rotate_keys(deployment.store, KEKS, deployment.service.settings, (*OFFERED, "ML-DSA-65"), deployment.now)


@pytest.mark.settings(access_token_lifetime_seconds=86400, algorithms=("RS256", "ES256"))
async def test_a_year_of_rolls_refuses_no_good_token_and_signs_with_no_unpublished_key(deployment: Deployment) -> None:
    """threats T12, I6: twice a day a login, a look by a verifier that caches, and a check of the last day's tokens.

    In a long run it is every six hours.
    """
    held: set[str] = await published(deployment)
    held_until = NOW
    live: list[tuple[int, str]] = []
    signers = set()
    for hour in range(0, 365 * 24, 6 if LONG else 12):
        deployment.now = NOW + hour * 3_600_000
        await tend(deployment)
        token = (await deployment.tokens())["access_token"]
        signers.add(kid(token))
        if deployment.now >= held_until:
            reply = await deployment.send("GET", "/oauth2/v1/keys")
            held = {key["kid"] for key in reply.json["keys"]}
            held_until = deployment.now + int(reply.headers["cache-control"].removeprefix("public, max-age=")) * 1000
        live = [(until, each) for until, each in live if until > deployment.now]
        live.append((deployment.now // 1000 * 1000 + 86_400_000, token))
        for _, each in live:
            assert kid(each) in held
            assert (await deployment.report(each)).status == 200
    assert len(signers) == 5  # 365 days in slots of 90


async def test_a_revoked_key_leaves_the_set_its_tokens_are_refused_and_a_new_key_signs(deployment: Deployment) -> None:
    """threats K7: at once; other tokens and the refresh token stay good."""
    tokens = await deployment.tokens()
    bad = kid(tokens["access_token"])
    await deployment.change_application(algorithm="EdDSA")
    other = (await deployment.tokens())["access_token"]
    await deployment.change_application(algorithm="ES256")
    await deployment.store.revoke_signing_key(bad, deployment.now)
    assert (await deployment.report(tokens["access_token"])).status == 401
    assert (await deployment.report(other)).status == 200
    assert bad not in await published(deployment)
    renewed = (await deployment.refresh(tokens["refresh_token"])).json["access_token"]
    assert kid(renewed) in await published(deployment)
    assert (await deployment.report(renewed)).status == 200


async def test_a_token_of_a_revoked_key_is_no_attempt_at_forgery(deployment: Deployment) -> None:
    """threats K7: the operator who revoked it reads that in the log, also on a node that arranges its keys anew."""
    token = (await deployment.tokens())["access_token"]
    await deployment.store.revoke_signing_key(kid(token), deployment.now)
    for _ in range(2):
        refused = await deployment.report(token)
        assert (refused.status, refused.headers["x-reason"]) == (401, "token.key_revoked")
        deployment.now += DAY // 8
    explained = explanations()["token.key_revoked"]
    assert "revoked" in explained.rule
    assert "forge" not in explained.rule + explained.remedy


@pytest.mark.parametrize("part", [1, 2])
async def test_a_forged_token_with_the_id_of_a_revoked_key_is_one(deployment: Deployment, part: int) -> None:
    parts = (await deployment.tokens())["access_token"].split(".")
    await deployment.store.revoke_signing_key(kid(parts[0]), deployment.now)
    raw = bytearray(base64url.decode(parts[part]))
    raw[-2] ^= 1
    parts[part] = base64url.encode(bytes(raw))
    assert (await deployment.report(".".join(parts))).headers["x-reason"] == "token.unknown_key"


async def test_a_retry_whose_key_was_revoked_gets_the_same_claims_under_the_next_key(deployment: Deployment) -> None:
    """D7, threats §6."""
    first = await deployment.tokens()
    answer = (await deployment.refresh(first["refresh_token"])).json
    await deployment.store.revoke_signing_key(kid(answer["access_token"]), deployment.now)
    retried = (await deployment.refresh(first["refresh_token"])).json
    assert retried["refresh_token"] == answer["refresh_token"]
    assert retried["access_token"].split(".")[1] == answer["access_token"].split(".")[1]
    assert (await deployment.report(retried["access_token"])).status == 200


async def test_a_clock_that_was_a_year_ahead_for_a_moment_leaves_the_keys_as_they_were(deployment: Deployment) -> None:
    """threats T11: at that moment the first key had left the set, and only its successor signed."""
    token = (await deployment.tokens())["access_token"]
    keys = await published(deployment)
    deployment.now = NOW + 365 * DAY
    assert kid(token) not in await published(deployment)
    assert (await deployment.report(token)).status == 401
    deployment.now = NOW
    assert (await deployment.report(token)).status == 200
    assert await published(deployment) == keys
    assert kid((await deployment.tokens())["access_token"]) == kid(token)


async def test_an_early_roll_keeps_the_tokens_of_the_last_key_good(deployment: Deployment) -> None:
    """threats K1, K3."""
    before = (await deployment.tokens())["access_token"]
    deployment.now = NOW + SAFE_AFTER_MS
    (waiting,) = [
        key.kid
        for key in await deployment.store.signing_keys()
        if key.algorithm == "ES256" and key.signs_from > deployment.now
    ]
    await deployment.store.advance_signing_key(waiting, deployment.now, deployment.now)
    after = (await deployment.tokens())["access_token"]
    assert kid(after) == waiting
    assert (await deployment.report(before)).status == 200


async def test_an_application_whose_algorithm_is_not_offered_is_served_with_the_services_own(
    deployment: Deployment,
) -> None:
    """D5."""
    await deployment.change_application(algorithm="ML-DSA-65")
    token = (await deployment.tokens())["access_token"]
    assert json.loads(base64url.decode(token.split(".")[0]))["alg"] == "ES256"


@pytest.mark.settings(algorithms=("RS256", "ES256", "PS256", "EdDSA", "ML-DSA-65"))
async def test_post_quantum_signatures_can_be_switched_on(deployment: Deployment) -> None:
    """D5, RFC 9964: issued, published and accepted."""
    await tend(deployment)
    await deployment.change_application(algorithm="ML-DSA-65")
    token = (await deployment.tokens())["access_token"]
    assert json.loads(base64url.decode(token.split(".")[0]))["alg"] == "ML-DSA-65"
    assert (await deployment.report(token)).status == 200
    assert kid(token) in await published(deployment)


async def key_set(deployment: Deployment) -> list[dict[str, str]]:
    keys: list[dict[str, str]] = (await deployment.send("GET", "/oauth2/v1/keys")).json["keys"]
    return keys


@pytest.mark.parametrize("default", ["RS256", "ES256", "PS256"])
async def test_the_key_set_begins_with_the_key_that_signs_and_its_successor(
    open_deployment: OpenDeployment, default: str
) -> None:
    """RFC 7517 §5: the order has no meaning there, but libraries that take the first key must not fail by chance."""
    deployment = await open_deployment(algorithm=default)
    await add_keys(deployment.store, OFFERED)
    algorithms = [each["alg"] for each in await key_set(deployment)]
    rest = [name for name in OFFERED if name != default]
    assert algorithms == [name for name in (default, *rest) for _ in range(2)]
    signed_by = kid((await deployment.tokens())["access_token"])
    assert (await key_set(deployment))[0]["kid"] == signed_by
    deployment.now += SAFE_AFTER_MS
    second = (await key_set(deployment))[1]["kid"]
    await deployment.store.advance_signing_key(second, deployment.now, deployment.now)
    first, *others = [each["kid"] for each in await key_set(deployment) if each["alg"] == default]
    assert (first, signed_by in others) == (second, True)
    assert kid((await deployment.tokens())["access_token"]) == second


@pytest.mark.settings(algorithm="RS256")
async def test_only_algorithms_in_use_are_published(deployment: Deployment) -> None:
    """Strict libraries fail on a key type that they do not know: none is there that nothing uses."""
    settings = deployment.service.settings
    await rotate_keys(deployment.store, KEKS, settings, (), deployment.now)
    assert {each["alg"] for each in await key_set(deployment)} == {"RS256"}
    await publish_ahead(deployment.store, KEKS, settings, ["ES256"], deployment.now)
    assert {each["alg"] for each in await key_set(deployment)} == {"RS256", "ES256"}


@pytest.mark.settings(algorithm="RS256")
async def test_keys_of_an_algorithm_that_is_no_longer_used_leave_when_its_last_token_has_expired(
    deployment: Deployment,
) -> None:
    """threats K3: a verifier of its tokens still finds the key; if it is used again meanwhile, it stays."""
    settings = deployment.service.settings
    await deployment.change_application(algorithm="ES256")
    token = (await deployment.tokens())["access_token"]
    await deployment.change_application(algorithm=None)
    deployment.now += 1_000
    for used, until, published_then in (
        ((), 0, {"RS256", "ES256"}),
        (("ES256",), RETENTION_MS, {"RS256", "ES256"}),
        ((), RETENTION_MS, {"RS256", "ES256"}),
        ((), 2 * RETENTION_MS - 1, {"RS256", "ES256"}),
        ((), 2 * RETENTION_MS, {"RS256"}),
    ):
        at = deployment.now + until
        for _ in range(2):  # a row whose time is over is deleted first, and no longer counts the next time
            await rotate_keys(deployment.store, KEKS, settings, used, at)
        left = {row.algorithm for row in await deployment.store.signing_keys()}
        assert left == published_then, until
        if until == 0:
            assert kid(token) in await published(deployment)
