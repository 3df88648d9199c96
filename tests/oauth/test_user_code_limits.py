"""What wrong user codes of devices count against (RFC 8628 §5.1, threats A4)."""

from credence.identity.login_attempts import LoginAttempt, LoginLimits, keys_of
from credence.oauth.devices import UserCodeLimits

LIMITS = UserCodeLimits(b"digest key", 100)


def _keys(username: str, network: str) -> list[bytes]:
    """Return the keys of origin, account, service, the account while the service has too many, and address."""
    return keys_of(LIMITS.rules(LoginAttempt(username, "user code", network)))


ADA = _keys("ada", "192.0.2.0/32")


def test_another_address_of_the_account_is_another_origin() -> None:
    """Who guesses at one address does not keep the owner at another from connecting a device."""
    elsewhere = _keys("ada", "198.51.100.0/32")
    assert [one == other for one, other in zip(ADA, elsewhere, strict=True)] == [False, True, True, True, False]


def test_another_account_at_the_address_shares_the_address_and_the_service() -> None:
    grace = _keys("grace", "192.0.2.0/32")
    assert [one == other for one, other in zip(ADA, grace, strict=True)] == [False, False, True, False, True]


def test_no_tally_is_one_of_passwords() -> None:
    password = LoginLimits(b"digest key", 100, 1_000).rules(LoginAttempt("ada", "", "192.0.2.0/32"))
    assert set(keys_of(password)).isdisjoint(ADA)
