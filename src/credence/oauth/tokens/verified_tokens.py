"""Remembers which access tokens were found genuine, so that a signature is checked once and not per request.

The key is the SHA-256 of the whole text: another spelling of the same token is another text, and is looked at itself.
"""

from collections.abc import Mapping

import msgspec

from credence.crypto.digest import sha256
from credence.crypto.jwk import VerifyingKey
from credence.crypto.jws import InvalidSignature, verify
from credence.generational_cache import GenerationalCache
from credence.oauth.tokens.access_token import TYPE, Claims

_decode = msgspec.json.Decoder(Claims).decode


MOST_HELD = 5_000
"""Tokens held in memory at least; some kilobyte each."""


class VerifiedTokens:
    """The tokens found genuine of late."""

    def __init__(self) -> None:
        self._claims: GenerationalCache[bytes, Claims] = GenerationalCache(MOST_HELD)

    def claims(self, keys: Mapping[str, VerifyingKey], token: str) -> Claims:
        """Return what the token says; InvalidSignature when none of these keys signed it."""
        digest = sha256(token.encode())
        claims = self._claims.get(digest)
        if claims is None:
            claims = genuine_claims(keys, token)
            self._claims.put(digest, claims)
        return claims

    def forget(self) -> None:
        """Forget everything, because the keys have changed."""
        self._claims.clear()


def genuine_claims(keys: Mapping[str, VerifyingKey], token: str) -> Claims:
    """Return the claims of a token that one of these keys signed, whatever its times; InvalidSignature otherwise."""
    try:
        return _decode(verify(keys, TYPE, token))
    except msgspec.DecodeError as error:
        raise InvalidSignature("token.claims") from error
