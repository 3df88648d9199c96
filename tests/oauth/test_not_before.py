"""The ends of tokens and of their issue: states, applications, grants, rules (D3, D14, D25, threats L5, L6)."""

import pytest

from credence.access.rules import AccessRules
from credence.crypto import base64url
from credence.identity.accounts import with_password
from credence.identity.applications import with_disabled
from tests.deployment import NOW, Deployment, claims
from tests.oauth.minting import minted


@pytest.mark.parametrize("status", ["suspended", "locked", "expired", "closed"])
async def test_leaving_active_ends_live_tokens_permanently(deployment: Deployment, status: str) -> None:
    """D14, threats L6: at use and at refresh, and coming back does not revive them."""
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


async def test_a_login_in_the_second_of_not_before_works(deployment: Deployment) -> None:
    """iat counts whole seconds: the new token is dated to the next second, unlike the old one (threats L5)."""
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


@pytest.mark.parametrize("deed", ["new password", "suspended and back", "disabled and back"])
@pytest.mark.parametrize("later", [0, 1, 400])
async def test_each_of_two_cut_offs_in_one_second_reaches_the_logins_before_it(
    deployment: Deployment, later: int, deed: str
) -> None:
    """threats L5: in the millisecond of a login too, and a login that is dated to the next second is one before it."""

    async def cut(deployment: Deployment) -> None:
        if deed == "disabled and back":
            for disabled in (True, False):
                kept = await deployment.store.application(deployment.application.client_id)
                assert kept is not None
                await deployment.store.save_application(
                    with_disabled(kept, deployment.now, disabled=disabled), deployment.now
                )
            return
        kept_account = await deployment.store.account("ada")
        assert kept_account is not None
        if deed == "new password":
            again = with_password(kept_account, kept_account.password_hash, deployment.now)
            await deployment.store.save_account(again, deployment.now)
        else:
            await deployment.set_status("suspended")
            await deployment.set_status("active")

    for _ in range(2):
        tokens = await deployment.tokens()
        deployment.now += later
        await cut(deployment)
        assert (await deployment.report(tokens["access_token"])).status == 401
        assert (await deployment.refresh(tokens["refresh_token"])).status == 401
    assert (await deployment.report((await deployment.tokens())["access_token"])).status == 200


async def test_a_token_that_a_stale_node_issued_after_not_before_is_invalid(deployment: Deployment) -> None:
    """threats L5, L9: such a node may refresh or exchange after it; the login is still one of before it."""
    token = (await deployment.tokens())["access_token"]
    await deployment.change_account(not_before=NOW + 1)
    deployment.now += 5_000
    late = minted(deployment, token, iat=claims(token)["iat"] + 3)
    assert claims(late)["iat"] * 1000 > NOW + 1
    assert (await deployment.report(late)).status == 401


async def test_a_disabled_application_is_served_nowhere(deployment: Deployment) -> None:
    """threats L6."""
    tokens = await deployment.tokens()
    await deployment.change_application(disabled=True)
    assert (await deployment.login()).status == 401
    assert (await deployment.refresh(tokens["refresh_token"])).status == 401
    assert (await deployment.report(tokens["access_token"])).status == 401


@pytest.mark.parametrize(("grants", "login", "refresh"), [(("password",), 200, 400), (("refresh_token",), 400, 200)])
async def test_an_application_uses_only_the_grants_on_its_list(
    deployment: Deployment, grants: tuple[str, ...], login: int, refresh: int
) -> None:
    """D25, threats A13: a changed list is in force at once."""
    tokens = await deployment.tokens()
    await deployment.change_application(grants=grants)
    assert (await deployment.login()).status == login
    answer = await deployment.refresh(tokens["refresh_token"])
    assert answer.status == refresh
    if refresh == 400:
        message = "The 'grant_type' attribute is not allowed for this application."
        assert answer.said == (400, "Bad Request", message)


async def test_an_application_without_the_refresh_grant_gets_no_refresh_token(deployment: Deployment) -> None:
    """spec §2.3.5: a response without it also appears."""
    await deployment.change_application(grants=("password",))
    assert list(await deployment.tokens()) == ["issued_at", "expires_in", "token_type", "access_token"]


async def test_an_address_that_is_not_allowed_does_not_spend_the_refresh_token(deployment: Deployment) -> None:
    """D3: 403 is said before anything is done."""
    tokens = await deployment.tokens()
    await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    assert (await deployment.refresh(tokens["refresh_token"])).status == 403
    await deployment.change_application(rules=AccessRules())
    kept = await deployment.store.family(base64url.decode(claims(tokens["access_token"])["sid"]))
    assert kept is not None
    assert kept.generation == 0


@pytest.mark.parametrize("refused_for", ["address", "state"])
async def test_reuse_is_detected_although_the_request_has_other_faults(
    deployment: Deployment, refused_for: str
) -> None:
    """D3, D7: a wrong token is said before address and state, and ends its family from anywhere."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    await deployment.refresh(second["refresh_token"])
    if refused_for == "address":
        await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    else:
        await deployment.change_account(status="suspended")
    assert (await deployment.refresh(first["refresh_token"])).said[2] == "Access token is Invalid."
    kept = await deployment.store.family(base64url.decode(claims(first["access_token"])["sid"]))
    assert kept is not None
    assert kept.ended_because == "reused"


async def test_a_revoked_token_is_refused_before_an_address_that_is_not_allowed(deployment: Deployment) -> None:
    """D3."""
    tokens = await deployment.tokens()
    await deployment.revoke(tokens["refresh_token"])
    await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    assert (await deployment.refresh(tokens["refresh_token"])).said[0] == 401
