"""Signing keys and sealed secrets in SQLite: each change inside the transaction of whoever calls (D13)."""

import sqlite3

import msgspec

from credence.clock import Milliseconds
from credence.store.contract import Conflict
from credence.store.records import SigningKeyRow, private_key_name

COLUMNS = ", ".join(SigningKeyRow.__struct_fields__)


def propose(connection: sqlite3.Connection, name: str, sealed: bytes) -> None:
    """Keep a sealed secret unless there is one of this name."""
    connection.execute(
        "INSERT INTO sealed_secrets (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, sealed)
    )


def reseal(connection: sqlite3.Connection, secrets: dict[str, tuple[bytes, bytes]]) -> None:
    """Replace each named secret, given as old and new; Conflict when one is not the old."""
    for name, (old, new) in secrets.items():
        found = connection.execute(
            "UPDATE sealed_secrets SET sealed = ? WHERE name = ? AND sealed = ? RETURNING name", (new, name, old)
        ).fetchone()
        if found is None:
            raise Conflict("sealed secrets")


def forget(connection: sqlite3.Connection, name: str) -> None:
    """Destroy a sealed secret."""
    connection.execute("DELETE FROM sealed_secrets WHERE name = ?", (name,))


def add(connection: sqlite3.Connection, key: SigningKeyRow, sealed: bytes, after: str | None) -> bool:
    """Keep a key if the newest of its algorithm still is `after`; tell whether it was."""
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
    """Let a key sign sooner; tell whether that changed anything."""
    statement = (
        "UPDATE signing_keys SET signs_from = ?1 WHERE kid = ?2 AND revoked_at IS NULL AND signs_from > ?1 "
        "RETURNING kid"
    )
    return connection.execute(statement, (signs_from, kid)).fetchone() is not None


def revoke(connection: sqlite3.Connection, kid: str, at: Milliseconds) -> bool:
    """Revoke a key and destroy its private half; tell whether it was not revoked before."""
    statement = "UPDATE signing_keys SET revoked_at = ? WHERE kid = ? AND revoked_at IS NULL RETURNING kid"
    if connection.execute(statement, (at, kid)).fetchone() is None:
        return False
    forget(connection, private_key_name(kid))
    return True


def drop(connection: sqlite3.Connection, kid: str) -> bool:
    """Forget a key; tell whether there was one."""
    if connection.execute("DELETE FROM signing_keys WHERE kid = ? RETURNING kid", (kid,)).fetchone() is None:
        return False
    forget(connection, private_key_name(kid))
    return True
