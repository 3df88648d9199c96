"""ID tokens: who has logged in, said to the application and to nobody else (OpenID Connect Core §2, §3.1.3.3, §12.2).

No API takes one: its type and its audience are others than an access token's (threats T8).
"""

from collections.abc import Callable, Collection, Mapping

import msgspec

from credence.crypto import base64url
from credence.crypto.digest import sha256, sha512
from credence.crypto.jwk import SigningKey
from credence.crypto.jws import sign
from credence.oauth.tokens.access_token import Claims
from credence.oauth.tokens.standard_claims import about
from credence.store.records import Account

TYPE = "JWT"

ALGORITHM = "RS256"
"""Signs for applications that registered no other, whatever signs their access tokens (OpenID Connect Registration §2)."""

CLAIMS = ("iss", "sub", "aud", "iat", "exp", "auth_time", "at_hash")
"""What every ID token says, beside what it tells about the account."""

_HASHES: Mapping[str, Callable[[bytes], bytes]] = {
    "RS256": sha256,
    "ES256": sha256,
    "PS256": sha256,
    "EdDSA": sha512,  # the hash inside Ed25519 (RFC 8032 §5.1); so the working group, issue 1125 of OpenID Connect
}
"""By algorithm, the hash of `at_hash`. Of ML-DSA nothing has been agreed, and the claim may be left out (§3.1.3.6)."""


def sign_id_token(claims: Claims, access_token: str, account: Account, scopes: Collection[str], key: SigningKey) -> str:
    """Return the ID token that goes with an access token which says `claims`: the same person, instants and lifetime.

    A refresh says anew when the login was, not when it was refreshed (§12.2).
    """
    said = {
        "iss": claims.iss,
        "sub": claims.sub,
        "aud": claims.client_id,
        "iat": claims.iat,
        "exp": claims.exp,
        "auth_time": claims.auth_time,
        "at_hash": at_hash(key.algorithm, access_token),
    }
    present = {name: value for name, value in said.items() if value is not None}
    return sign(key, TYPE, msgspec.json.encode(present | about(account, scopes)))


def at_hash(algorithm: str, access_token: str) -> str | None:
    """Return the left half of the token's hash (§3.1.3.6), None for an algorithm without an agreed one."""
    hashed = _HASHES.get(algorithm)
    if hashed is None:
        return None
    digest = hashed(access_token.encode())
    return base64url.encode(digest[: len(digest) // 2])
