"""The replay cache of the token endpoint in a store (RFC 9449 §11.1)."""

from credence.clock import Milliseconds
from credence.store.statements import Statements

_CONSUME = (
    "INSERT INTO spent (mark, until) SELECT :key::bytea, :until::bigint "
    "WHERE NOT EXISTS (SELECT 1 FROM spent WHERE mark = :empty AND until >= :until) ON CONFLICT DO NOTHING RETURNING 1"
)


class ReplayCache(Statements):
    """The part of a store that is the replay cache."""

    async def consume_once(self, key: bytes, expires_at: Milliseconds) -> bool:
        """Add a key of at most 32 octets to the replay cache. Returns True for exactly one of any number of calls.

        The cache keeps the key until `expires_at`; after that, the caller must refuse it for another reason, such as its
        age. The empty key rejects all keys up to its own `expires_at`: after a restore it is unknown which keys were used
        (threats F6).
        """
        return bool(await self._write(_CONSUME, key=key, until=expires_at, empty=b""))
