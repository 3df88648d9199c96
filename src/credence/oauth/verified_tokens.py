"""Remembers which access tokens were found genuine, so that a signature is checked once and not per request.

The key is the SHA-256 of the whole text: another spelling of the same token is another text, and is looked at itself.
"""

from collections.abc import Mapping

import msgspec

from credence.crypto.digest import sha256
from credence.crypto.jwk import SigningKey
from credence.crypto.jws import InvalidSignature, verify
from credence.oauth.access_token import TYPE, Claims

_decode = msgspec.json.Decoder(Claims).decode


class VerifiedTokens:
    """Holds at most twice `most` tokens and drops the half that was longest not asked for (threats A12)."""

    def __init__(self, most: int = 5_000) -> None:
        self._most = most
        self._recent: dict[bytes, Claims] = {}
        self._older: dict[bytes, Claims] = {}

    def claims(self, keys: Mapping[str, SigningKey], token: str) -> Claims:
        """Return what the token says; InvalidSignature when none of these keys signed it."""
        digest = sha256(token.encode())
        claims = self._recent.get(digest)
        if claims is None:
            claims = self._older.get(digest) or genuine_claims(keys, token)
            if len(self._recent) >= self._most:
                self._recent, self._older = {}, self._recent
            self._recent[digest] = claims
        return claims

    def forget(self) -> None:
        """Forget everything, because the keys have changed."""
        self._recent, self._older = {}, {}


def genuine_claims(keys: Mapping[str, SigningKey], token: str) -> Claims:
    """Return the claims of a token that one of these keys signed, whatever its times; InvalidSignature otherwise."""
    try:
        return _decode(verify(keys, TYPE, token))
    except msgspec.DecodeError as error:
        raise InvalidSignature("token.claims") from error
