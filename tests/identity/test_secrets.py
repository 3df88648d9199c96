"""Applications prove who they are, and change their secret without downtime (threats A3, A14)."""

import msgspec
import pytest

from credence.identity.applications import authenticates, register, rotate_secret, with_disabled, without_secret_of

NOW = 1_700_000_000_000
KEY = b"d" * 32


def test_only_its_own_secret_authenticates_an_application() -> None:
    application, secret = register("Ledger", "sbx", KEY, NOW)
    other, other_secret = register("Other", "sbx", KEY, NOW)
    assert authenticates(application, secret, KEY, NOW)
    for wrong in (other_secret, secret.upper(), secret + "a", secret[:-1], ""):
        assert not authenticates(application, wrong, KEY, NOW)
    assert not authenticates(None, secret, KEY, NOW)
    assert not authenticates(other, secret, KEY, NOW)


def test_the_secret_is_stored_as_a_digest_under_the_key_of_the_deployment() -> None:
    application, secret = register("Ledger", "sbx", KEY, NOW)
    assert secret.encode() not in msgspec.json.encode(application)
    assert not authenticates(application, secret, b"x" * 32, NOW)


@pytest.mark.parametrize(("at", "old_works"), [(NOW, True), (NOW + 9_999, True), (NOW + 10_000, False)])
def test_after_a_rotation_both_secrets_work_until_the_old_one_expires(at: int, old_works: bool) -> None:
    """threats A14: to the millisecond."""
    application, old = register("Ledger", "sbx", KEY, NOW)
    rotated, new = rotate_secret(application, "sbx", KEY, NOW, old_until=NOW + 10_000)
    assert authenticates(rotated, new, KEY, at)
    assert authenticates(rotated, old, KEY, at) is old_works


def test_no_more_than_two_secrets_are_ever_live() -> None:
    application, first = register("Ledger", "sbx", KEY, NOW)
    once, second = rotate_secret(application, "sbx", KEY, NOW + 1, old_until=NOW + 99_999)
    twice, third = rotate_secret(once, "sbx", KEY, NOW + 2, old_until=NOW + 99_999)
    works = [authenticates(twice, secret, KEY, NOW + 3) for secret in (first, second, third)]
    assert works == [False, True, True]


def test_of_two_secrets_of_one_millisecond_each_can_be_ended() -> None:
    application, first = register("Ledger", "sbx", KEY, NOW)
    rotated, second = rotate_secret(application, "sbx", KEY, NOW, old_until=NOW + 99_999)
    newest = max(each.created_at for each in rotated.secrets)
    ended = without_secret_of(rotated, newest)
    assert ended
    assert [authenticates(ended, secret, KEY, NOW + 1) for secret in (first, second)] == [True, False]


def test_a_disabled_application_is_not_authenticated() -> None:
    application, secret = register("Ledger", "sbx", KEY, NOW)
    disabled = with_disabled(application, NOW, disabled=True)
    assert not authenticates(disabled, secret, KEY, NOW)
    assert authenticates(with_disabled(disabled, NOW, disabled=False), secret, KEY, NOW)


def test_tokens_issued_before_an_application_was_disabled_stay_invalid() -> None:
    application, _ = register("Ledger", "sbx", KEY, NOW)
    disabled = with_disabled(application, NOW + 1, disabled=True)
    assert disabled.not_before > NOW + 1
    assert disabled.version == 2
    assert with_disabled(disabled, NOW + 2, disabled=True) is disabled


def test_tokens_issued_while_an_application_was_disabled_are_invalid_after_it_is_enabled() -> None:
    """threats L9: a node may not have read the change yet."""
    application, _ = register("Ledger", "sbx", KEY, NOW)
    disabled = with_disabled(application, NOW, disabled=True)
    assert with_disabled(disabled, NOW + 500, disabled=False).not_before > NOW + 500
