"""The claims about an account, by granted scope (OpenID Connect Core §5.1, §5.4, D5, D37). An unknown value is left out."""

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter

from credence.oauth.parameters.scopes import EMAIL, PROFILE
from credence.store.records import Account, Application

Claim = str | bool | int


def _name(account: Account) -> str | None:
    return " ".join(part for part in (account.first_name, account.last_name) if part) or None


def _updated_at(account: Account) -> int | None:
    """Return when the profile was last changed, in seconds.

    Unknown of an account that an earlier version may have changed.
    """
    known = account.profile_updated_at or (account.created_at if account.version == 1 else 0)
    return known // 1000 or None


def _email_verified(account: Account) -> bool | None:
    return account.email_verified if account.email else None


CLAIMS: Mapping[str, Mapping[str, Callable[[Account], Claim | None]]] = {
    PROFILE: {
        "name": _name,
        "given_name": attrgetter("first_name"),
        "family_name": attrgetter("last_name"),
        "preferred_username": attrgetter("username"),
        "updated_at": _updated_at,
        "FirstName": attrgetter("first_name"),
        "LastName": attrgetter("last_name"),
        "account_type": attrgetter("type"),
    },
    EMAIL: {
        "email": attrgetter("email"),
        "email_verified": _email_verified,
        "Email": attrgetter("email"),
    },
}
"""Scope -> its claims, each with the function that reads it from an account."""

NAMES = tuple(name for of_scope in CLAIMS.values() for name in of_scope)

_HOUSE_NAMES = frozenset({"FirstName", "LastName", "account_type", "Email"})
"""Claims under the names that clients of the house dialect read in the access token (D5)."""


def about(account: Account, scopes: Collection[str]) -> dict[str, Claim]:
    """Return the claims about the account for these scopes. A service account has no name and no mail address (D5)."""
    found = {
        name: read(account) for scope, claims in CLAIMS.items() if scope in scopes for name, read in claims.items()
    }
    return {name: value for name, value in found.items() if value is not None and value != ""}


def about_to(application: Application, account: Account, scopes: Collection[str]) -> dict[str, Claim]:
    """Return the claims about the account under the names that the application knows.

    Those of the house are for applications that may use the password grant, without which there is no house dialect.
    """
    found = about(account, scopes)
    if "password" in application.grants:
        return found
    return {name: value for name, value in found.items() if name not in _HOUSE_NAMES}
