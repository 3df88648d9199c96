"""ID tokens: signed statements to an application about the user who signed in (OpenID Connect Core §2, §3.1.3.3, §12.2).

No API accepts an ID token: its type and audience differ from those of an access token (threats T8).
"""

from collections.abc import Callable, Mapping

import msgspec

from credence.crypto import base64url
from credence.crypto.digest import sha256, sha512
from credence.crypto.jws import InvalidSignature, SigningKey, VerifyingKey, sign, verify
from credence.oauth.tokens.access_token import Claims

TYPE = "JWT"

ALGORITHM = "RS256"
"""The default algorithm of ID tokens (OpenID Connect Registration §2). Access tokens have a default of their own."""

CLAIMS = ("iss", "sub", "aud", "iat", "exp", "auth_time", "at_hash", "acr", "amr", "sid", "nonce")
"""The claims of ID tokens, without those about the account (`standard_claims`); the last four only after a sign-in in a
browser."""

_HASHES: Mapping[str, Callable[[bytes], bytes]] = {
    "RS256": sha256,
    "ES256": sha256,
    "PS256": sha256,
    "EdDSA": sha512,  # the hash inside Ed25519 (RFC 8032 §5.1), as the working group decided (OpenID Connect issue 1125)
}
"""Algorithm -> hash function of `at_hash`. None is defined for ML-DSA, and the claim is optional (§3.1.3.6)."""


def sign_id_token(claims: Claims, access_token: str, more: Mapping[str, object], key: SigningKey) -> str:
    """Return the ID token that is issued with an access token, whose claims are `claims`: same subject, times and lifetime.

    `auth_time` is the time of the login, also after a refresh (§12.2). `more` are the claims about the account or the
    sign-in. Those without a value are left out.
    """
    members = {
        "iss": claims.iss,
        "sub": claims.sub,
        "aud": claims.client_id,
        "iat": claims.iat,
        "exp": claims.exp,
        "auth_time": claims.auth_time,
        "at_hash": at_hash(key.algorithm, access_token),
        **more,
    }
    if None in members.values():
        members = {name: value for name, value in members.items() if value is not None}
    return sign(key, TYPE, msgspec.json.encode(members))


class Hint(msgspec.Struct, frozen=True):
    """The claims of an `id_token_hint` that an authorization or logout request uses."""

    sub: str
    aud: str
    exp: int
    """Required, so that signed user information, which has no expiry, is not accepted as a hint."""
    sid: str | None = None


def subject_of_hint(keys: Mapping[str, VerifyingKey], text: str, issuer: str) -> Hint:
    """Return the claims of an ID token of this service, expired or not; InvalidSignature for any other text (§3.1.2.1)."""
    payload = verify(keys, TYPE, text)
    try:
        claims = msgspec.json.decode(payload, type=dict[str, object])
        if claims.get("iss") != issuer:
            raise InvalidSignature("token.wrong_issuer")
        if "client_id" in claims:  # an access token of the type JWT (D36)
            raise InvalidSignature("token.claims")
        return msgspec.convert(claims, Hint)
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise InvalidSignature("token.claims") from None


def at_hash(algorithm: str, access_token: str) -> str | None:
    """Return `at_hash`, the left half of the access token's hash (§3.1.3.6); None if the algorithm has no defined hash."""
    hashed = _HASHES.get(algorithm)
    if hashed is None:
        return None
    digest = hashed(access_token.encode())
    return base64url.encode(digest[: len(digest) // 2])
