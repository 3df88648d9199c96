"""The claims about an account, by granted scope (OpenID Connect Core §5.1, §5.4, D5).

These are the standard claims, and further ones of the specification that existing clients read in the access token. An
unknown value is left out. `email_verified` is always left out, because Credence does not verify mail addresses.
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
"""Scope -> its claims, each with the function that reads it from an account."""

NAMES = tuple(name for of_scope in CLAIMS.values() for name in of_scope)


def about(account: Account, scopes: Collection[str]) -> dict[str, str]:
    """Return the claims about the account for these scopes. A service account has no name and no mail address (D5)."""
    found = {
        name: read(account) for scope, claims in CLAIMS.items() if scope in scopes for name, read in claims.items()
    }
    return {name: value for name, value in found.items() if value}
