"""Caches the claims of verified access tokens, so that a signature is verified once and not for each request.

The key is the SHA-256 of the whole text: another encoding of the same token is verified separately. Of many more tokens
than have their claims here, the digest alone is kept: their claims are read again, and their signature is not verified.
"""

from collections.abc import Mapping

import msgspec

from credence.crypto.digest import sha256
from credence.crypto.jws import InvalidSignature, UnexpectedHeader, VerifyingKey, verify
from credence.generational_cache import GenerationalCache
from credence.oauth.tokens.access_token import Claims, UntypedClaims

_decode = msgspec.json.Decoder(Claims).decode
_decode_untyped = msgspec.json.Decoder(UntypedClaims).decode

MAX_ENTRIES = 4_000
"""Tokens in each of the two generations of the cache; about a kilobyte each."""

_DIGESTS = 1 << 18
"""Places for digests. Each digest has one, which it takes from the one before: 250,000 tokens find theirs in two of three
requests, 100,000 in five of six.
"""

_DIGEST_OCTETS = 16

NO_KEYS: Mapping[str, VerifyingKey] = {}


class KeyRevoked(InvalidSignature):
    """The token was signed by a key that has been revoked since, or before (`credence keys revoke`)."""


class VerifiedTokens:
    """The recently verified access tokens of one process."""

    def __init__(self) -> None:
        self.forget()

    def claims(
        self, keys: Mapping[str, VerifyingKey], token: str, revoked: Mapping[str, VerifyingKey] = NO_KEYS
    ) -> Claims:
        """Return the claims of the token; InvalidSignature if none of these keys signed it, KeyRevoked as below."""
        digest = sha256(token.encode())
        claims = self._claims.get(digest)
        if claims is None:
            begin = int.from_bytes(digest[-4:], "big") % _DIGESTS * _DIGEST_OCTETS
            place, kept = slice(begin, begin + _DIGEST_OCTETS), digest[:_DIGEST_OCTETS]
            if self._digests[place] == kept:
                claims = _claims(keys, token, again=True)
            else:
                claims = genuine_claims(keys, token, revoked)
                self._digests[place] = kept
            self._claims.put(digest, claims)
        return claims

    def forget(self) -> None:
        """Empty the cache, because the keys have changed."""
        self._claims: GenerationalCache[bytes, Claims] = GenerationalCache(MAX_ENTRIES)
        # The system gives memory to the pages that are written.
        self._digests = bytearray(_DIGESTS * _DIGEST_OCTETS)


def genuine_claims(
    keys: Mapping[str, VerifyingKey], token: str, revoked: Mapping[str, VerifyingKey] = NO_KEYS
) -> Claims:
    """Return the claims of a token that one of these keys signed, also of an expired one; InvalidSignature otherwise.

    Raises KeyRevoked if one of the revoked keys signed it: it is genuine, or a thief of that key made it.
    """
    try:
        return _claims(keys, token)
    except InvalidSignature:
        if revoked and _is_signed(revoked, token):
            raise KeyRevoked("token.key_revoked") from None
        raise


def _is_signed(keys: Mapping[str, VerifyingKey], token: str) -> bool:
    try:
        _claims(keys, token)
    except InvalidSignature:
        return False
    return True


def _claims(keys: Mapping[str, VerifyingKey], token: str, *, again: bool = False) -> Claims:
    """Return the claims of a token that one of these keys signed; InvalidSignature otherwise. `again`: see `verify`.

    The claims distinguish a token of the type `JWT` from an ID token: neither has all that the other requires (threats
    T8).
    """
    try:
        try:
            return _decode(verify(keys, Claims.typ, token, again=again))
        except UnexpectedHeader:
            return _decode_untyped(verify(keys, UntypedClaims.typ, token, again=again))
    except msgspec.DecodeError as error:
        raise InvalidSignature("token.claims") from error
