"""Passwords: which may be chosen, how they are checked, what is remembered (threats A1, A2, A7, A8, §8)."""

from typing import Any

import msgspec
import pytest

from credence.crypto.passwords import PROFILES, PasswordHashing, hash_password, needs_rehash
from credence.identity.password_policy import check_password
from tests.deployment import NOW, PASSWORD, Deployment, OpenDeployment, ada


@pytest.mark.parametrize("password", ["x" * 14, "x" * 257, "", "passwordpassword", "PasswordPassword"])
def test_a_short_long_or_common_password_is_refused(password: str) -> None:
    """threats A8: 15 to 256 characters, not on the list."""
    with pytest.raises(ValueError, match="password"):
        check_password(password)


@pytest.mark.parametrize(
    "password", ["a sentence of it", "xkcd-9-lemons-1", " leading blank!", "\U0001f600" * 15, "m" * 15 + "x" * 241]
)
def test_any_other_password_may_be_chosen(password: str) -> None:
    """threats A8: no composition rules; characters of four octets count as one."""
    check_password(password)


def test_the_standard_profile_is_the_minimum_of_owasp() -> None:
    """Argon2id, 19 MiB, t=2, p=1."""
    profile = PROFILES["standard"]
    assert (profile.memory_cost, profile.time_cost, profile.parallelism) == (19 * 1024, 2, 1)
    assert hash_password("standard", "x").startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_the_strong_profile_is_the_second_of_rfc_9106_with_one_lane() -> None:
    """RFC 9106 §4: 64 MiB, t=3."""
    profile = PROFILES["strong"]
    assert (profile.memory_cost, profile.time_cost, profile.parallelism) == (64 * 1024, 3, 1)


def test_a_malformed_hash_verifies_no_password() -> None:
    hashing = PasswordHashing("testing")
    assert not hashing.verify("not a hash", "password")
    assert not hashing.verify("", "")


async def test_a_login_with_old_parameters_is_rehashed_and_nothing_else_changes(deployment: Deployment) -> None:
    """spec §2.1, threats §8: tokens stay good, because the password is the same."""
    old = msgspec.structs.replace(ada(), username="old", password_hash=PROFILES_OLD)
    await deployment.store.save_account(old, NOW)
    assert (await deployment.login("old", PASSWORD)).status == 200
    await deployment.service.authority.passwords.at_rest()
    kept = await deployment.store.account("old")
    assert kept is not None
    assert not needs_rehash("testing", kept.password_hash)
    assert (kept.password_version, kept.not_before, kept.version) == (1, 0, 2)
    assert (await deployment.login("old", PASSWORD)).status == 200


PROFILES_OLD = hash_password("standard", PASSWORD)


class Counted:
    """Counts the hashes while it is active."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hashes = 0

        verify = PasswordHashing.verify

        def counting(hashing: PasswordHashing, *arguments: Any) -> bool:
            self.hashes += 1
            return verify(hashing, *arguments)

        monkeypatch.setattr(PasswordHashing, "verify", counting)


async def test_an_unknown_user_costs_one_hash_like_a_wrong_password(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats A1."""
    counted = Counted(monkeypatch)

    deployment = await open_deployment()
    for username, password in (("ada", "wrong horse battery"), ("nobody", PASSWORD)):
        counted.hashes = 0
        await deployment.login(username, password)
        assert counted.hashes == 1


async def test_a_wrong_client_costs_no_hash(open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """threats A3."""
    counted = Counted(monkeypatch)

    deployment = await open_deployment()
    deployment.secret = "wrong"
    assert (await deployment.login()).status == 401
    assert counted.hashes == 0


@pytest.mark.parametrize(("memory", "later", "hashes"), [(300, 0, 1), (300, 299_999, 1), (300, 300_000, 2), (0, 0, 2)])
async def test_a_verified_password_is_remembered_for_a_while(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch, memory: int, later: int, hashes: int
) -> None:
    """A setting, to the millisecond; 0 switches it off."""
    counted = Counted(monkeypatch)

    deployment = await open_deployment(password_cache_seconds=memory)
    await deployment.tokens()
    deployment.now += later
    await deployment.tokens()
    assert counted.hashes == hashes


async def test_a_remembered_password_is_forgotten_when_it_is_changed(deployment: Deployment) -> None:
    """Bound to the account's password version; account state is still read each time."""
    await deployment.tokens()
    await deployment.change_account(password_hash=hash_password("testing", "another horse battery"), password_version=2)
    assert (await deployment.login()).status == 401
    assert (await deployment.login(password="another horse battery")).status == 200


async def test_no_password_is_kept_in_clear(deployment: Deployment) -> None:
    await deployment.tokens()
    held = repr(vars(deployment.service.authority.passwords._remembered))
    assert PASSWORD not in held
