"""What wrong user codes of devices count against (RFC 8628 §5.1, threats A4)."""

from dataclasses import astuple

from credence.identity.login_attempts import LoginAttempt, LoginLimits
from credence.oauth.devices.guessing import UserCodeLimits

LIMITS = UserCodeLimits(b"digest key", 0)
ADA = LIMITS.keys(LoginAttempt("ada", "user code", "192.0.2.0/32"))


def test_another_address_of_the_account_is_another_origin() -> None:
    """Who guesses at one address does not keep the owner at another from connecting a device."""
    elsewhere = LIMITS.keys(LoginAttempt("ada", "user code", "198.51.100.0/32"))
    assert elsewhere.origin != ADA.origin
    assert elsewhere.address != ADA.address
    assert (elsewhere.account, elsewhere.application) == (ADA.account, ADA.application)


def test_another_account_at_the_address_shares_the_address_and_the_service() -> None:
    grace = LIMITS.keys(LoginAttempt("grace", "user code", "192.0.2.0/32"))
    assert grace.origin != ADA.origin
    assert grace.account != ADA.account
    assert (grace.address, grace.application) == (ADA.address, ADA.application)


def test_no_tally_is_one_of_passwords() -> None:
    password = LoginLimits(b"digest key", 0, 0).keys(LoginAttempt("ada", "user code", "192.0.2.0/32"))
    assert set(astuple(password)).isdisjoint(astuple(ADA))
