"""What an access token says, and for how long (spec §2.3, §3.1, §5.4, §8, D4, D5)."""

import json
from pathlib import Path

from credence.crypto import base64url
from credence.identity import accounts
from tests.deployment import NOW, Deployment, claims, tell


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
