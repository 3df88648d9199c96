"""ID tokens: statements to an application about the user who logged in (OpenID Connect Core §2, §3.1.3.3, §12.2).

No API accepts an ID token: its type and audience differ from those of an access token (threats T8).
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
"""The default algorithm (OpenID Connect Registration §2). Access tokens have another setting."""

CLAIMS = ("iss", "sub", "aud", "iat", "exp", "auth_time", "at_hash")
"""The claims of every ID token, without those about the account (`standard_claims`)."""

_HASHES: Mapping[str, Callable[[bytes], bytes]] = {
    "RS256": sha256,
    "ES256": sha256,
    "PS256": sha256,
    "EdDSA": sha512,  # the hash inside Ed25519 (RFC 8032 §5.1), as the working group decided (OpenID Connect issue 1125)
}
"""The hash of `at_hash` by algorithm. None is agreed for ML-DSA, and the claim is optional (§3.1.3.6)."""


def sign_id_token(claims: Claims, access_token: str, account: Account, scopes: Collection[str], key: SigningKey) -> str:
    """Return the ID token that is issued with an access token, whose claims are `claims`: same subject, times and lifetime.

    `auth_time` is the time of the login, also after a refresh (§12.2). `scopes` select the claims about the account.
    """
    members = {
        "iss": claims.iss,
        "sub": claims.sub,
        "aud": claims.client_id,
        "iat": claims.iat,
        "exp": claims.exp,
        "auth_time": claims.auth_time,
        "at_hash": at_hash(key.algorithm, access_token),
    }
    present = {name: value for name, value in members.items() if value is not None}
    return sign(key, TYPE, msgspec.json.encode(present | about(account, scopes)))


def at_hash(algorithm: str, access_token: str) -> str | None:
    """Return the left half of the access token's hash (§3.1.3.6); None for an algorithm without an agreed hash."""
    hashed = _HASHES.get(algorithm)
    if hashed is None:
        return None
    digest = hashed(access_token.encode())
    return base64url.encode(digest[: len(digest) // 2])
