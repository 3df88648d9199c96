"""Step-up: how strongly and how recently a person must have signed in for the API (RFC 9470).

The access rules of the application or the account state the requirement, and the token how the person signed in. A token
that an application got for itself is not affected.
"""

from collections.abc import Sequence
from typing import NamedTuple

from credence.access.rules import AccessRules
from credence.clock import Milliseconds
from credence.identity.gate import Needs
from credence.identity.sessions import AUTHENTICATION_CLASSES, is_weaker
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


def lacking(claims: Claims, rules: Sequence[AccessRules], now: Milliseconds) -> RequiredSignIn | None:
    """Return the sign-in that these rules require of the token; None if its present sign-in is sufficient."""
    if not any(each.weakest_class or each.max_age is not None for each in rules):
        return None
    least, max_age = _required(rules)
    if is_weaker(claims.acr or PASSWORD_CLASS, least):
        reason = "step_up.class"
    elif max_age is not None and now // 1000 - (claims.auth_time or claims.iat) > max_age:
        reason = "step_up.max_age"
    else:
        return None
    enough = AUTHENTICATION_CLASSES[AUTHENTICATION_CLASSES.index(least) :]
    return RequiredSignIn("" if least == PASSWORD_CLASS else " ".join(enough), max_age, reason)


def needs_of(rules: Sequence[AccessRules]) -> Needs:
    """Return what these rules require of a person at a browser, for the gate."""
    least, max_age = _required(rules)
    return Needs(None if max_age is None else max_age * 1000 + 1, least=least)


def _required(rules: Sequence[AccessRules]) -> tuple[str, int | None]:
    """Return the weakest sufficient `acr`, and the maximum age in seconds or None."""
    classes = (each.weakest_class or PASSWORD_CLASS for each in rules)
    ages = (each.max_age for each in rules if each.max_age is not None)
    return max(classes, key=AUTHENTICATION_CLASSES.index), min(ages, default=None)
