"""Revocation: what it takes with it, and what it leaves alone (spec §1.3, §3.4, §5.7, D11, threats L3, L4)."""

from typing import Any

import pytest

from credence.store.contract import StoreUnavailable
from tests.deployment import Deployment


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
async def test_another_applications_token_is_answered_200_and_left_alone(deployment: Deployment, kind: str) -> None:
    """D11, threats L4: nothing is learnt and nothing is lost."""
    other = await deployment.another_application()
    tokens = await deployment.tokens()
    assert (await other.revoke(tokens[kind])).status == 200
    assert (await deployment.report(tokens["access_token"])).status == 200
    assert (await deployment.refresh(tokens["refresh_token"])).status == 200


async def test_revoking_an_access_token_takes_only_itself(deployment: Deployment) -> None:
    """D11."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    await deployment.revoke(first["access_token"])
    assert (await deployment.report(first["access_token"])).status == 401
    assert (await deployment.report(second["access_token"])).status == 200
    assert (await deployment.refresh(second["refresh_token"])).status == 200


@pytest.mark.parametrize("spent", [False, True])
async def test_revoking_a_refresh_token_takes_its_family(deployment: Deployment, spent: bool) -> None:
    """D11: the newest token of the family or a spent one, access tokens included."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    await deployment.revoke((first if spent else second)["refresh_token"])
    for tokens in (first, second):
        assert (await deployment.report(tokens["access_token"])).status == 401
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401


async def test_a_revocation_between_an_answer_and_its_retry_wins(deployment: Deployment) -> None:
    """threats §6, L3."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    await deployment.revoke(second["refresh_token"])
    assert (await deployment.refresh(first["refresh_token"])).status == 401


@pytest.mark.parametrize("token", ["unknown", "a.b.c", "crd_sbx_ref_unknown"])
async def test_revoking_what_is_unknown_is_answered_200(deployment: Deployment, token: str) -> None:
    """D11, RFC 7009 §2.2."""
    assert (await deployment.revoke(token)).status == 200


async def test_a_revocation_that_cannot_be_kept_is_no_success(deployment: Deployment) -> None:
    """D11, threats L4: 500, and the token goes on working."""
    tokens = await deployment.tokens()

    async def fail(*_: Any) -> Any:
        raise StoreUnavailable("disk full")

    working = deployment.store.end_family, deployment.store.revoke_token
    deployment.store.end_family = deployment.store.revoke_token = fail  # type: ignore[method-assign, assignment]
    assert (await deployment.revoke(tokens["refresh_token"])).status == 500
    assert (await deployment.revoke(tokens["access_token"])).status == 500
    deployment.store.end_family, deployment.store.revoke_token = working  # type: ignore[method-assign]
    assert (await deployment.report(tokens["access_token"])).status == 200
