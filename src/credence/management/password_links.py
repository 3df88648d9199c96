"""Links with which people choose their own passwords, and accounts made for such a link (ASVS 6.4.1, 6.4.6)."""

from credence import paths
from credence.clock import Milliseconds
from credence.crypto.passwords import hash_password
from credence.crypto.randomness import new_password
from credence.errors import OperatorError
from credence.identity import accounts
from credence.identity.activation import Activation, write_activation
from credence.settings import Settings
from credence.store.records import Account

INVITATION_SECONDS = 604_800
RESET_SECONDS = 3_600


def invited(
    settings: Settings,
    username: str,
    now: Milliseconds,
    *,
    email: str | None = None,
    first_name: str | None = None,
    last_name: str | None = None,
) -> Account:
    """Return a new account of a person whose password is unknown to all; InvalidInput for an invalid login name."""
    unknown = hash_password(settings.password_profile, new_password())  # the hash of a random text that is not kept
    return accounts.register(username, "user", unknown, now, email=email, first_name=first_name, last_name=last_name)


def password_link(settings: Settings, digest_key: bytes, account: Account, until: Milliseconds) -> str:
    """Return the URL at which the person may choose a password until `until`; OperatorError for an inactive account."""
    if account.status != "active":
        raise OperatorError(f"The account is {account.status}: its password cannot be chosen.")
    activation = Activation(account.username, account.password_version, until)
    text = write_activation(settings.environment.prefix, digest_key, activation)
    return f"{settings.issuer}{paths.PASSWORD}?link={text}"
