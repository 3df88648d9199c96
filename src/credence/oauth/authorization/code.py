"""Authorization codes: sealed, not stored (D27, RFC 6749 §4.1.2, RFC 9700 §4.5).

A code contains what was authorized and the id of the token family that it opens. Redeeming it inserts the family; a second
redemption finds that row on every node, which is the sign that the code leaked, and ends the family.
"""

from functools import lru_cache

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest, sha256
from credence.crypto.randomness import credential_prefix
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal, unseal

LIFETIME_MS = 60_000
"""The lifetime of a code, which is redeemed at once; FAPI 2.0 §5.3.2.1 allows a minute."""

_PURPOSE = "authorization code"


class CodeClaims(msgspec.Struct, frozen=True, array_like=True):
    """The content of an authorization code: what a person authorized."""

    client_id: str
    redirect_uri: str
    issued_at: Milliseconds
    family_id: bytes
    username: str
    scope: str
    resources: tuple[str, ...]
    code_challenge: str | None
    nonce: str | None
    dpop_jkt: str | None
    session: bytes
    signed_in_at: Milliseconds
    methods: str
    consented: bool
    """Whether the person was asked. If so, the consent must still exist when the code is redeemed."""
    id_token_claims: tuple[str, ...] = ()
    """The names of the claims about the account to be added to the ID token."""
    rights: str = ""
    """The rights that were authorized, as JSON (`SignIn.rights`)."""

    @property
    def expires_at(self) -> Milliseconds:
        """When the code expires."""
        return self.issued_at + LIFETIME_MS


_decode = msgspec.msgpack.Decoder(CodeClaims).decode


@lru_cache(maxsize=4)
def code_key(refresh_key: bytes) -> KeyEncryptionKeys:
    """Return the key that seals codes, derived from the secret of refresh tokens, which no backup contains."""
    return KeyEncryptionKeys((keyed_digest(refresh_key, "code key"),))


def write_code(environment: str, key: KeyEncryptionKeys, claims: CodeClaims) -> str:
    """Return the code with these claims."""
    sealed = seal(key, _PURPOSE, msgspec.msgpack.encode(claims))
    return credential_prefix(environment, "cod") + base64url.encode(sealed)


def read_code(environment: str, key: KeyEncryptionKeys, text: str) -> CodeClaims | None:
    """Return the claims of a code of this service, expired or not; None for any other text."""
    prefix = credential_prefix(environment, "cod")
    if not text.startswith(prefix):
        return None
    try:
        return _decode(unseal(key, _PURPOSE, base64url.decode(text[len(prefix) :])))
    except (ValueError, Unsealable, msgspec.DecodeError):
        return None


def verifies_code_challenge(challenge: str, verifier: str) -> bool:
    """Return whether this is the verifier of an S256 code challenge (RFC 7636 §4.6)."""
    if not 43 <= len(verifier) <= 128 or not verifier.isascii():
        return False
    return constant_time_equal(base64url.encode(sha256(verifier.encode())).encode(), challenge.encode())
