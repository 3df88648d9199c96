"""Rotation, retry and the discovery of reuse (spec §1.3, §2.4, §3.3, §5.5, §5.6, D6, D7, threats §6)."""

import asyncio

import msgspec
import pytest

from credence.identity.applications import refresh_token_owner
from tests.deployment import NOW, Deployment, OpenDeployment


async def test_the_previous_access_token_stays_usable_after_a_refresh(deployment: Deployment) -> None:
    """D7."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    for tokens in (first, second):
        assert (await deployment.report(tokens["access_token"])).status == 200


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
async def test_a_retry_gets_the_same_pair_to_the_byte(open_deployment: OpenDeployment, algorithm: str) -> None:
    """D7, threats L2: as often as it comes, until the window has passed."""
    deployment = await open_deployment(algorithm=algorithm)
    first = await deployment.tokens()
    answer = await deployment.refresh(first["refresh_token"])
    for later in (0, 1, 29_999):
        deployment.now = NOW + later
        assert (await deployment.refresh(first["refresh_token"])).body == answer.body


@pytest.mark.parametrize(("later", "alive"), [(29_999, True), (30_000, False)])
async def test_a_retry_after_the_window_ends_the_family(deployment: Deployment, later: int, alive: bool) -> None:
    """D7: any later use of a spent token revokes the whole family."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    deployment.now = NOW + later
    retry = await deployment.refresh(first["refresh_token"])
    assert (retry.status == 200) is alive
    assert ((await deployment.report(second["access_token"])).status == 200) is alive
    assert ((await deployment.refresh(second["refresh_token"])).status == 200) is alive


async def test_a_spent_token_whose_successor_was_used_ends_the_family(
    deployment: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    """D7, threats L1: at once, inside the window too; and the operator reads of it."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    third = (await deployment.refresh(second["refresh_token"])).json
    reused = await deployment.refresh(first["refresh_token"])
    assert reused.said == (401, "Unauthorized", "Access token is Invalid.")
    for tokens in (first, second, third):
        assert (await deployment.report(tokens["access_token"])).status == 401
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401
    output = "".join(capfd.readouterr())
    assert "refresh_token_reused" in output
    assert "crd_sbx_ref" not in output


async def test_sixty_four_refreshes_at_once_leave_one_successor(deployment: Deployment) -> None:
    """D7, threats L1, I1."""
    first = await deployment.tokens()
    answers = await asyncio.gather(*(deployment.refresh(first["refresh_token"]) for _ in range(64)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert (await deployment.refresh(answers[0].json["refresh_token"])).status == 200


@pytest.mark.parametrize(("later", "status"), [(86_399_999, 200), (86_400_000, 401)])
async def test_a_family_ends_a_day_after_its_login_however_often_it_was_refreshed(
    deployment: Deployment, later: int, status: int
) -> None:
    """D4, threats §6: expiry is absolute; rotation cannot prolong it."""
    tokens = await deployment.tokens()
    deployment.now = NOW + 50_000_000
    tokens = (await deployment.refresh(tokens["refresh_token"])).json
    deployment.now = NOW + later
    assert (await deployment.refresh(tokens["refresh_token"])).status == status


@pytest.mark.parametrize("token", ["", "no", "crd_sbx_ref_", "crd_prd_ref_AAAA", "crd_sbx_ref_" + "A" * 56])
async def test_what_we_never_wrote_is_no_refresh_token(deployment: Deployment, token: str) -> None:
    """D6, D7, D18."""
    reply = await deployment.refresh(token)
    assert reply.status == (401 if token else 400)


async def test_no_character_of_a_refresh_token_can_be_changed(deployment: Deployment) -> None:
    """D6, threats T7: neither the family nor the generation nor an unused bit."""
    token = (await deployment.tokens())["refresh_token"]
    for place in range(len(token)):
        changed = token[:place] + ("B" if token[place] != "B" else "C") + token[place + 1 :]
        assert (await deployment.refresh(changed)).status == 401
    for spelling in (token + "=", token + "A", token[:-1]):
        assert (await deployment.refresh(spelling)).status == 401
    assert (await deployment.refresh(token)).status == 200


async def test_an_access_token_is_no_refresh_token_and_the_reverse(deployment: Deployment) -> None:
    """threats T8."""
    tokens = await deployment.tokens()
    assert (await deployment.refresh(tokens["access_token"])).status == 401
    assert (await deployment.report(tokens["refresh_token"])).status == 401


async def test_a_refresh_token_is_good_for_its_own_application_alone(deployment: Deployment) -> None:
    """D6, threats E8: and the attempt of another does it no harm."""
    other = await deployment.another_application()
    token = (await deployment.tokens())["refresh_token"]
    assert (await other.refresh(token)).said == (401, "Unauthorized", "Access token is Invalid.")
    assert (await deployment.refresh(token)).status == 200


async def test_a_clock_that_is_set_back_does_not_make_tokens_older(deployment: Deployment) -> None:
    """threats T11."""
    tokens = await deployment.tokens()
    deployment.now -= 5_000
    second = await deployment.refresh(tokens["refresh_token"])
    assert second.json["issued_at"] == tokens["issued_at"]
    assert (await deployment.report(second.json["access_token"])).status == 200


@pytest.mark.parametrize(("back", "alive"), [(10_000, True), (10_001, False)])
async def test_a_clock_that_is_set_back_does_not_extend_the_retry_window(
    deployment: Deployment, back: int, alive: bool
) -> None:
    """threats T11, D7: two nodes may differ by ten seconds; what is further in the future is no retry."""
    first = await deployment.tokens()
    assert (await deployment.refresh(first["refresh_token"])).status == 200
    deployment.now -= back
    assert ((await deployment.refresh(first["refresh_token"])).status == 200) is alive


async def test_a_token_of_an_unknown_account_is_refused(deployment: Deployment) -> None:
    """RFC 6749 §5.2. No account is ever deleted, but a store may come from a backup."""
    tokens = deployment.service.authority.refresh_tokens
    claims = tokens.unverified((await deployment.tokens())["refresh_token"])
    assert claims is not None
    nobody = msgspec.structs.replace(claims, username="nobody")
    refused = await deployment.refresh(tokens.write(refresh_token_owner(deployment.application), nobody))
    assert (refused.status, refused.headers["x-reason"]) == (401, "refresh_token.account_unknown")
