"""Refresh tokens: family, generation, account, and an authentication tag (D6, threats §6).

Nothing of the token is stored: for a retry its successor is computed again. The tag covers the client_id, so that another
application cannot use the token. The token names the account, so that a rotation needs no read before its conditional write.
Each process counts for itself how often it has refused the tokens of a family.
"""

from dataclasses import dataclass

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.randomness import credential_prefix, random_bytes
from credence.generational_cache import GenerationalCache
from credence.oauth.tokens.access_token import family_sid
from credence.telemetry.log import warning

EXPIRY_BYTES = 6
FAMILY_BYTES = EXPIRY_BYTES + 16
_GENERATION_BYTES = 4
_TAG_BYTES = 16
_TAGGED_FAMILY_BYTES = _TAG_BYTES + FAMILY_BYTES
_HEAD_BYTES = _TAGGED_FAMILY_BYTES + _GENERATION_BYTES


class RefreshTokenClaims(msgspec.Struct, frozen=True):
    """The content of a refresh token."""

    family_id: bytes
    generation: int
    username: str
    tag: bytes = b""
    """The authentication tag of the token from which the claims were read; empty for a token to be written."""

    __repr__ = object.__repr__  # with the tag, the claims are the token


def new_family_id(expires_at: Milliseconds) -> bytes:
    """Return a new family id: its expiry, then 128 random bits."""
    return expires_at.to_bytes(EXPIRY_BYTES, "big") + random_bytes(FAMILY_BYTES - EXPIRY_BYTES)


def expiry_of(family_id: bytes) -> Milliseconds:
    """Return the expiry with which a family id begins."""
    return int.from_bytes(family_id[:EXPIRY_BYTES], "big")


@dataclass(frozen=True, slots=True, repr=False)
class RefreshTokens:
    """Writes and reads the refresh tokens of one deployment."""

    prefix: str
    """The prefix of every refresh token of the environment."""
    key: bytes
    """The key of the authentication tag."""

    def write(self, client_id: str, claims: RefreshTokenClaims) -> str:
        """Return the refresh token of this application with these claims."""
        content = _content(claims)
        return self.prefix + base64url.encode(self._tag(client_id, content) + content)

    def read(self, client_id: str, text: str) -> RefreshTokenClaims | None:
        """Return the claims of a refresh token; None unless this service issued it to this application."""
        claims = self.unverified(text)
        return claims if claims is not None and self.is_genuine(client_id, claims) else None

    def is_genuine(self, client_id: str, claims: RefreshTokenClaims) -> bool:
        """Return whether the token with these unverified claims was issued by this service to this application.

        The tag decides: a text that `unverified` accepts is the only encoding of its claims and its tag.
        """
        return constant_time_equal(self._tag(client_id, _content(claims)), claims.tag)

    def unverified(self, text: str) -> RefreshTokenClaims | None:
        """Return the unverified claims of a text in the form of a refresh token; None for any other text."""
        if not text.startswith(self.prefix):
            return None
        try:
            data = base64url.decode(text[len(self.prefix) :])
            username = data[_HEAD_BYTES:].decode()
        except ValueError:
            return None
        if len(data) < _HEAD_BYTES:
            return None
        family_id, counter = data[_TAG_BYTES:_TAGGED_FAMILY_BYTES], data[_TAGGED_FAMILY_BYTES:_HEAD_BYTES]
        return RefreshTokenClaims(family_id, int.from_bytes(counter, "big"), username, data[:_TAG_BYTES])

    def _tag(self, client_id: str, content: bytes) -> bytes:
        return keyed_digest(self.key, "refresh token", client_id.encode(), content)[:_TAG_BYTES]


def _content(claims: RefreshTokenClaims) -> bytes:
    return claims.family_id + claims.generation.to_bytes(_GENERATION_BYTES, "big") + claims.username.encode()


def refresh_tokens(environment: str, key: bytes) -> RefreshTokens:
    """Return the reader and writer of refresh tokens in an environment, such as `sbx`, with the key of its store."""
    return RefreshTokens(credential_prefix(environment, "ref"), key)


TOLERATED = 4
"""How often a refused refresh token may be sent before its client is named: libraries try a few times."""

_MAX_FAMILIES = 10_000


class RefusedRefreshTokens:
    """How often this process has refused the refresh tokens of each family."""

    def __init__(self) -> None:
        self._refused: GenerationalCache[bytes, int] = GenerationalCache(_MAX_FAMILIES)

    def is_repeated(self, client_id: str, family_id: bytes) -> bool:
        """Count one refusal; return whether it is one too many. The first that is writes the client to the log."""
        times = (self._refused.get(family_id) or 0) + 1
        self._refused.put(family_id, times)
        if times == TOLERATED + 1:
            warning("refused_refresh_token_repeated", client_id=client_id, sid=family_sid(family_id))
        return times > TOLERATED
