"""The numbered files in `schema/` that bring a store up to date, and which of its numbers this program can serve.

A file is applied once, whole or not at all, and never edited after a release. How it is applied is each database's own
(`sqlite/migrations.py`, `postgres/migrations.py`).
"""

from importlib import resources

from credence.store.contract import StoreUnavailable


class SchemaTooNew(Exception):
    """The store was written by a newer Credence; this one must not touch it."""


def scripts(dialect: str) -> dict[str, str]:
    """Return the files of this dialect by their names, in order."""
    folder = resources.files("credence.store") / "schema"
    files = sorted(file.name for file in folder.iterdir() if file.name.startswith(f"{dialect}-"))
    return {name: (folder / name).read_text(encoding="utf-8") for name in files}


def require_newest(dialect: str, number: int) -> None:
    """Raise unless a store of this schema number can be read as it is: StoreUnavailable or SchemaTooNew."""
    newest = len(scripts(dialect))
    if number > newest:
        raise SchemaTooNew(f"The store has schema {number}, this Credence knows {newest}.")
    if number < newest:
        raise StoreUnavailable("bring it up to date first: credence migrate" if number else "there is no store")
