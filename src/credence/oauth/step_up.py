"""Step-up: how strongly and how recently a person must have signed in for the API (RFC 9470).

The access rules of the application or the account state the requirement, and the token how the person signed in. A token
that an application got for itself is not affected.
"""

from collections.abc import Iterable
from typing import NamedTuple

from credence.access.rules import AccessRules
from credence.clock import Milliseconds
from credence.identity.sessions import AUTHENTICATION_CLASSES
from credence.oauth.tokens.access_token import Claims

PASSWORD_CLASS = AUTHENTICATION_CLASSES[0]
"""The `acr` of a token without one: the password grant has one factor."""


class RequiredSignIn(NamedTuple):
    """The requirements of a new sign-in (RFC 9470 §3)."""

    acr_values: str
    """The sufficient authentication classes, separated by spaces; empty for any."""
    max_age: int | None
    """The maximum age of the sign-in in seconds; None for any."""
    reason: str
    """The reason code of the refusal."""


def lacking(claims: Claims, rules: Iterable[AccessRules], now: Milliseconds) -> RequiredSignIn | None:
    """Return the sign-in that these rules require of the token; None if its present sign-in is sufficient."""
    return lacking_of(claims.acr or PASSWORD_CLASS, claims.auth_time or claims.iat, rules, now)


def lacking_of(acr: str, signed_in_at: int, rules: Iterable[AccessRules], now: Milliseconds) -> RequiredSignIn | None:
    """Return the same as `lacking`, for a sign-in of this class at this time in seconds."""
    asked = [each for each in rules if each.weakest_class or each.max_age is not None]
    if not asked:
        return None
    weakest = max((_rank(each.weakest_class) for each in asked), default=0)
    max_age = min((each.max_age for each in asked if each.max_age is not None), default=None)
    enough = AUTHENTICATION_CLASSES[weakest:]
    if acr not in enough:
        reason = "step_up.class"
    elif max_age is not None and now // 1000 - signed_in_at > max_age:
        reason = "step_up.max_age"
    else:
        return None
    return RequiredSignIn(" ".join(enough) if weakest else "", max_age, reason)


def _rank(name: str) -> int:
    return AUTHENTICATION_CLASSES.index(name) if name else 0
