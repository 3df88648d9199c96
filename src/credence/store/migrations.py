"""Brings a store's schema up to date from the numbered files in `schema/`.

A file is applied once, whole or not at all, and never edited after a release. SQLite keeps the number of the last one
in `user_version`.
"""

import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

from credence.store.contract import StoreUnavailable
from credence.store.moving.put_aside import read_sqlite, require_in_service


class SchemaTooNew(Exception):
    """The store was written by a newer Credence; this one must not touch it."""


def migrate_sqlite(connection: sqlite3.Connection) -> int:
    """Apply what is missing and return the schema number; `connection` must be in autocommit mode.

    StorePutAside when it was copied elsewhere, SchemaTooNew when a newer Credence wrote it.
    """
    require_in_service(read_sqlite(connection))
    files = scripts("sqlite")
    for number, script in enumerate(files.values(), start=1):
        if _schema_number(connection) >= number:
            continue
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
    newest = len(files)
    if _schema_number(connection) > newest:
        raise SchemaTooNew(f"The store has schema {_schema_number(connection)}, this Credence knows {newest}.")
    return newest


def sqlite_schema_number(path: Path) -> int:
    """Return the schema number of a file without changing it, 0 when there is none; StoreUnavailable when it is damaged."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return _schema_number(connection)
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{path}: {error}") from error


def require_newest(dialect: str, number: int) -> None:
    """Raise unless a store of this schema number can be read as it is: StoreUnavailable or SchemaTooNew."""
    newest = len(scripts(dialect))
    if number > newest:
        raise SchemaTooNew(f"The store has schema {number}, this Credence knows {newest}.")
    if number < newest:
        raise StoreUnavailable("bring it up to date first: credence migrate" if number else "there is no store")


def _schema_number(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def scripts(dialect: str) -> dict[str, str]:
    """Return the files of this dialect by their names, in order."""
    folder = resources.files("credence.store") / "schema"
    files = sorted(file.name for file in folder.iterdir() if file.name.startswith(f"{dialect}-"))
    return {name: (folder / name).read_text(encoding="utf-8") for name in files}
