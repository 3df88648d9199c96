"""The factors of people in a PostgreSQL store."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import Factor
from credence.store.postgres.connections import Connections
from credence.store.postgres.sign_ins import STANDING, standing
from credence.store.records import Account

FACTOR = ", ".join(Factor.__struct_fields__)
_OF = f"SELECT {FACTOR} FROM factors WHERE username = %s ORDER BY created_at, id"  # noqa: S608 - constants, here and below
_ONE = f"SELECT {FACTOR} FROM factors WHERE id = %s"  # noqa: S608
_ADD = f"INSERT INTO factors ({FACTOR}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING 1"  # noqa: S608
_USE = (
    "UPDATE factors SET counter = %(counter)s, last_used_at = %(at)s WHERE id = %(id)s "
    "AND (counter < %(counter)s OR (counter = 0 AND %(counter)s = 0)) RETURNING 1"
)
_IDS = "SELECT id FROM factors WHERE username = %s FOR UPDATE"

# One change at a time: the next one waits for the lock of the account, and finds what this one has changed.
_STANDS = STANDING.replace("FOR SHARE", "FOR NO KEY UPDATE")
_REMOVE = "DELETE FROM factors WHERE username = %s AND id = ANY(%s::bytea[]) RETURNING 1"


class PostgresFactors(Store):
    """The part of the PostgreSQL store that is about factors."""

    _connections: Connections

    @override
    async def change_factors(
        self, account: Account, found: Sequence[Factor], add: Sequence[Factor] = (), remove: Sequence[bytes] = ()
    ) -> None:
        async with self._connections.transaction() as connection:
            stands = await (await connection.execute(_STANDS.encode(), standing(account))).fetchall()
            ids = await (await connection.execute(_IDS.encode(), (account.username,))).fetchall()
            if not stands or {row[0] for row in ids} != {each.id for each in found}:
                raise Conflict("factor")
            await connection.execute(_REMOVE.encode(), (account.username, list(remove)))
            for factor in add:
                added = await connection.execute(_ADD.encode(), msgspec.structs.astuple(factor))
                if not await added.fetchall():
                    raise Conflict("factor")

    @override
    async def factors_of(self, username: str) -> list[Factor]:
        return [Factor(*row) for row in await self._connections.rows(_OF, (username,))]

    @override
    async def factor(self, identity: bytes) -> Factor | None:
        row = await self._connections.one(_ONE, (identity,))
        return Factor(*row) if row else None

    @override
    async def use_factor(self, identity: bytes, counter: int, at: Milliseconds) -> bool:
        values = {"id": identity, "counter": counter, "at": at}
        return await self._connections.one(_USE, values) is not None

    @override
    async def remove_factors(self, username: str, ids: Sequence[bytes]) -> int:
        return len(await self._connections.rows(_REMOVE, (username, list(ids))))
