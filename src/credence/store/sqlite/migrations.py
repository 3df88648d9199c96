"""Brings the schema of a SQLite store up to date from the numbered files in `schema/` (threats F5).

`user_version` of the database is the number of the last applied file.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from credence.store.contract import StoreUnavailable
from credence.store.migrations import SchemaTooNew, scripts
from credence.store.sqlite.high_water_mark import give_identity
from credence.store.transfer.out_of_service import MARKER_TABLE, OutOfService, require_in_service


def migrate_sqlite(connection: sqlite3.Connection) -> int:
    """Apply the missing files and return the schema number. `connection` must be in autocommit mode.

    Raises StoreOutOfService if the store was moved, SchemaTooNew if a newer Credence wrote it.
    """
    require_in_service(out_of_service(connection))
    files, is_new = scripts("sqlite"), _number(connection) == 0
    for number, script in enumerate(files.values(), start=1):
        if _number(connection) >= number:
            continue
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
    if is_new:
        give_identity(connection)
    newest = len(files)
    if _number(connection) > newest:
        raise SchemaTooNew(f"The store has schema {_number(connection)}, this Credence knows {newest}.")
    return newest


def schema_number(path: Path) -> int:
    """Return the schema number of a file without changing it, 0 if it does not exist; StoreUnavailable if it is damaged."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return _number(connection)
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{path}: {error}") from error


def out_of_service(connection: sqlite3.Connection) -> OutOfService | None:
    """Return why the store in this file is out of service, or None."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (MARKER_TABLE,)).fetchone() is None:
        return None
    row = connection.execute(f"SELECT * FROM {MARKER_TABLE}").fetchone()  # noqa: S608 - a constant
    return OutOfService(*row) if row else None


def _number(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
