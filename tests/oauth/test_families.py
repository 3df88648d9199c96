"""The life of tokens: rotation, retry, reuse, revocation, cut-offs (spec §3, D4, D7, D11, D14, threats §6)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from credence.crypto import base64url
from credence.identity import accounts
from credence.identity.applications import register
from credence.store.contract import StoreUnavailable
from tests.deployment import NOW, PASSWORD, Deployment, tell


def claims(access_token: str) -> Any:
    return json.loads(base64url.decode(access_token.split(".")[1]))


def test_an_access_token_says_who_and_until_when(tmp_path: Path) -> None:
    """D4, D5: the claims existing clients read, and issued_at // 1000 == iat, exp == iat + expires_in (threats L10)."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()
        said = claims(tokens["access_token"])
        header = json.loads(base64url.decode(tokens["access_token"].split(".")[0]))
        assert header["typ"] == "at+jwt"
        assert said["iss"] == said["aud"] == "https://localhost:8443"
        assert said["client_id"] == deployment.application.client_id
        assert (said["sub"], said["account_type"]) == ("ada", "user")
        assert (said["Email"], said["FirstName"], said["LastName"]) == ("ada@example.com", "Ada", "Lovelace")
        assert said["iat"] == int(tokens["issued_at"]) // 1000
        assert said["exp"] == said["iat"] + int(tokens["expires_in"])
        assert said["jti"] == f"{said['sid']}.0"
        assert said["scope"] == ""

    tell(tmp_path, story)


def test_a_service_account_has_no_profile(tmp_path: Path) -> None:
    """D5, spec §1.6: JSON null, not an absent member."""

    async def story(deployment: Deployment) -> None:
        kept = await deployment.store.account("ada")
        assert kept is not None
        service = accounts.register("batch", "service", kept.password_hash, NOW, email="ignored@example.com")
        await deployment.store.save_account(service, NOW)
        said = claims((await deployment.login("batch")).json["access_token"])
        assert said["account_type"] == "service"
        assert [said[name] for name in ("Email", "FirstName", "LastName")] == [None, None, None]

    tell(tmp_path, story)


def test_lifetimes_are_settings_with_overrides_per_application(tmp_path: Path) -> None:
    """D4, spec §8.1, §8.2."""

    async def story(deployment: Deployment) -> None:
        assert (await deployment.tokens())["expires_in"] == "600"
        await deployment.change_application(access_token_lifetime=1)
        tokens = await deployment.tokens()
        assert tokens["expires_in"] == "1"
        deployment.now += 1_000
        assert (await deployment.report(tokens["access_token"])).status == 401

    tell(tmp_path, story, access_token_lifetime=600)


def test_the_previous_access_token_stays_usable_after_a_refresh(tmp_path: Path) -> None:
    """D7."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        second = (await deployment.refresh(first["refresh_token"])).json
        for tokens in (first, second):
            assert (await deployment.report(tokens["access_token"])).status == 200

    tell(tmp_path, story)


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_a_retry_gets_the_same_pair_to_the_byte(tmp_path: Path, algorithm: str) -> None:
    """D7, threats L2: as often as it comes, until the window has passed."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        answer = await deployment.refresh(first["refresh_token"])
        for later in (0, 1, 29_999):
            deployment.now = NOW + later
            assert (await deployment.refresh(first["refresh_token"])).body == answer.body

    tell(tmp_path, story, algorithm=algorithm)


@pytest.mark.parametrize(("later", "alive"), [(29_999, True), (30_000, False)])
def test_a_retry_after_the_window_ends_the_family(tmp_path: Path, later: int, alive: bool) -> None:
    """D7: any later use of a spent token revokes the whole family."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        second = (await deployment.refresh(first["refresh_token"])).json
        deployment.now = NOW + later
        retry = await deployment.refresh(first["refresh_token"])
        assert (retry.status == 200) is alive
        assert ((await deployment.report(second["access_token"])).status == 200) is alive
        assert ((await deployment.refresh(second["refresh_token"])).status == 200) is alive

    tell(tmp_path, story)


def test_a_spent_token_whose_successor_was_used_ends_the_family(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """D7, threats L1: at once, inside the window too; and the operator reads of it."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        second = (await deployment.refresh(first["refresh_token"])).json
        third = (await deployment.refresh(second["refresh_token"])).json
        reused = await deployment.refresh(first["refresh_token"])
        assert reused.said == (401, "Unauthorized", "Access token is Invalid.")
        for tokens in (first, second, third):
            assert (await deployment.report(tokens["access_token"])).status == 401
            assert (await deployment.refresh(tokens["refresh_token"])).status == 401

    tell(tmp_path, story)
    output = "".join(capfd.readouterr())
    assert "refresh_token_reused" in output
    assert "crd_sbx_ref" not in output


def test_sixty_four_refreshes_at_once_leave_one_successor(tmp_path: Path) -> None:
    """D7, threats L1, I1."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        answers = await asyncio.gather(*(deployment.refresh(first["refresh_token"]) for _ in range(64)))
        assert {answer.status for answer in answers} == {200}
        assert len({answer.body for answer in answers}) == 1
        assert (await deployment.refresh(answers[0].json["refresh_token"])).status == 200

    tell(tmp_path, story)


@pytest.mark.parametrize(("later", "status"), [(86_399_999, 200), (86_400_000, 401)])
def test_a_family_ends_a_day_after_its_login_however_often_it_was_refreshed(
    tmp_path: Path, later: int, status: int
) -> None:
    """D4, threats §6: expiry is absolute; rotation cannot prolong it."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()
        deployment.now = NOW + 50_000_000
        tokens = (await deployment.refresh(tokens["refresh_token"])).json
        deployment.now = NOW + later
        assert (await deployment.refresh(tokens["refresh_token"])).status == status

    tell(tmp_path, story)


@pytest.mark.parametrize("token", ["", "no", "crd_sbx_ref_", "crd_prd_ref_AAAA", "crd_sbx_ref_" + "A" * 56])
def test_what_we_never_wrote_is_no_refresh_token(tmp_path: Path, token: str) -> None:
    """D6, D7, D18."""

    async def story(deployment: Deployment) -> None:
        reply = await deployment.refresh(token)
        assert reply.status == (401 if token else 400)

    tell(tmp_path, story)


def test_no_character_of_a_refresh_token_can_be_changed(tmp_path: Path) -> None:
    """D6, threats T7: neither the family nor the generation nor an unused bit."""

    async def story(deployment: Deployment) -> None:
        token = (await deployment.tokens())["refresh_token"]
        for place in range(len(token)):
            changed = token[:place] + ("B" if token[place] != "B" else "C") + token[place + 1 :]
            assert (await deployment.refresh(changed)).status == 401
        for spelling in (token + "=", token + "A", token[:-1]):
            assert (await deployment.refresh(spelling)).status == 401
        assert (await deployment.refresh(token)).status == 200

    tell(tmp_path, story)


def test_an_access_token_is_no_refresh_token_and_the_reverse(tmp_path: Path) -> None:
    """threats T8."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()
        assert (await deployment.refresh(tokens["access_token"])).status == 401
        assert (await deployment.report(tokens["refresh_token"])).status == 401

    tell(tmp_path, story)


async def another_application(deployment: Deployment) -> Deployment:
    other, secret = register("Other", "sbx", deployment.service.authority.secrets.digest, NOW)
    await deployment.store.save_application(other, NOW)
    return Deployment(deployment.service, deployment.store, other, secret, deployment.now)


def test_a_refresh_token_is_good_for_its_own_application_alone(tmp_path: Path) -> None:
    """D6, threats E8: and the attempt of another does it no harm."""

    async def story(deployment: Deployment) -> None:
        other = await another_application(deployment)
        token = (await deployment.tokens())["refresh_token"]
        assert (await other.refresh(token)).said == (401, "Unauthorized", "Access token is Invalid.")
        assert (await deployment.refresh(token)).status == 200

    tell(tmp_path, story)


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_another_applications_token_is_answered_200_and_left_alone(tmp_path: Path, kind: str) -> None:
    """D11, threats L4: nothing is learnt and nothing is lost."""

    async def story(deployment: Deployment) -> None:
        other = await another_application(deployment)
        tokens = await deployment.tokens()
        assert (await other.revoke(tokens[kind])).status == 200
        assert (await deployment.report(tokens["access_token"])).status == 200
        assert (await deployment.refresh(tokens["refresh_token"])).status == 200

    tell(tmp_path, story)


def test_revoking_an_access_token_takes_only_itself(tmp_path: Path) -> None:
    """D11."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        second = (await deployment.refresh(first["refresh_token"])).json
        await deployment.revoke(first["access_token"])
        assert (await deployment.report(first["access_token"])).status == 401
        assert (await deployment.report(second["access_token"])).status == 200
        assert (await deployment.refresh(second["refresh_token"])).status == 200

    tell(tmp_path, story)


@pytest.mark.parametrize("spent", [False, True])
def test_revoking_a_refresh_token_takes_its_family(tmp_path: Path, spent: bool) -> None:
    """D11: the newest token of the family or a spent one, access tokens included."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        second = (await deployment.refresh(first["refresh_token"])).json
        await deployment.revoke((first if spent else second)["refresh_token"])
        for tokens in (first, second):
            assert (await deployment.report(tokens["access_token"])).status == 401
            assert (await deployment.refresh(tokens["refresh_token"])).status == 401

    tell(tmp_path, story)


def test_a_revocation_between_an_answer_and_its_retry_wins(tmp_path: Path) -> None:
    """threats §6, L3."""

    async def story(deployment: Deployment) -> None:
        first = await deployment.tokens()
        second = (await deployment.refresh(first["refresh_token"])).json
        await deployment.revoke(second["refresh_token"])
        assert (await deployment.refresh(first["refresh_token"])).status == 401

    tell(tmp_path, story)


@pytest.mark.parametrize("token", ["unknown", "a.b.c", "crd_sbx_ref_unknown"])
def test_revoking_what_is_unknown_is_answered_200(tmp_path: Path, token: str) -> None:
    """D11, RFC 7009 §2.2."""

    async def story(deployment: Deployment) -> None:
        assert (await deployment.revoke(token)).status == 200

    tell(tmp_path, story)


def test_a_revocation_that_cannot_be_kept_is_no_success(tmp_path: Path) -> None:
    """D11, threats L4: 500, and the token goes on working."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()

        async def fail(*_: Any) -> Any:
            raise StoreUnavailable("disk full")

        working = deployment.store.end_family, deployment.store.revoke_token
        deployment.store.end_family = deployment.store.revoke_token = fail  # type: ignore[method-assign, assignment]
        assert (await deployment.revoke(tokens["refresh_token"])).status == 500
        assert (await deployment.revoke(tokens["access_token"])).status == 500
        deployment.store.end_family, deployment.store.revoke_token = working  # type: ignore[method-assign]
        assert (await deployment.report(tokens["access_token"])).status == 200

    tell(tmp_path, story)


@pytest.mark.parametrize("status", ["suspended", "locked", "expired", "closed"])
def test_leaving_active_kills_live_tokens_for_good(tmp_path: Path, status: str) -> None:
    """D14, threats L6: at use and at refresh, and coming back does not revive them."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()
        deployment.now += 10
        await deployment.set_status(status)
        assert (await deployment.report(tokens["access_token"])).status == 401
        refused = await deployment.refresh(tokens["refresh_token"])
        assert refused.said[2].startswith("Your account is in invalid state.")
        if status == "closed":
            return
        await deployment.set_status("active")
        assert (await deployment.report(tokens["access_token"])).status == 401
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401

    tell(tmp_path, story)


def test_a_login_in_the_second_of_a_cut_off_works(tmp_path: Path) -> None:
    """iat counts whole seconds: the new token is dated to the next one and told apart from the old (threats L5)."""

    async def story(deployment: Deployment) -> None:
        before = await deployment.tokens()
        deployment.now += 10
        await deployment.set_status("suspended")
        await deployment.set_status("active")
        after = await deployment.tokens()
        assert claims(before["access_token"])["iat"] < claims(after["access_token"])["iat"]
        assert int(after["issued_at"]) // 1000 == claims(after["access_token"])["iat"]
        assert (await deployment.report(before["access_token"])).status == 401
        assert (await deployment.report(after["access_token"])).status == 200
        assert (await deployment.refresh(after["refresh_token"])).status == 200

    tell(tmp_path, story)


def test_a_disabled_application_is_served_nowhere(tmp_path: Path) -> None:
    """threats L6."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()
        await deployment.change_application(disabled=True)
        assert (await deployment.login()).status == 401
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401
        assert (await deployment.report(tokens["access_token"])).status == 401

    tell(tmp_path, story)


@pytest.mark.parametrize(("grants", "login", "refresh"), [(("password",), 200, 400), (("refresh_token",), 400, 200)])
def test_an_application_uses_only_the_grants_on_its_list(
    tmp_path: Path, grants: tuple[str, ...], login: int, refresh: int
) -> None:
    """D25, threats A13: a changed list is in force at once."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()
        await deployment.change_application(grants=grants)
        assert (await deployment.login()).status == login
        answer = await deployment.refresh(tokens["refresh_token"])
        assert answer.status == refresh
        if refresh == 400:
            message = "The 'grant_type' attribute is not allowed for this application."
            assert answer.said == (400, "Bad Request", message)

    tell(tmp_path, story)


def test_an_application_without_the_refresh_grant_gets_no_refresh_token(tmp_path: Path) -> None:
    """spec §2.3.5: a response without it also appears."""

    async def story(deployment: Deployment) -> None:
        await deployment.change_application(grants=("password",))
        assert list(await deployment.tokens()) == ["issued_at", "expires_in", "token_type", "access_token"]

    tell(tmp_path, story)


def test_an_address_that_is_not_allowed_does_not_spend_the_refresh_token(tmp_path: Path) -> None:
    """D3: 403 is said before anything is done."""

    async def story(deployment: Deployment) -> None:
        from credence.guard.access import AccessRules

        tokens = await deployment.tokens()
        await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
        assert (await deployment.refresh(tokens["refresh_token"])).status == 403
        await deployment.change_application(rules=AccessRules())
        kept = await deployment.store.family(base64url.decode(claims(tokens["access_token"])["sid"]))
        assert kept is not None
        assert kept.generation == 0

    tell(tmp_path, story)


def test_a_clock_that_is_set_back_does_not_make_tokens_older(tmp_path: Path) -> None:
    """threats T11."""

    async def story(deployment: Deployment) -> None:
        tokens = await deployment.tokens()
        deployment.now -= 5_000
        second = await deployment.refresh(tokens["refresh_token"])
        assert second.json["issued_at"] == tokens["issued_at"]
        assert (await deployment.report(second.json["access_token"])).status == 200

    tell(tmp_path, story)


def test_login_names_are_one_whatever_their_case_or_form(tmp_path: Path) -> None:
    """threats A6: so no counter can be got round by spelling."""

    async def story(deployment: Deployment) -> None:
        for spelling in ("ada", "ADA", "Ada", "\uff41da"):
            assert (await deployment.login(spelling, PASSWORD)).status == 200
        assert (await deployment.login(" ada", PASSWORD)).status == 401

    tell(tmp_path, story)
