"""Signing keys and sealed secrets in a SQLite store (D13)."""

import sqlite3
from collections.abc import Callable
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import CHANGE_NOTICE_MS, Conflict, Store
from credence.store.records import ChangeKind
from credence.store.signing_keys import SigningKeyRow, private_key_name
from credence.store.sqlite.group_commit import GroupCommit

_COLUMNS = ", ".join(SigningKeyRow.__struct_fields__)


def _propose(connection: sqlite3.Connection, name: str, sealed: bytes) -> None:
    """Store a sealed secret unless there is one of this name."""
    connection.execute(
        "INSERT INTO sealed_secrets (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, sealed)
    )


def _reseal(connection: sqlite3.Connection, secrets: dict[str, tuple[bytes, bytes]]) -> None:
    """Replace secrets, given as old and new value; Conflict if a stored value differs from its old value."""
    for name, (old, new) in secrets.items():
        found = connection.execute(
            "UPDATE sealed_secrets SET sealed = ? WHERE name = ? AND sealed = ? RETURNING name", (new, name, old)
        ).fetchone()
        if found is None:
            raise Conflict("sealed secrets")


def _delete_secret(connection: sqlite3.Connection, name: str) -> None:
    """Delete a sealed secret."""
    connection.execute("DELETE FROM sealed_secrets WHERE name = ?", (name,))


def _add(connection: sqlite3.Connection, key: SigningKeyRow, sealed: bytes, after: str | None) -> bool:
    """Store a key if the newest of its algorithm is still `after`; return whether it was stored."""
    newest = connection.execute(
        "SELECT kid FROM signing_keys WHERE algorithm = ? ORDER BY signs_from DESC, kid DESC LIMIT 1",
        (key.algorithm,),
    ).fetchone()
    if (newest[0] if newest else None) != after:
        return False
    row = msgspec.structs.astuple(key)
    connection.execute(f"INSERT INTO signing_keys ({_COLUMNS}) VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
    connection.execute("INSERT INTO sealed_secrets (name, sealed) VALUES (?, ?)", (private_key_name(key.kid), sealed))
    return True


def _advance(connection: sqlite3.Connection, kid: str, signs_from: Milliseconds) -> bool:
    """Let a key sign from an earlier instant; return whether this changed the key."""
    statement = (
        "UPDATE signing_keys SET signs_from = ?1 WHERE kid = ?2 AND revoked_at IS NULL AND signs_from > ?1 "
        "RETURNING kid"
    )
    return connection.execute(statement, (signs_from, kid)).fetchone() is not None


def _revoke(connection: sqlite3.Connection, kid: str, at: Milliseconds) -> bool:
    """Revoke a key and delete its private half; return whether it was not revoked before."""
    statement = "UPDATE signing_keys SET revoked_at = ? WHERE kid = ? AND revoked_at IS NULL RETURNING kid"
    if connection.execute(statement, (at, kid)).fetchone() is None:
        return False
    _delete_secret(connection, private_key_name(kid))
    return True


def _delete(connection: sqlite3.Connection, kid: str) -> bool:
    """Delete a key; return whether there was one."""
    if connection.execute("DELETE FROM signing_keys WHERE kid = ? RETURNING kid", (kid,)).fetchone() is None:
        return False
    _delete_secret(connection, private_key_name(kid))
    return True


class SqliteSigningKeys(Store):
    """The part of the SQLite store that holds signing keys and sealed secrets."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def _log(self, connection: sqlite3.Connection, kind: ChangeKind, subject: str, until: Milliseconds) -> None:
        raise NotImplementedError

    @override
    async def sealed_secret(self, name: str, proposal: bytes) -> bytes:
        found = self._read("SELECT sealed FROM sealed_secrets WHERE name = ?", name)
        if found:
            return bytes(found[0][0])
        await self._writer.run(lambda connection: _propose(connection, name, proposal))
        return bytes(self._read("SELECT sealed FROM sealed_secrets WHERE name = ?", name)[0][0])

    @override
    async def sealed_secrets(self) -> dict[str, bytes]:
        return {name: bytes(sealed) for name, sealed in self._read("SELECT name, sealed FROM sealed_secrets")}

    @override
    async def reseal(self, secrets: dict[str, tuple[bytes, bytes]], at: Milliseconds) -> None:

        def replace(connection: sqlite3.Connection) -> None:
            _reseal(connection, secrets)
            self._log(connection, "key", "", at + CHANGE_NOTICE_MS)

        await self._writer.run(replace)

    @override
    async def delete_sealed_secret(self, name: str) -> None:
        await self._writer.run(lambda connection: _delete_secret(connection, name))

    @override
    async def signing_keys(self) -> list[SigningKeyRow]:
        rows = self._read(f"SELECT {_COLUMNS} FROM signing_keys ORDER BY signs_from, kid")  # noqa: S608
        return [SigningKeyRow(*row) for row in rows]

    @override
    async def add_signing_key(self, key: SigningKeyRow, sealed: bytes, after: str | None, at: Milliseconds) -> None:
        await self._change_key(key.kid, at, lambda connection: _add(connection, key, sealed, after))

    @override
    async def advance_signing_key(self, kid: str, signs_from: Milliseconds, at: Milliseconds) -> bool:
        return await self._change_key(kid, at, lambda connection: _advance(connection, kid, signs_from))

    @override
    async def revoke_signing_key(self, kid: str, at: Milliseconds) -> bool:
        return await self._change_key(kid, at, lambda connection: _revoke(connection, kid, at))

    @override
    async def delete_signing_key(self, kid: str, at: Milliseconds) -> None:
        await self._change_key(kid, at, lambda connection: _delete(connection, kid))

    async def _change_key(self, kid: str, at: Milliseconds, change: Callable[[sqlite3.Connection], bool]) -> bool:
        def change_and_log(connection: sqlite3.Connection) -> bool:
            changed = change(connection)
            if changed:
                self._log(connection, "key", kid, at + CHANGE_NOTICE_MS)
            return changed

        return await self._writer.run(change_and_log)
