"""The factors of people in a SQLite store."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import Factor
from credence.store.records import Account
from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.sign_ins import STANDING, standing

FACTOR = ", ".join(Factor.__struct_fields__)
READ_FACTORS = f"SELECT {FACTOR} FROM factors WHERE username = ? ORDER BY created_at, id"  # noqa: S608 - constants
READ_FACTOR = f"SELECT {FACTOR} FROM factors WHERE id = ?"  # noqa: S608 - constants

_STANDS = f"SELECT 1 WHERE {STANDING}"
_IDS = "SELECT id FROM factors WHERE username = ?"
_ADD = f"INSERT OR IGNORE INTO factors ({FACTOR}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING 1"  # noqa: S608
_USE = (
    "UPDATE factors SET counter = ?2, last_used_at = ?3 WHERE id = ?1 AND (counter < ?2 OR (counter = 0 AND ?2 = 0)) "
    "RETURNING 1"
)
_REMOVE = "DELETE FROM factors WHERE username = ? AND id = ? RETURNING 1"


def change_factors(
    connection: sqlite3.Connection,
    account: Account,
    found: Sequence[Factor],
    add: Sequence[Factor],
    remove: Sequence[bytes],
) -> None:
    """Store factors and delete others; Conflict if the account or its factors have changed, or an id exists."""
    stands = connection.execute(_STANDS, standing(account)).fetchone() is not None
    ids = {row[0] for row in connection.execute(_IDS, (account.username,))}
    if not stands or ids != {each.id for each in found}:
        raise Conflict("factor")
    remove_factors(connection, account.username, remove)
    for factor in add:
        if connection.execute(_ADD, msgspec.structs.astuple(factor)).fetchone() is None:
            raise Conflict("factor")


def use_factor(connection: sqlite3.Connection, identity: bytes, counter: int, at: Milliseconds) -> bool:
    """Advance the counter of a factor; return whether it was below this one."""
    return connection.execute(_USE, (identity, counter, at)).fetchone() is not None


def remove_factors(connection: sqlite3.Connection, username: str, ids: Sequence[bytes]) -> int:
    """Delete these factors of an account and return how many there were."""
    return sum(connection.execute(_REMOVE, (username, each)).fetchone() is not None for each in ids)


class SqliteFactors(Store):
    """The part of the SQLite store that is about factors."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    @override
    async def change_factors(
        self, account: Account, found: Sequence[Factor], add: Sequence[Factor] = (), remove: Sequence[bytes] = ()
    ) -> None:
        await self._writer.run(lambda connection: change_factors(connection, account, found, add, remove))

    @override
    async def factors_of(self, username: str) -> list[Factor]:
        return [Factor(*row) for row in self._read(READ_FACTORS, username)]

    @override
    async def factor(self, identity: bytes) -> Factor | None:
        rows = self._read(READ_FACTOR, identity)
        return Factor(*rows[0]) if rows else None

    @override
    async def use_factor(self, identity: bytes, counter: int, at: Milliseconds) -> bool:
        return await self._writer.run(lambda connection: use_factor(connection, identity, counter, at))

    @override
    async def remove_factors(self, username: str, ids: Sequence[bytes]) -> int:
        return await self._writer.run(lambda connection: remove_factors(connection, username, ids))
