"""What a token may be used for, and where: scopes (RFC 6749 §3.3, threats A15) and audiences (RFC 8707, RFC 9068 §3)."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from credence.errors import InvalidInput
from credence.refusals import INVALID_SCOPE, INVALID_TARGET, Refused
from credence.store.records import Application

OPENID = "openid"
PROFILE = "profile"
EMAIL = "email"
REPORT = "credit:report"
SEARCH = "credit:search"
DIRECTORS = "credit:directors"

API_SCOPES = {
    REPORT: "Read credit reports on companies.",
    SEARCH: "Find companies by name, postcode or town.",
    DIRECTORS: "Find directors and read what they direct.",
}
"""What a token opens when its request named no scope, as far as its application may have it."""

SCOPES = {
    OPENID: "Tell who the account is: adds an ID token and opens the user information (OpenID Connect Core §3.1.2.1).",
    PROFILE: "Tell its name (§5.4).",
    EMAIL: "Tell its mail address (§5.4).",
    **API_SCOPES,
}
"""Every scope and its meaning, in the order in which they are written."""

_WELL_FORMED = re.compile(r"[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*").fullmatch


def of_application(application: Application) -> tuple[str, ...]:
    """Return the scopes that an application may have: its own list, or all there are."""
    return tuple(SCOPES) if application.scopes is None else application.scopes


def granted(asked: str | None, allowed: Collection[str]) -> str:
    """Return the scope to grant to a request that may have these; Refused when it asks for another, or nothing is left.

    Without a request it is every allowed scope of the API. What no service of ours knows is passed over, as OpenID Connect
    Core §3.1.2.1 has it; the answer says what was granted.
    """
    if asked is None:
        return format_scope(frozenset(API_SCOPES).intersection(allowed))
    if not _WELL_FORMED(asked):
        raise Refused(INVALID_SCOPE, "scope.malformed")
    wanted = SCOPES.keys() & asked.split(" ")
    if not wanted.issubset(allowed):
        raise Refused(INVALID_SCOPE, "scope.not_allowed")
    if not wanted:
        raise Refused(INVALID_SCOPE, "scope.unknown")
    return format_scope(frozenset(wanted))


@lru_cache(maxsize=1024)
def effective(scope: str, of_its_application: tuple[str, ...] | None) -> frozenset[str]:
    """Return what a token with this scope opens now: never more than its application may have by now.

    A token without scope is one of before there were scopes, or of an application that may have none.
    """
    allowed = frozenset(SCOPES if of_its_application is None else of_its_application)
    return allowed.intersection(scope.split(" ") if scope else API_SCOPES)


@lru_cache(maxsize=1024)
def format_scope(scopes: frozenset[str]) -> str:
    """Return them as RFC 6749 §3.3 writes them, in the order of `SCOPES`."""
    return " ".join(scope for scope in SCOPES if scope in scopes)


_ABSOLUTE_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]+").fullmatch
"""The characters of an absolute URI (RFC 3986 §4.3): a scheme, no fragment, and nothing that needs encoding."""


def audience(requested: Sequence[str], application: Application, own: str) -> str:
    """Return the audience of the token to be issued: `own`, the service's, unless the request names another resource.

    Refused with `invalid_target` for a resource that the application is not registered for, and for several: a token that
    is valid at two resources can be taken from one to the other (RFC 8707 §3).
    """
    if not requested:
        return own
    if len(requested) > 1:
        raise Refused(INVALID_TARGET, "resource.multiple")
    (resource,) = requested
    if resource != own and resource not in application.audiences:
        raise Refused(INVALID_TARGET, "resource.not_allowed")
    return resource


def check_resource(uri: str) -> str:
    """Return a resource to be registered; InvalidInput unless it is an absolute URI without fragment (RFC 8707 §2)."""
    if not _ABSOLUTE_URI(uri):
        raise InvalidInput(f"{uri!r} is no resource: an absolute URI without fragment is (RFC 8707).")
    return uri
