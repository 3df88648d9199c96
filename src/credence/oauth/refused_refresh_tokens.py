"""Notices a client that goes on sending a refresh token that was refused, as an agent without an error path does.

Nothing is stored: each process counts for itself, and only refresh tokens that this service issued to the client.
"""

from credence.generational_cache import GenerationalCache
from credence.oauth.tokens.access_token import family_sid
from credence.telemetry.log import warning

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
