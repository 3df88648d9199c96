"""Brings the schema of a SQLite store up to date from the numbered files in `schema/` (threats F5).

The table `schema_number` has the number of the last applied file and the oldest schema whose programs still work with it:
these may open the file again after an upgrade, so an upgrade can be taken back. Version 0.2 does not know the table and
opens only a file whose `user_version` is its own number, so `user_version` keeps that number while version 0.2 is
supported.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from credence.store.contract import StoreUnavailable
from credence.store.migrations import require_served, scripts, serves
from credence.store.sqlite.high_water_mark import give_identity
from credence.store.transfer.out_of_service import MARKER_TABLE, OutOfService, require_in_service

_STRICT = 3
"""The schema of version 0.2."""

_NUMBERS = "SELECT number, oldest FROM schema_number"
_TABLE = """
CREATE TABLE IF NOT EXISTS schema_number (
    id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, oldest INTEGER NOT NULL
);
"""


def migrate_sqlite(connection: sqlite3.Connection, files: Mapping[str, str] | None = None) -> int:
    """Apply the missing files and return the schema number. `connection` must be in autocommit mode.

    `files` are by name in order; default: those of this program. Raises StoreOutOfService if the store was moved,
    SchemaTooNew if its schema no longer serves this program.
    """
    require_in_service(out_of_service(connection))
    files, is_new = files or scripts("sqlite"), _numbers(connection)[0] == 0
    for number, script in enumerate(files.values(), start=1):
        if _numbers(connection)[0] < number:
            connection.executescript(_application(number, script))
    if is_new:
        give_identity(connection)
    number, oldest = _numbers(connection)
    require_served(number, oldest, len(files))
    return number


def _application(number: int, script: str) -> str:
    """Return the script that applies a file and sets the schema numbers, in one transaction."""
    oldest = serves(script)
    checked_by_0_2 = _STRICT if oldest <= _STRICT <= number else number
    return (
        f"BEGIN IMMEDIATE;\n{script}\n{_TABLE}"  # noqa: S608 - files of this program, and integers
        f"INSERT OR REPLACE INTO schema_number VALUES (1, {number}, {oldest});\n"
        f"PRAGMA user_version = {checked_by_0_2};\nCOMMIT;"
    )


def schema_number(path: Path) -> int:
    """Return the schema number of a file without changing it, 0 if it does not exist; StoreUnavailable if it is damaged."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return _numbers(connection)[0]
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{path}: {error}") from error


def out_of_service(connection: sqlite3.Connection) -> OutOfService | None:
    """Return why the store in this file is out of service, or None."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (MARKER_TABLE,)).fetchone() is None:
        return None
    row = connection.execute(f"SELECT * FROM {MARKER_TABLE}").fetchone()  # noqa: S608 - a constant
    return OutOfService(*row) if row else None


def _numbers(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the schema number and the oldest schema whose programs it serves."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_number'").fetchone() is None:
        return version, version
    number, oldest = connection.execute(_NUMBERS).fetchone()
    return (number, oldest) if number >= version else (version, version)
