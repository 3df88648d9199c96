"""Client authentication by a signed JWT (RFC 7523 §3, OpenID Connect Core §9 `private_key_jwt`).

The keys are registered, or published at a registered address. None is taken from the JWT (threats T5).
"""

import math
from functools import lru_cache

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import ASSERTION_TOLERANCE_SECONDS
from credence.crypto.client_jws import ClientJws, is_signed_by, read
from credence.crypto.client_key import ACCEPTED, public_key
from credence.crypto.digest import keyed_digest
from credence.crypto.jwk import generate, verifying_key
from credence.crypto.jws import InvalidSignature, VerifyingKey
from credence.identity.client_keys import key_of
from credence.oauth import fapi
from credence.oauth.authority import Authority
from credence.oauth.client_authentication import workload
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.tokens import id_token
from credence.paths import PUSHED_REQUESTS, TOKEN
from credence.store.records import Application, ClientKey

METHOD = "private_key_jwt"
ALGORITHMS = ACCEPTED
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

MAX_LIFETIME_SECONDS = 300
"""Maximum seconds from `iat` to the end of an assertion: its `jti` is kept in the replay cache for this time."""

MAX_EXPIRY_SECONDS = 86_400
"""Seconds from now to `exp`, at most. Libraries set up to an hour (RFC 7523 §3 item 4)."""

MAX_ID_CHARACTERS = 255

_TYPES = frozenset({"jwt", "client-authentication+jwt"})
"""Accepted `typ`: a DPoP proof or an access token is not an assertion (RFC 8725 §3.11, threats T8)."""


class _Claims(msgspec.Struct, frozen=True):
    iss: str
    sub: str
    aud: str | list[str]
    exp: int | float
    jti: str
    iat: int | float | None = None
    nbf: int | float = 0

    @property
    def end(self) -> int | float:
        """When the assertion expires, in seconds since the epoch: `exp`, or earlier `MAX_LIFETIME_SECONDS` after `iat`."""
        return self.exp if self.iat is None else min(self.exp, self.iat + MAX_LIFETIME_SECONDS)


def subject(assertion: str) -> str | None:
    """Return the unverified subject of an assertion, which replaces an absent `client_id` (RFC 7521 §4.2)."""
    try:
        named = read(assertion).claims.get("sub")
    except InvalidSignature:
        return None
    return named if isinstance(named, str) else None


async def authentication_error(
    authority: Authority, application: Application | None, attributes: Attributes, now: Milliseconds
) -> str | None:
    """Return the reason code if the assertion does not authenticate the application; None if it does: it is then used up.

    Raises StoreUnavailable if its use could not be recorded. An unknown application, or one without such a key, costs the
    same signature check (threats A3).
    """
    if attributes.client_assertion_type != ASSERTION_TYPE:
        return "assertion.type"
    try:
        assertion = read(attributes.client_assertion or "")
        if application is not None and _is_of_platform(application, assertion):
            text = attributes.client_assertion or ""
            return await workload.authentication_error(authority, application, assertion, text, now)
        claims = msgspec.convert(assertion.claims, _Claims)
    except (InvalidSignature, msgspec.ValidationError):
        return "assertion.malformed"
    keys = await _keys(authority, application, assertion, now)
    key = key_of(keys, assertion)
    decoy = key or _decoy(authority, assertion.algorithm)
    signed = decoy is not None and is_signed_by(assertion, decoy)
    if application is None:
        return "client.mismatch"
    if application.disabled:
        return "client.disabled"
    if application.authentication != METHOD:
        return "client.other_method"
    if not keys:
        return "assertion.no_keys"
    if key is None or (fapi.is_fapi2(application) and assertion.algorithm not in fapi.ALGORITHMS):
        return "assertion.key"
    if not signed:
        return "assertion.signature"
    return _claims_error(authority, application, assertion, claims, now) or await _consume(
        authority, application, claims, now
    )


def _is_of_platform(application: Application, assertion: ClientJws) -> bool:
    """Return whether another issuer than the application is to vouch for it (`workload.py`)."""
    usable = application.workloads and application.authentication == METHOD and not application.disabled
    return bool(usable) and assertion.claims.get("iss") != application.client_id


async def _keys(
    authority: Authority, application: Application | None, assertion: ClientJws, now: Milliseconds
) -> tuple[ClientKey, ...]:
    if application is None or application.disabled or application.authentication != METHOD:
        return () if application is None else application.keys
    await authority.client_keys.prepare(application, assertion, now)
    return authority.client_keys.keys_of(application)


def _decoy(authority: Authority, algorithm: str) -> VerifyingKey | None:
    """Return a key of this algorithm that belongs to no client; None for an algorithm that no client can have.

    For RSA it is a key of the service, because generating one takes too long.
    """
    if algorithm not in ACCEPTED:
        return None
    if algorithm in _RSA:
        own = authority.ring.verifying[authority.ring.signing[id_token.ALGORITHM].kid].jwk
        return _rsa_decoy(own["n"], own["e"], algorithm)
    return _generated_decoy(algorithm)


@lru_cache(maxsize=8)
def _rsa_decoy(n: str, e: str, algorithm: str) -> VerifyingKey:
    return public_key({"kty": "RSA", "n": n, "e": e}, algorithm)


@lru_cache(maxsize=8)
def _generated_decoy(algorithm: str) -> VerifyingKey:
    return verifying_key(generate(algorithm).public)


_RSA = ("RS256", "PS256")


def _claims_error(
    authority: Authority, application: Application, assertion: ClientJws, claims: _Claims, now: Milliseconds
) -> str | None:
    if str(assertion.header.get("typ", "jwt")).lower() not in _TYPES:
        return "assertion.type"
    if not claims.iss == claims.sub == application.client_id:
        return "assertion.issuer"
    issuer = authority.settings.issuer
    if not fapi.is_audience(application, claims.aud, issuer, (issuer + TOKEN, issuer + PUSHED_REQUESTS)):
        return "assertion.audience"
    if not _is_current(claims, now / 1000):
        return "assertion.times"
    if not 0 < len(claims.jti) <= MAX_ID_CHARACTERS:
        return "assertion.id"
    return None


def _is_current(claims: _Claims, seconds: float) -> bool:
    began = max(claims.iat or 0, claims.nbf) <= seconds + ASSERTION_TOLERANCE_SECONDS
    return (
        began
        and seconds < claims.end <= seconds + MAX_LIFETIME_SECONDS + ASSERTION_TOLERANCE_SECONDS
        and claims.exp <= seconds + MAX_EXPIRY_SECONDS
    )


async def _consume(authority: Authority, application: Application, claims: _Claims, now: Milliseconds) -> str | None:
    """Record the use of the assertion's `jti`; one request passes, over all nodes (RFC 7523 §3 item 7)."""
    mark = keyed_digest(
        authority.secrets.digest, "client assertion", application.client_id.encode(), claims.jti.encode()
    )
    until = max(now + 1, math.ceil(claims.end * 1000))
    return None if await authority.store.consume_once(mark, until) else "assertion.replayed"
