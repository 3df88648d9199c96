"""What the processes of a deployment share in a store by name, and the answers to requests with an idempotency key."""

from credence.clock import Milliseconds
from credence.store.errors import Conflict
from credence.store.statements import Act, Statements, do

_READ = "SELECT version, document FROM shared_values WHERE name = :name"
_FIRST = (
    "INSERT INTO shared_values (name, version, document) VALUES (:name, :version, :document) "
    "ON CONFLICT DO NOTHING RETURNING 1"
)
_NEXT = (
    "UPDATE shared_values SET version = :version, document = :document "
    "WHERE name = :name AND version = :version - 1 RETURNING 1"
)
_KEEP = (
    "INSERT INTO kept_answers (key, until, document) VALUES (:key, :until, :document) "
    "ON CONFLICT (key) DO UPDATE SET until = excluded.until, document = excluded.document"
)
_RESERVE = f"{_KEEP} WHERE kept_answers.until <= :now RETURNING 1"
_ANSWER = "SELECT document FROM kept_answers WHERE key = :key"


class SharedValues(Statements):
    """The part of a store that has shared values and kept answers."""

    async def shared_value(self, name: str) -> tuple[int, bytes] | None:
        """Return the version and the document of a shared value; None if it does not exist."""
        rows = await self._rows(_READ, name=name)
        return (rows[0][0], rows[0][1]) if rows else None

    async def save_shared_value(self, name: str, version: int, document: bytes) -> None:
        """Optimistic write: store if the stored version is `version - 1` (or absent and the version is 1); else Conflict."""
        if not await self._write(_FIRST if version == 1 else _NEXT, name=name, version=version, document=document):
            raise Conflict(name)

    async def reserve_answer(self, key: bytes, document: bytes, now: Milliseconds, until: Milliseconds) -> bytes | None:
        """Store the document under an unused or expired key and return None; otherwise return what is stored."""
        while not await self._write(_RESERVE, key=key, document=document, now=now, until=until):
            rows = await self._rows(_ANSWER, key=key)
            if rows:
                return bytes(rows[0][0])
            # It has expired, and another process has deleted it, between the two statements.
        return None

    async def kept_answer(self, key: bytes, now: Milliseconds) -> bytes | None:
        """Return what is stored under a key that has not expired."""
        rows = await self._rows(f"{_ANSWER} AND until > :now", key=key, now=now)
        return bytes(rows[0][0]) if rows else None

    async def keep_answer(self, key: bytes, document: bytes, until: Milliseconds) -> None:
        """Store the document in place of what is under the key."""
        await self._write(f"{_KEEP} RETURNING 1", key=key, document=document, until=until)


def saving_value(name: str, version: int, document: bytes) -> Act[None]:
    """Store a shared value as `save_shared_value` does, as a part of a transaction."""
    if not (yield do(_FIRST if version == 1 else _NEXT, name=name, version=version, document=document)):
        raise Conflict(name)
