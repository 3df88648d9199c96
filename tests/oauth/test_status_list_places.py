"""Which place a token holds: its own, in the list it names (draft-ietf-oauth-status-list §6.2, §13.3)."""

import asyncio

import pytest

from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS
from tests.deployment import NOW, Deployment, claims
from tests.oauth.test_client_credentials import obtain
from tests.oauth.verifier_elsewhere import LIFE, is_invalid, reference, skip_blocks

DAY = 86_400_000


async def test_without_the_setting_tokens_are_as_they_were(deployment: Deployment) -> None:
    """No claim, no id of another form, and nothing is written."""
    login = (await deployment.tokens())["access_token"]
    own = (await obtain(deployment))["access_token"]
    assert "status" not in claims(login)
    assert "status" not in claims(own)
    assert len(claims(own)["jti"]) == 22  # 128 bits in base64url
    assert await deployment.store.status_block_numbers() == range(0)


@pytest.mark.settings(status_list=True)
async def test_a_token_names_a_list_of_its_issuer(deployment: Deployment) -> None:
    """§6.2."""
    index, uri = reference((await deployment.tokens())["access_token"])
    assert uri == "https://localhost:8443/oauth2/v1/statuslists/0"
    assert 0 <= index < 2**20


@pytest.mark.settings(status_list=True)
async def test_no_two_tokens_share_a_place(deployment: Deployment) -> None:
    """§13.3: logins, refreshes, and many tokens that applications get for themselves at once."""
    tokens = [await deployment.tokens() for _ in range(3)]
    for _ in range(15):
        tokens.append((await deployment.refresh(tokens[-1]["refresh_token"])).json)
    other = await deployment.another_application()
    tokens += await asyncio.gather(*(obtain(each) for _ in range(60) for each in (deployment, other)))
    held = [reference(token["access_token"]) for token in tokens]
    assert len(set(held)) == len(held)


@pytest.mark.settings(status_list=True)
async def test_a_retry_gets_the_same_token_in_the_same_place(deployment: Deployment) -> None:
    """D7: byte for byte."""
    tokens = await deployment.tokens()
    once, again = [(await deployment.refresh(tokens["refresh_token"])).body for _ in range(2)]
    assert once == again


@pytest.mark.settings(status_list=True)
async def test_two_applications_hold_no_block_together(deployment: Deployment) -> None:
    """The end of one must not be told of the other's tokens."""
    other = await deployment.another_application()
    kept = (await obtain(other))["access_token"]
    gone = (await obtain(deployment))["access_token"]
    await deployment.change_application(disabled=True)
    assert await is_invalid(deployment, gone)
    assert not await is_invalid(deployment, kept)


@pytest.mark.settings(status_list=True)
async def test_the_sixteenth_refresh_after_a_token_takes_its_place(deployment: Deployment) -> None:
    """Stated in docs/verifying.md: at worst one too many is taken for revoked, never one too few."""
    tokens = [await deployment.tokens()]
    for _ in range(17):
        tokens.append((await deployment.refresh(tokens[-1]["refresh_token"])).json)
    access = [each["access_token"] for each in tokens]
    assert reference(access[16]) == reference(access[0])
    await deployment.revoke(access[0])
    assert [await is_invalid(deployment, token) for token in access] == [number in {0, 16} for number in range(18)]
    assert (await deployment.report(access[16])).status == 200


@pytest.mark.settings(status_list=True)
async def test_the_first_list_ends_where_the_second_begins(deployment: Deployment) -> None:
    """§13.4: 65,536 blocks of 16 make a list of 2^20; a token on either side of the edge is found, and no other."""
    await skip_blocks(deployment, 65_534)
    tokens = [(await deployment.tokens()) for _ in range(3)]
    access = [each["access_token"] for each in tokens]
    base = "https://localhost:8443/oauth2/v1/statuslists"
    assert [reference(token) for token in access] == [
        (2**20 - 16, f"{base}/0"),
        (0, f"{base}/1"),
        (16, f"{base}/1"),
    ]
    await deployment.revoke(tokens[0]["refresh_token"])
    await deployment.revoke(access[1])
    assert [await is_invalid(deployment, token) for token in access] == [True, True, False]


@pytest.mark.settings(status_list=True)
async def test_a_place_in_one_list_is_not_in_the_next(deployment: Deployment) -> None:
    """Tokens of an application on either side of the edge, a whole list apart but for the index."""
    await skip_blocks(deployment, 1)
    first = (await obtain(deployment))["access_token"]
    await skip_blocks(deployment, 65_535)
    other = await deployment.another_application()
    second = (await obtain(other))["access_token"]
    assert [index for index, _ in map(reference, (first, second))] == [32, 32]
    await other.revoke(second)
    assert await is_invalid(deployment, second)
    assert not await is_invalid(deployment, first)


@pytest.mark.settings(status_list=True)
async def test_places_of_an_applications_own_tokens_outlive_every_token_that_holds_one(deployment: Deployment) -> None:
    """A block goes when its time has come; a token whose block is gone would never be found invalid."""
    await deployment.change_application(access_token_lifetime=MAX_ACCESS_TOKEN_SECONDS, grants=("client_credentials",))
    await obtain(deployment)
    for hours in (0, 23, 25, 47):
        deployment.now = NOW + hours * 3_600_000
        token = (await obtain(deployment))["access_token"]
        deployment.now = claims(token)["exp"] * 1000 - 1
        await deployment.store.sweep(deployment.now)
        await deployment.change_application(disabled=True)
        assert await is_invalid(deployment, token), hours
        await deployment.change_application(disabled=False)


@pytest.mark.settings(status_list=True)
async def test_a_list_goes_when_the_last_of_its_tokens_has_expired(deployment: Deployment) -> None:
    """§13.1: one refreshed in the last second of the login lives three hours longer."""
    tokens = await deployment.tokens()
    deployment.now = NOW + DAY - 1_000
    last = (await deployment.refresh(tokens["refresh_token"])).json["access_token"]
    deployment.now = claims(last)["exp"] * 1000 - 1
    await deployment.store.sweep(deployment.now)
    assert not await is_invalid(deployment, last)
    deployment.now += DAY + LIFE
    await deployment.store.sweep(deployment.now)
    _, uri = reference(last)
    reply = await deployment.send("GET", uri.removeprefix("https://localhost:8443"))
    assert reply.status == 404
