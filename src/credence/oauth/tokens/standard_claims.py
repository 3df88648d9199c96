"""What is told about an account, by the scope that was granted (OpenID Connect Core §5.1, §5.4, D5).

The standard claims stand beside those of the house, which existing clients read in the access token. What is not known is
left out. `email_verified` always is: nobody has checked that the mail address is the account's.
"""

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter

from credence.oauth.parameters.scopes import EMAIL, PROFILE
from credence.store.records import Account


def _name(account: Account) -> str | None:
    return " ".join(part for part in (account.first_name, account.last_name) if part) or None


CLAIMS: Mapping[str, Mapping[str, Callable[[Account], str | None]]] = {
    PROFILE: {
        "name": _name,
        "given_name": attrgetter("first_name"),
        "family_name": attrgetter("last_name"),
        "preferred_username": attrgetter("username"),
        "FirstName": attrgetter("first_name"),
        "LastName": attrgetter("last_name"),
        "account_type": attrgetter("type"),
    },
    EMAIL: {
        "email": attrgetter("email"),
        "Email": attrgetter("email"),
    },
}
"""By scope, each claim and where an account has it."""

NAMES = tuple(name for of_scope in CLAIMS.values() for name in of_scope)


def about(account: Account, scopes: Collection[str]) -> dict[str, str]:
    """Return what these scopes tell of the account. A service account has no name and no mail address (D5)."""
    told = {name: read(account) for scope, claims in CLAIMS.items() if scope in scopes for name, read in claims.items()}
    return {name: value for name, value in told.items() if value}
