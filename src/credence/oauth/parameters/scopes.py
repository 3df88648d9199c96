"""Scopes (RFC 6749 §3.3, threats A15) and audiences (RFC 8707, RFC 9068 §3) of tokens."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from credence import paths
from credence.errors import InvalidInput
from credence.identity.applications import is_public
from credence.refusals.grants import INVALID_SCOPE, INVALID_TARGET
from credence.refusals.refusal import Refused
from credence.settings import Settings
from credence.store.records import Application

OPENID = "openid"
PROFILE = "profile"
EMAIL = "email"
OFFLINE_ACCESS = "offline_access"
REPORT = "credit:report"
SEARCH = "credit:search"
DIRECTORS = "credit:directors"

DISPUTES = "credit:disputes"
MONITOR = "credit:monitor"

SIGNALS = "ssf.manage"
"""The scope for shared signals; the CAEP Interoperability Profile 1.0 defines the name."""

API_SCOPES = {
    REPORT: "Read credit reports on companies.",
    SEARCH: "Find companies by name, postcode or town.",
    DIRECTORS: "Find directors and see their appointments.",
}
"""The scopes of the credit API that a request without scope gets, with their meaning."""

CREDIT_SCOPES = {
    **API_SCOPES,
    DISPUTES: "Dispute facts of a credit report.",
    MONITOR: "Watch companies in portfolios and read events about them.",
}
"""Every scope of the credit API; the last two are granted only to requests that name them."""

APPLICATION_SCOPES = frozenset({*API_SCOPES, MONITOR, SIGNALS})
"""Scopes of an application without an account: it owns portfolios, webhooks (D31) and its stream, but only people dispute
facts. Receivers of signals use the client credentials grant."""

SCOPES = {
    OPENID: "An ID token and the user information (OpenID Connect Core §3.1.2.1).",
    PROFILE: "The name of the account in both (§5.4).",
    EMAIL: "The email address of the account in both (§5.4).",
    OFFLINE_ACCESS: "A refresh token that remains valid after the browser session has ended (§11).",
    **CREDIT_SCOPES,
    SIGNALS: "Receive signals about logins that end and accounts that change (OpenID Shared Signals Framework).",
}
"""Every scope and its meaning, in the order in which scopes are written."""

MANAGE_READ = "manage:read"
MANAGE_APPLICATIONS = "manage:applications"
MANAGE_ACCOUNTS = "manage:accounts"
MANAGE_KEYS = "manage:keys"
MANAGE_DATA = "manage:data"

MANAGE_SCOPES = {
    MANAGE_READ: "Read what the management API shows.",
    MANAGE_APPLICATIONS: "Create and change applications, and create secrets for them.",
    MANAGE_ACCOUNTS: "Create and change accounts, and end their sessions and logins.",
    MANAGE_KEYS: "Start signing with the next key.",
    MANAGE_DATA: "Hold a source of credit data, and release it.",
}
"""The scopes of the management API (D30). An application has only those that it is registered with, by default none."""

ALL_SCOPES = {**SCOPES, **MANAGE_SCOPES}
"""Every scope with which an application can be registered."""

_WELL_FORMED = re.compile(r"[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*").fullmatch


OF_PUBLIC_CLIENTS = tuple(scope for scope in SCOPES if scope != MONITOR)
"""The scopes that a public client may have, unless it is registered with `credit:monitor`.

Portfolios belong to an application. A confidential client's server decides who sees what; but each person who signs in to a
public client has a token that opens the portfolios of all its users.
"""


_OF_OTHER_CLIENTS = tuple(SCOPES)


WITH_RIGHTS = frozenset({OPENID, PROFILE, EMAIL, OFFLINE_ACCESS, REPORT, SEARCH})
"""The scopes that a token with rights to some reports can have (RFC 9396): each other one would open facts about every
company, or change some."""


def of_application(application: Application) -> tuple[str, ...]:
    """Return the scopes that an application may have: its own list, or the default of its kind."""
    if application.scopes is not None:
        return application.scopes
    return OF_PUBLIC_CLIENTS if is_public(application) else _OF_OTHER_CLIENTS


@lru_cache(maxsize=1024)
def without_account(of_application: tuple[str, ...]) -> frozenset[str]:
    """Return those of an application's scopes that it may have without an account."""
    return APPLICATION_SCOPES.union(MANAGE_SCOPES).intersection(of_application)


def granted(requested: str | None, allowed: Collection[str]) -> str:
    """Return the scope to grant; Refused when a requested scope is not in `allowed`, or none is left.

    None requests every allowed scope of the API. An unknown scope is ignored (OpenID Connect Core §3.1.2.1); the answer
    names the granted ones.
    """
    if requested is None:
        return format_scope(frozenset(API_SCOPES).intersection(allowed))
    if not _WELL_FORMED(requested):
        raise Refused(INVALID_SCOPE, "scope.malformed")
    wanted = ALL_SCOPES.keys() & requested.split(" ")
    if not wanted.issubset(allowed):
        raise Refused(INVALID_SCOPE, "scope.not_allowed")
    if not wanted:
        raise Refused(INVALID_SCOPE, "scope.unknown")
    return format_scope(frozenset(wanted))


@lru_cache(maxsize=1024)
def effective(scope: str, listed: tuple[str, ...] | None, public: bool) -> frozenset[str]:
    """Return the scopes that a token still has: those of `scope` that its application has now.

    `listed` are the scopes that the application is registered with, None for the default; `public` is whether it is a
    public client. A token with an empty `scope` was issued by a version without scopes, or its application has none.
    """
    unlisted = OF_PUBLIC_CLIENTS if public else SCOPES
    allowed = frozenset(unlisted if listed is None else listed)
    return allowed.intersection(scope.split(" ") if scope else API_SCOPES)


@lru_cache(maxsize=1024)
def format_scope(scopes: frozenset[str]) -> str:
    """Return the scopes as one string (RFC 6749 §3.3), in the order of `ALL_SCOPES`."""
    return " ".join(scope for scope in ALL_SCOPES if scope in scopes)


_ABSOLUTE_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]+").fullmatch
"""The characters of an absolute URI (RFC 3986 §4.3): a scheme, no fragment, and nothing that needs encoding."""


def own_resources(settings: Settings) -> tuple[str, str]:
    """Return the resources of this service: the credit API, the default of a token, and the one for agents (D32)."""
    return (settings.token_audience, f"{settings.issuer}{paths.MCP}")


def management_resource(settings: Settings) -> str | None:
    """Return the resource of the management API, None if it is not served. No metadata contains it (D30, threats E1)."""
    return f"{settings.issuer}{paths.MANAGEMENT}" if settings.manage_port else None


def audience_of_resources(requested: Sequence[str], application: Application, settings: Settings) -> str:
    """Return the audience of the token to be issued: the credit API, unless the request names another resource.

    Refused with `invalid_target` for a resource that the application is not registered for, and for several, because one
    resource could use a token at another (RFC 8707 §3).
    """
    if not requested:
        return settings.token_audience
    if len(requested) > 1:
        raise Refused(INVALID_TARGET, "resource.multiple")
    resource = _canonical(requested[0])
    for known in (*own_resources(settings), management_resource(settings), *application.audiences):
        if known is not None and _canonical(known) == resource:
            return known
    raise Refused(INVALID_TARGET, "resource.not_allowed")


def are_among(requested: Iterable[str], granted: Iterable[str]) -> bool:
    """Return whether each requested resource is among those granted."""
    return set(map(_canonical, requested)) <= set(map(_canonical, granted))


def _canonical(resource: str) -> str:
    """Return a resource with scheme and host in lower case (RFC 3986 §6.2.2.1)."""
    scheme, separator, rest = resource.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}{separator}{host.lower()}{slash}{path}" if separator else resource


def check_resource(uri: str) -> str:
    """Return a resource to be registered; InvalidInput unless it is an absolute URI without fragment (RFC 8707 §2)."""
    if not _ABSOLUTE_URI(uri):
        raise InvalidInput(f"{uri!r} is not a resource: give an absolute URI without fragment (RFC 8707).")
    return uri
