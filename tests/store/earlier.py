"""The schema code of the version before, as it was: its statements, and its documents, kept word for word (threats F5).

`SCHEMA` says which one it is. When a file is added to the schema, the statements of the version that then is the one before
come here, and a test that compares the numbers fails until they do.
"""

import sqlite3
from pathlib import Path
from typing import Protocol

import psycopg

from credence.crypto import base64url
from credence.store.records import TokenFamily

SCHEMA = {"sqlite": 22, "postgres": 25}

APPLICATION = (
    b'{"client_id":"crd_sbx_app_a","name":"Ledger","secrets":[{"digest":"AP8=","created_at":1700000000000,'
    b'"expires_at":null}],"created_at":1700000000000,"version":1,"grants":["password","refresh_token"],'
    b'"algorithm":null,"access_token_lifetime":null,"refresh_token_lifetime":null,"spike_per_minute":null,'
    b'"rules":{"networks":[],"windows":[],"time_zone":"UTC"},"disabled":false,"not_before":0}'
)
"""An application as schema 1 of SQLite kept it."""

ACCOUNT = (
    b'{"username":"ada","type":"user","password_hash":"$argon2id$","created_at":1700000000000,"version":1,'
    b'"password_version":1,"status":"active","email":null,"first_name":null,"last_name":null,'
    b'"rules":{"networks":[],"windows":[],"time_zone":"UTC"},"not_before":0}'
)


class Earlier(Protocol):
    """A process of the version before: what it does for a login, a refresh, a revocation, and how it follows the log."""

    def open_family(self, family: TokenFamily) -> bool: ...

    def rotate(self, family_id: bytes, generation: int, at: int) -> int | None: ...

    def end_family(self, family_id: bytes, at: int) -> bool: ...

    def changes(self, after: int) -> list[tuple[str, str]]: ...

    def close(self) -> None: ...


class EarlierSqlite:
    """Schema 22 of SQLite."""

    _FAMILY = (
        "id, client_id, username, scope, created_at, expires_at, issued_at, expires_in, kid, generation, ended_at, "
        "ended_because, audience, narrowed, confirmation, status_block"
    )

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")

    def open_family(self, family: TokenFamily) -> bool:
        values = tuple(getattr(family, name) for name in self._FAMILY.split(", "))
        statement = (
            f"INSERT INTO families ({self._FAMILY}) SELECT {', '.join('?' * 16)} WHERE EXISTS (SELECT 1 FROM accounts "  # noqa: S608
            "WHERE username = ? AND CAST(document AS TEXT) ->> 'password_version' = ? "
            "AND CAST(document AS TEXT) ->> 'status' = ? AND CAST(document AS TEXT) ->> 'not_before' = ?) RETURNING 1"
        )
        return self._connection.execute(statement, (*values, "ada", 1, "active", 0)).fetchone() is not None

    def rotate(self, family_id: bytes, generation: int, at: int) -> int | None:
        row = self._connection.execute(
            "UPDATE families SET generation = generation + 1, issued_at = max(issued_at, ?), expires_in = ?, kid = ?, "
            "narrowed = NULL, confirmation = 'jkt:k1' WHERE id = ? AND generation = ? AND ended_at IS NULL "
            "AND created_at >= ? AND expires_at > ? AND (confirmation = '' OR ? <> '') RETURNING generation",
            (at, 3_600, "k1", family_id, generation, 0, at, "jkt:k1"),
        ).fetchone()
        return row[0] if row else None

    def end_family(self, family_id: bytes, at: int) -> bool:
        self._connection.execute("BEGIN IMMEDIATE")
        row = self._connection.execute(
            "UPDATE families SET ended_at = ?, ended_because = ? WHERE id = ? AND ended_at IS NULL RETURNING expires_at",
            (at, "revoked", family_id),
        ).fetchone()
        if row is not None:
            self._connection.execute(
                "INSERT INTO changes (kind, subject, until) VALUES (?, ?, ?)",
                ("family", base64url.encode(family_id), row[0] + 86_400_000),
            )
        self._connection.execute("COMMIT")
        return row is not None

    def changes(self, after: int) -> list[tuple[str, str]]:
        statement = "SELECT sequence, kind, subject, until FROM changes WHERE sequence > ? ORDER BY 1"
        return [(kind, subject) for _, kind, subject, _ in self._connection.execute(statement, (after,))]

    def close(self) -> None:
        self._connection.close()


class EarlierPostgres:
    """Schema 25 of PostgreSQL, whose families are those of schema 1."""

    _FAMILY = (
        "id, client_id, username, scope, created_at, expires_at, issued_at, expires_in, kid, generation, ended_at, "
        "ended_because, audience, narrowed, confirmation, status_block"
    )

    def __init__(self, address: str) -> None:
        self._connection = psycopg.connect(address, autocommit=True, prepare_threshold=None)

    def open_family(self, family: TokenFamily) -> bool:
        values = tuple(getattr(family, name) for name in self._FAMILY.split(", "))
        statement = f"""
            WITH standing AS (
                SELECT 1 FROM accounts WHERE username = %s
                AND convert_from(document, 'UTF8')::json ->> 'password_version' = %s
                AND convert_from(document, 'UTF8')::json ->> 'status' = %s
                AND convert_from(document, 'UTF8')::json ->> 'not_before' = %s
                FOR SHARE
            )
            INSERT INTO families ({self._FAMILY}) SELECT {", ".join(["%s"] * 16)} FROM standing RETURNING 1
        """  # noqa: S608
        return self._one(statement, ("ada", "1", "active", "0", *values)) is not None

    def rotate(self, family_id: bytes, generation: int, at: int) -> int | None:
        types = ("bigint", "bytea", "bigint", "bigint", "bigint", "bigint", "text", "text", "text")
        arguments = ", ".join(f"%s::{name}[]" for name in types)
        values = ([0], [family_id], [generation], [0], [at], [3_600], ["k1"], [None], ["jkt:k1"])
        row = self._one(f"SELECT place, (family).generation FROM rotate_families_bound({arguments})", values)  # noqa: S608
        return int(str(row[1])) if row else None

    def end_family(self, family_id: bytes, at: int) -> bool:
        statement = """
            WITH ended AS (
                UPDATE families SET ended_at = %s, ended_because = %s WHERE id = %s AND ended_at IS NULL
                RETURNING expires_at
            )
            SELECT log_change('family', %s, expires_at + %s) FROM ended
        """
        return self._one(statement, (at, "revoked", family_id, base64url.encode(family_id), 86_400_000)) is not None

    def changes(self, after: int) -> list[tuple[str, str]]:
        statement = "SELECT sequence, kind, subject, until FROM changes WHERE sequence > %s ORDER BY sequence"
        return [(kind, subject) for _, kind, subject, _ in self._connection.execute(statement, (after,))]

    def close(self) -> None:
        self._connection.close()

    def _one(self, statement: str, values: tuple[object, ...]) -> tuple[object, ...] | None:
        return self._connection.execute(statement.encode(), values).fetchone()
