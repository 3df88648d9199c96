"""The one check of a JWT that a trusted issuer has signed (RFC 7519 §7.2, RFC 8725, OpenID Connect Core §3.1.3.7).

The key comes from the operator or from the issuer's own metadata, never from the token. The claims are trusted only as far
as the table says: for the issuer's tenant, its mail domains and its subjects.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from credence.clock import Milliseconds
from credence.clock_tolerances import ASSERTION_TOLERANCE_SECONDS
from credence.crypto.client_jws import ClientJws, is_signed_by, read
from credence.crypto.digest import keyed_digest
from credence.crypto.jws import InvalidSignature
from credence.crypto.sealing import KeyEncryptionKeys
from credence.identity.client_keys import key_of
from credence.oauth.authority import Authority
from credence.oauth.issuer_metadata import IssuerUnavailable
from credence.store.trusted_issuers import IssuerUse, TrustedIssuer

PURPOSE = "issuer_keys"

MAX_EXPIRY_SECONDS = 86_400
"""Seconds from now to `exp`, at most: a token that lives longer is no statement about the present."""

MAX_TIME_SECONDS = 1 << 40
"""Of a time, at most: arithmetic with a greater number can overflow."""

MAX_SUBJECT_CHARACTERS = 255
"""As OpenID Connect Core §2 limits `sub`."""


class UntrustedToken(Exception):
    """The text is not what a trusted issuer may assert. The message is a reason code."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a token must be."""

    types: frozenset[str]
    """The accepted `typ` in lower case without `application/`; empty text for a token without one."""
    audiences: frozenset[str]
    """The accepted values of `aud`."""
    one_audience: bool = True
    """Whether `aud` must be a single value."""
    max_age_seconds: int | None = None
    """Seconds since `iat`, at most; the claim is then required."""
    needs_expiry: bool = True
    """Whether `exp` is required."""
    limited: bool = True
    """Whether tenant, subjects and mail domains of the issuer limit the token; a notice of an end needs no such limit."""
    about_person: bool = True
    """Whether the mail domains of the issuer limit the token."""
    issuers: frozenset[str] = frozenset()
    """The accepted `iss`; empty for the identifier of the issuer."""


def issuer_of(authority: Authority, claims: Mapping[str, Any], use: IssuerUse) -> TrustedIssuer | None:
    """Return the trusted issuer with this `iss` that may assert this; None for any other, or one that is disabled.

    Tenants of one issuer are rows of their own, which a required claim distinguishes (`are_apart`). None as well if two fit.
    """
    named = claims.get("iss")
    found = [each for each in authority.issuers if each.issuer == named and use in each.uses and not each.disabled]
    if len(found) > 1:
        found = [each for each in found if has_required_claims(each, claims)]
    return found[0] if len(found) == 1 else None


def are_apart(one: TrustedIssuer, other: TrustedIssuer) -> bool:
    """Return whether no token can be of both: they differ in `iss`, or require another value of a claim."""
    theirs = other.required_claims
    return one.issuer != other.issuer or any(
        theirs.get(name, value) != value for name, value in one.required_claims.items()
    )


async def verified(
    authority: Authority, issuer: TrustedIssuer, token: str, expected: Expected, now: Milliseconds
) -> Mapping[str, Any]:
    """Return the claims of a token that this issuer has signed; raises UntrustedToken.

    Checked in this order: form, type, `iss`, audience, times, signature, and what the operator trusts the issuer with. The
    caller checks what belongs to its use, such as nonce, replay and client.
    """
    try:
        found = read(token)
    except InvalidSignature:
        raise UntrustedToken("issuer_token.malformed") from None
    claims = found.claims
    if _type_of(found) not in expected.types:
        raise UntrustedToken("issuer_token.type")
    if not any(claims.get("iss") == each for each in expected.issuers or {issuer.issuer}):
        raise UntrustedToken("issuer_token.issuer")
    _check_audience(claims, expected)
    _check_times(claims, expected, now / 1000)
    key = key_of(await _keys(authority, issuer, found, now), found)
    if key is None or not is_signed_by(found, key):
        raise UntrustedToken("issuer_token.signature")
    if expected.limited:
        check_limits(issuer, claims, about_person=expected.about_person)
    return claims


def check_limits(issuer: TrustedIssuer, claims: Mapping[str, Any], *, about_person: bool) -> None:
    """Raise UntrustedToken for claims beyond what the operator trusts the issuer with."""
    if not has_required_claims(issuer, claims):
        raise UntrustedToken("issuer_token.required_claim")
    subject = claims.get("sub")
    if issuer.subjects and not (isinstance(subject, str) and any(matches(each, subject) for each in issuer.subjects)):
        raise UntrustedToken("issuer_token.subject")
    if about_person and issuer.mail_domains and mail_domain(claims.get("email")) not in issuer.mail_domains:
        raise UntrustedToken("issuer_token.mail_domain")
    if about_person and issuer.mail_domains and claims.get("email_verified") not in (None, True):
        raise UntrustedToken("issuer_token.mail_domain")


def has_required_claims(issuer: TrustedIssuer, claims: Mapping[str, Any]) -> bool:
    """Return whether the claims have the values that each token of the issuer must have."""
    return all(has_value(claims, name, value) for name, value in issuer.required_claims.items())


def has_value(claims: Mapping[str, Any], name: str, value: str) -> bool:
    """Return whether a claim is this text, or a list that contains it."""
    found = claims.get(name)
    return found == value or (isinstance(found, list) and value in found)


def mail_domain(address: object) -> str:
    """Return the domain of a mail address in lower case; empty for another value."""
    return address.rpartition("@")[2].lower() if isinstance(address, str) and address.count("@") == 1 else ""


def matches(pattern: str, subject: str) -> bool:
    """Return whether a subject has the form of a pattern, in which `*` is any text."""
    return _pattern(pattern)(subject) is not None


@lru_cache(maxsize=256)
def _pattern(text: str) -> Any:
    return re.compile(".*".join(map(re.escape, text.split("*"))), re.DOTALL).fullmatch


def _type_of(found: ClientJws) -> str:
    typ = found.header.get("typ", "")
    return typ.lower().removeprefix("application/") if isinstance(typ, str) else "?"


def _check_audience(claims: Mapping[str, Any], expected: Expected) -> None:
    named = claims.get("aud")
    values = [named] if isinstance(named, str) else named
    if not isinstance(values, list) or expected.audiences.isdisjoint(each for each in values if isinstance(each, str)):
        raise UntrustedToken("issuer_token.audience")
    if expected.one_audience and len(values) != 1:
        raise UntrustedToken("issuer_token.audience")


def _check_times(claims: Mapping[str, Any], expected: Expected, seconds: float) -> None:
    expires, issued, begins = (_time(claims, name) for name in ("exp", "iat", "nbf"))
    if expires is None:
        if expected.needs_expiry:
            raise UntrustedToken("issuer_token.times")
    elif not seconds < expires <= seconds + MAX_EXPIRY_SECONDS:
        raise UntrustedToken("issuer_token.times")
    if any(each is not None and each > seconds + ASSERTION_TOLERANCE_SECONDS for each in (issued, begins)):
        raise UntrustedToken("issuer_token.times")
    if expected.max_age_seconds is not None and (issued is None or seconds - issued > expected.max_age_seconds):
        raise UntrustedToken("issuer_token.times")


def _time(claims: Mapping[str, Any], name: str) -> float | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MAX_TIME_SECONDS:
        raise UntrustedToken("issuer_token.times")
    return value


async def _keys(authority: Authority, issuer: TrustedIssuer, found: ClientJws, now: Milliseconds) -> Any:
    """Return the keys of an issuer: the pinned ones, or those at its address, fetched again for an unknown `kid`."""
    if issuer.keys:
        return issuer.keys
    try:
        address = issuer.keys_uri or (await authority.issuer_metadata.of(issuer, now)).jwks_uri
    except IssuerUnavailable as error:
        raise UntrustedToken(str(error)) from None
    await authority.client_keys.prepare_at(address, found, now, PURPOSE)
    return authority.client_keys.keys_at(address)


def sealing(digest_key: bytes) -> KeyEncryptionKeys:
    """Return the key that seals them."""
    return KeyEncryptionKeys((keyed_digest(digest_key, "trusted issuers"),))


def secret_name(issuer: str) -> str:
    """Return the name under which the client secret for an issuer is sealed."""
    return f"issuer-secret:{issuer}"


def hint_name(issuer: str) -> str:
    """Return the name under which ID tokens of an issuer are sealed."""
    return f"issuer-id-token:{issuer}"


def refresh_token_name(link: str) -> str:
    """Return the name under which the refresh token of a link is sealed."""
    return f"issuer-refresh-token:{link}"
