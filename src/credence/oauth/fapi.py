"""The application profile `fapi2`: the FAPI 2.0 Security Profile.

It narrows what the service accepts from an application and issues to it; nothing changes for applications without it.
`registration_error` checks what the registration determines, `is_audience` and `proof_algorithms` what each request
determines.
"""

from collections.abc import Collection, Mapping
from typing import Any

from credence.crypto.client_key import ACCEPTED
from credence.identity.client_keys import verifying_keys
from credence.oauth.tokens import id_token
from credence.store.records import Application

FAPI2 = "fapi2"

ALGORITHMS = ("PS256", "ES256", "EdDSA")
"""Algorithms for tokens, assertions and proofs (FAPI 2.0 §5.4.1)."""

METHODS = ("private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth")
"""Methods of client authentication (FAPI 2.0 §5.3.2.1 item 6)."""

EXCLUDED_GRANTS = frozenset({"password", "urn:ietf:params:oauth:grant-type:device_code"})
"""The grants that the profile excludes.

It forbids the password grant (FAPI 2.0 §5.3.2.1). The device grant lacks redirect URI and PKCE, which bind an answer to the
browser of its request (§5.3.2.2).
"""

_DEFAULT_ALGORITHM = "ES256"


def is_fapi2(application: Application) -> bool:
    """Return whether the application has the profile."""
    return application.profile == FAPI2


def needs_pushed_requests(application: Application) -> bool:
    """Return whether the application's authorization requests must be pushed (RFC 9126 §6, FAPI 2.0 §5.3.2.2 item 2)."""
    return application.pushed_requests_required or is_fapi2(application)


def keeps_refresh_token(application: Application) -> bool:
    """Return whether a refresh token of the application stays the same (FAPI 2.0 §5.3.2.1 item 9).

    The token is useless without the client's key, so rotation would only add a way to lose it.
    """
    return is_fapi2(application)


def is_audience(application: Application, aud: str | Collection[str], issuer: str, endpoints: Collection[str]) -> bool:
    """Return whether this `aud` of a client assertion means this service and no other party (RFC 7523 §3 item 3).

    With the profile it is the issuer as a string (FAPI 2.0 §5.3.2.1 item 8). Otherwise the addresses of `endpoints`
    (RFC 9126 §2) and a list of them are accepted, too.
    """
    if is_fapi2(application):
        return aud == issuer
    named = {aud} if isinstance(aud, str) else set(aud)
    return bool(named) and named <= {issuer, *endpoints}


def proof_algorithms(application: Application) -> Collection[str]:
    """Return the algorithms with which the application may sign DPoP proofs."""
    return ALGORITHMS if is_fapi2(application) else ACCEPTED


def with_defaults(application: Application, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return these changes with the defaults of the profile added, if they give the application the profile.

    Fields in `changes` are never replaced. The defaults are DPoP, unless tokens are bound to certificates, and ES256 for
    access tokens and ID tokens that have no algorithm set.
    """
    if changes.get("profile") != FAPI2:
        return dict(changes)
    certificate_bound = changes.get("certificate_bound_tokens", application.certificate_bound_tokens)
    added: dict[str, Any] = {} if certificate_bound else {"dpop_required": True}
    for field in ("algorithm", "id_token_algorithm"):
        if getattr(application, field) is None:
            added[field] = _DEFAULT_ALGORITHM
    return {**added, **changes}


def registration_error(application: Application) -> str | None:
    """Return what the profile forbids about the application, a sentence without a full stop; None if nothing."""
    if not is_fapi2(application):
        return None
    if application.authentication not in METHODS:
        return f"the profile {FAPI2} needs one of the methods {', '.join(METHODS)}"
    if not (application.dpop_required or application.certificate_bound_tokens):
        return f"the profile {FAPI2} needs tokens that are bound to a key or a certificate"
    for grant in EXCLUDED_GRANTS.intersection(application.grants):
        return f"the profile {FAPI2} excludes the grant {grant}"
    if application.pkce == "off":
        return f"the profile {FAPI2} needs PKCE"
    if any(uri.startswith("http:") for uri in application.redirect_uris) and application.application_type != "native":
        return f"the profile {FAPI2} needs redirect URIs with https"
    signed_with = {application.algorithm, application.id_token_algorithm or id_token.ALGORITHM}
    signed_with |= {application.user_info_algorithm or _DEFAULT_ALGORITHM}
    signed_with |= {key.algorithm for _, key in verifying_keys(application.keys)}
    if not signed_with <= set(ALGORITHMS):
        return f"the profile {FAPI2} takes only {', '.join(ALGORITHMS)}, for keys and for tokens"
    return None
