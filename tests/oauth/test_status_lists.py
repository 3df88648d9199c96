"""A verifier with a status list decides on a token as the bearer check does (threats §7, L5, L6).

Every way to end a token is here, and every list is compared with the service's own decision.
"""

from collections.abc import Awaitable, Callable

import pytest

from credence.crypto.passwords import hash_password
from credence.identity import accounts
from credence.store.records import StatusBlock
from tests.deployment import NOW, Deployment, claims
from tests.oauth.exchanging import exchanged, service
from tests.oauth.test_client_credentials import obtain
from tests.oauth.test_end_of_exchanged_tokens import ENDS, ENDS_NOTHING
from tests.oauth.verifier_elsewhere import LIFE, bit, fetch, header, is_invalid

pytestmark = pytest.mark.settings(status_list=True)

Deed = Callable[[Deployment, dict[str, str]], Awaitable[object]]


async def _reuse(deployment: Deployment, tokens: dict[str, str]) -> None:
    await deployment.refresh(tokens["refresh_token"])
    deployment.now += 60_000
    assert (await deployment.refresh(tokens["refresh_token"])).status == 401


async def _new_password(deployment: Deployment, _tokens: dict[str, str]) -> None:
    kept = await deployment.store.account("ada")
    assert kept is not None
    changed = accounts.with_password(kept, hash_password("testing", "another battery"), deployment.now)
    await deployment.store.save_account(changed, deployment.now)


async def _suspend_for_a_moment(deployment: Deployment, _tokens: dict[str, str]) -> None:
    await deployment.set_status("suspended")
    await deployment.set_status("active")


ENDS_A_LOGIN: dict[str, Deed] = {
    "the access token is revoked": lambda deployment, tokens: deployment.revoke(tokens["access_token"]),
    "the refresh token is revoked": lambda deployment, tokens: deployment.revoke(tokens["refresh_token"]),
    "a refresh token is used twice": _reuse,
    "the password is changed": _new_password,
    "the account is suspended": lambda deployment, _: deployment.set_status("suspended"),
    "the account is suspended for a moment": _suspend_for_a_moment,
    "the account is closed": lambda deployment, _: deployment.set_status("closed"),
    "the account is locked where it lies": lambda deployment, _: deployment.change_account(status="locked"),
    "the account's tokens are cut off": lambda deployment, _: deployment.change_account(not_before=NOW + 1),
    "the application is disabled": lambda deployment, _: deployment.change_application(disabled=True),
    "the application is cut off": lambda deployment, _: deployment.change_application(not_before=NOW + 1),
}

LEAVES_IT: dict[str, Deed] = {
    "nothing": lambda deployment, tokens: deployment.report(tokens["access_token"]),
    "it is refreshed": lambda deployment, tokens: deployment.refresh(tokens["refresh_token"]),
    "another login of the account ends": lambda deployment, _: _end_another_login(deployment),
    "the application is renamed": lambda deployment, _: deployment.change_application(name="Ledger 2"),
}


async def _end_another_login(deployment: Deployment) -> None:
    await deployment.revoke((await deployment.tokens())["refresh_token"])


@pytest.mark.parametrize("deed", [*ENDS_A_LOGIN, *LEAVES_IT])
async def test_a_token_of_a_login_is_invalid_when_the_service_refuses_it(deployment: Deployment, deed: str) -> None:
    tokens = await deployment.tokens()
    token = tokens["access_token"]
    assert not await is_invalid(deployment, token)
    await (ENDS_A_LOGIN | LEAVES_IT)[deed](deployment, tokens)
    ended = deed in ENDS_A_LOGIN
    assert (await deployment.report(token)).status == (401 if ended else 200)
    deployment.now += LIFE
    assert await is_invalid(deployment, token) is ended


@pytest.mark.parametrize("deed", [*ENDS, *ENDS_NOTHING])
async def test_so_is_one_that_was_exchanged(deployment: Deployment, deed: str) -> None:
    """RFC 8693: the same ends that the tests of the exchange know."""
    first, last = await service(deployment, "First"), await service(deployment, "Last")
    tokens = await deployment.tokens()
    token = await exchanged(last, await exchanged(first, tokens["access_token"]))
    assert not await is_invalid(deployment, token)
    await (ENDS | ENDS_NOTHING)[deed](deployment, first, last, tokens, token)
    deployment.now += LIFE
    assert await is_invalid(deployment, token) is (deed in ENDS)


ENDS_ITS_OWN: dict[str, Deed] = {
    "it is revoked": lambda deployment, tokens: deployment.revoke(tokens["access_token"]),
    "the application is disabled": lambda deployment, _: deployment.change_application(disabled=True),
    "the application is cut off": lambda deployment, _: deployment.change_application(not_before=NOW + 1),
}


@pytest.mark.parametrize("deed", [*ENDS_ITS_OWN, "another token is revoked"])
async def test_so_is_one_that_an_application_got_for_itself(deployment: Deployment, deed: str) -> None:
    tokens, others = await obtain(deployment), await obtain(deployment)
    if deed in ENDS_ITS_OWN:
        await ENDS_ITS_OWN[deed](deployment, tokens)
    else:
        await deployment.revoke(others["access_token"])
    deployment.now += LIFE
    assert await is_invalid(deployment, tokens["access_token"]) is (deed in ENDS_ITS_OWN)


async def test_a_token_issued_after_not_before_is_valid(deployment: Deployment) -> None:
    """threats L5: in the second of the cut-off and later, of a login and of the application itself."""
    await obtain(deployment)
    await deployment.change_application(not_before=NOW + 1, grants=("client_credentials", "password", "refresh_token"))
    await _new_password(deployment, {})
    deployment.now += 1
    own = (await obtain(deployment))["access_token"]
    await deployment.change_application(grants=("client_credentials", "password", "refresh_token"))
    login = (await deployment.login(password="another battery")).json["access_token"]
    deployment.now += 1_000
    for token in (own, login):
        assert (await deployment.report(token)).status == 200
        assert not await is_invalid(deployment, token)


async def test_a_revocation_is_in_the_list_after_its_ttl_and_not_before(deployment: Deployment) -> None:
    """§13.7: a list is made anew every 30 seconds at most, however often it is asked for."""
    token = (await deployment.tokens())["access_token"]
    assert not await is_invalid(deployment, token)
    await deployment.revoke(token)
    deployment.now = NOW + LIFE - 1
    assert not await is_invalid(deployment, token)
    deployment.now = NOW + LIFE
    assert await is_invalid(deployment, token)


async def test_an_account_that_is_not_in_memory_is_read(deployment: Deployment) -> None:
    """A list names more accounts than are in use; one that was not looked at must not pass for one that is gone."""
    token = (await deployment.tokens())["access_token"]
    await deployment.change_account(email="ada@elsewhere.example")
    assert not await is_invalid(deployment, token)
    assert deployment.service.authority.revocation_cache.cached_account("ada") is None


async def test_a_block_that_another_process_opens_late_is_checked(deployment: Deployment) -> None:
    """Its token was dated before a cut-off that the list knows already, and nothing is logged any more."""
    token = (await deployment.tokens())["access_token"]
    not_before = NOW + 5_000
    await deployment.change_application(not_before=not_before)
    assert await is_invalid(deployment, token)
    late = StatusBlock(deployment.application.client_id, "", b"", opened_at=NOW, until=NOW + 86_400_000)
    (number,) = await deployment.store.open_status_blocks(late, 1)
    deployment.now += LIFE
    reply = await fetch(deployment, token)
    assert bit(claims(reply.body.decode())["status_list"], number * 16)


async def test_a_clock_that_is_set_back_gets_a_list_of_its_own_time(deployment: Deployment) -> None:
    """threats T11: one that was made in what is now the future is not served on."""
    token = (await deployment.tokens())["access_token"]
    await fetch(deployment, token)
    deployment.now = NOW - 3_600_000
    reply = await fetch(deployment, token)
    assert claims(reply.body.decode())["iat"] == deployment.now // 1000


async def test_a_revoked_signing_key_takes_its_lists_with_it(deployment: Deployment) -> None:
    """threats K7: nobody can verify with it any more, so the next list is signed by another at once."""
    token = (await deployment.tokens())["access_token"]
    await is_invalid(deployment, token)
    kid = deployment.service.authority.signing_key(None).kid
    await deployment.store.revoke_signing_key(kid, deployment.now)
    reply = await fetch(deployment, token)
    assert header(reply.body.decode())["kid"] != kid
