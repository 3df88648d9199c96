"""Which place a token holds: its own, in the list it names (draft-ietf-oauth-status-list §6.2, §13.3)."""

import asyncio
from pathlib import Path

from credence.store.contract import LONGEST_ACCESS_TOKEN
from credence.store.records import StatusBlock
from tests.deployment import NOW, Deployment, claims, tell
from tests.oauth.test_client_credentials import obtain
from tests.oauth.verifier_elsewhere import LIFE, is_invalid, reference

DAY = 86_400_000


def test_without_the_setting_tokens_are_as_they_were(tmp_path: Path) -> None:
    """No claim, no id of another form, and nothing is written."""

    async def story(deployment: Deployment) -> None:
        login = (await deployment.tokens())["access_token"]
        own = (await obtain(deployment))["access_token"]
        assert "status" not in claims(login)
        assert "status" not in claims(own)
        assert len(claims(own)["jti"]) == 22  # 128 bits in base64url
        assert await deployment.store.status_block_numbers() == range(0)

    tell(tmp_path, story)


def test_a_token_names_a_list_of_its_issuer(tmp_path: Path) -> None:
    """§6.2."""

    async def story(deployment: Deployment) -> None:
        index, uri = reference((await deployment.tokens())["access_token"])
        assert uri == "https://localhost:8443/oauth2/v1/statuslists/0"
        assert 0 <= index < 2**20

    tell(tmp_path, story, status_list=True)


def test_no_two_tokens_share_a_place(tmp_path: Path) -> None:
    """§13.3: logins, refreshes, and many tokens that applications get for themselves at once."""

    async def story(deployment: Deployment) -> None:
        tokens = [await deployment.tokens() for _ in range(3)]
        for _ in range(15):
            tokens.append((await deployment.refresh(tokens[-1]["refresh_token"])).json)
        other = await deployment.another_application()
        tokens += await asyncio.gather(*(obtain(each) for _ in range(60) for each in (deployment, other)))
        held = [reference(token["access_token"]) for token in tokens]
        assert len(set(held)) == len(held)

    tell(tmp_path, story, status_list=True)


def test_two_applications_hold_no_block_together(tmp_path: Path) -> None:
    """The end of one must not be told of the other's tokens."""

    async def story(deployment: Deployment) -> None:
        other = await deployment.another_application()
        kept = (await obtain(other))["access_token"]
        gone = (await obtain(deployment))["access_token"]
        await deployment.change_application(disabled=True)
        assert await is_invalid(deployment, gone)
        assert not await is_invalid(deployment, kept)

    tell(tmp_path, story, status_list=True)


def test_the_sixteenth_refresh_after_a_token_takes_its_place(tmp_path: Path) -> None:
    """Stated in docs/verifying.md: at worst one too many is taken for revoked, never one too few."""

    async def story(deployment: Deployment) -> None:
        tokens = [await deployment.tokens()]
        for _ in range(17):
            tokens.append((await deployment.refresh(tokens[-1]["refresh_token"])).json)
        access = [each["access_token"] for each in tokens]
        assert reference(access[16]) == reference(access[0])
        await deployment.revoke(access[0])
        assert [await is_invalid(deployment, token) for token in access] == [number in {0, 16} for number in range(18)]
        assert (await deployment.report(access[16])).status == 200

    tell(tmp_path, story, status_list=True)


def test_the_first_list_ends_where_the_second_begins(tmp_path: Path) -> None:
    """§13.4: 65,536 blocks of 16 make a list of 2^20; a token on either side of the edge is found, and no other."""

    async def story(deployment: Deployment) -> None:
        await _skip_blocks(deployment, 65_534)
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

    tell(tmp_path, story, status_list=True)


def test_places_of_an_applications_own_tokens_outlive_every_token_that_holds_one(tmp_path: Path) -> None:
    """A block goes when its time has come; a token whose block is gone would never be found invalid."""

    async def story(deployment: Deployment) -> None:
        await deployment.change_application(access_token_lifetime=LONGEST_ACCESS_TOKEN, grants=("client_credentials",))
        await obtain(deployment)
        for hours in (0, 23, 25, 47):
            deployment.now = NOW + hours * 3_600_000
            token = (await obtain(deployment))["access_token"]
            deployment.now = claims(token)["exp"] * 1000 - 1
            await deployment.store.sweep(deployment.now)
            await deployment.change_application(disabled=True)
            assert await is_invalid(deployment, token), hours
            await deployment.change_application(disabled=False)

    tell(tmp_path, story, status_list=True)


def test_a_list_goes_when_the_last_of_its_tokens_has_expired(tmp_path: Path) -> None:
    """§13.1: one refreshed in the last second of the login lives three hours longer."""

    async def story(deployment: Deployment) -> None:
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

    tell(tmp_path, story, status_list=True)


async def _skip_blocks(deployment: Deployment, count: int) -> None:
    """Let the next block have the number after `count`."""
    passed = StatusBlock(deployment.application.client_id, "", b"", opened_at=NOW, until=NOW)
    await deployment.store.open_status_blocks(passed, count)
    await deployment.store.sweep(NOW, most=count)
