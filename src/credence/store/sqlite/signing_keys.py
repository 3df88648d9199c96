"""Signing keys and sealed secrets in SQLite (D13). Each function runs in the transaction of its caller."""

import sqlite3

import msgspec

from credence.clock import Milliseconds
from credence.store.contract import Conflict
from credence.store.records import SigningKeyRow, private_key_name

COLUMNS = ", ".join(SigningKeyRow.__struct_fields__)


def propose(connection: sqlite3.Connection, name: str, sealed: bytes) -> None:
    """Store a sealed secret unless there is one of this name."""
    connection.execute(
        "INSERT INTO sealed_secrets (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, sealed)
    )


def reseal(connection: sqlite3.Connection, secrets: dict[str, tuple[bytes, bytes]]) -> None:
    """Replace secrets, given as old and new value; Conflict if a stored value differs from its old value."""
    for name, (old, new) in secrets.items():
        found = connection.execute(
            "UPDATE sealed_secrets SET sealed = ? WHERE name = ? AND sealed = ? RETURNING name", (new, name, old)
        ).fetchone()
        if found is None:
            raise Conflict("sealed secrets")


def delete_secret(connection: sqlite3.Connection, name: str) -> None:
    """Delete a sealed secret."""
    connection.execute("DELETE FROM sealed_secrets WHERE name = ?", (name,))


def add(connection: sqlite3.Connection, key: SigningKeyRow, sealed: bytes, after: str | None) -> bool:
    """Store a key if the newest of its algorithm is still `after`; return whether it was stored."""
    newest = connection.execute(
        "SELECT kid FROM signing_keys WHERE algorithm = ? ORDER BY signs_from DESC, kid DESC LIMIT 1",
        (key.algorithm,),
    ).fetchone()
    if (newest[0] if newest else None) != after:
        return False
    row = msgspec.structs.astuple(key)
    connection.execute(f"INSERT INTO signing_keys ({COLUMNS}) VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
    connection.execute("INSERT INTO sealed_secrets (name, sealed) VALUES (?, ?)", (private_key_name(key.kid), sealed))
    return True


def advance(connection: sqlite3.Connection, kid: str, signs_from: Milliseconds) -> bool:
    """Let a key sign earlier; return whether this changed it."""
    statement = (
        "UPDATE signing_keys SET signs_from = ?1 WHERE kid = ?2 AND revoked_at IS NULL AND signs_from > ?1 "
        "RETURNING kid"
    )
    return connection.execute(statement, (signs_from, kid)).fetchone() is not None


def revoke(connection: sqlite3.Connection, kid: str, at: Milliseconds) -> bool:
    """Revoke a key and delete its private half; return whether it was not revoked before."""
    statement = "UPDATE signing_keys SET revoked_at = ? WHERE kid = ? AND revoked_at IS NULL RETURNING kid"
    if connection.execute(statement, (at, kid)).fetchone() is None:
        return False
    delete_secret(connection, private_key_name(kid))
    return True


def delete(connection: sqlite3.Connection, kid: str) -> bool:
    """Delete a key; return whether there was one."""
    if connection.execute("DELETE FROM signing_keys WHERE kid = ? RETURNING kid", (kid,)).fetchone() is None:
        return False
    delete_secret(connection, private_key_name(kid))
    return True
