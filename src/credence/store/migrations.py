"""The numbered files in `schema/` that bring a store's schema up to date, and which schema numbers this program supports.

A file is applied once, completely or not at all, and never edited after a release, except for its comments. Each database
has its own way of applying it (`sqlite/migrations.py`, `postgres/migrations.py`).
"""

import re
from importlib import resources

from credence.errors import OperatorError
from credence.store.contract import StoreUnavailable

_serves = re.compile(r"-- Serves programs of schema ([0-9]+) and later\.\n").match
_locks = re.compile(r"^-- locks: (.+)$", re.MULTILINE).findall


class StoreMissing(StoreUnavailable):
    """The database contains no store."""


class SchemaTooNew(OperatorError):
    """A newer Credence wrote the store. This program must not change it."""


def scripts(dialect: str) -> dict[str, str]:
    """Return the text of each schema file of a dialect, `sqlite` or `postgres`, by file name, in order."""
    folder = resources.files("credence.store") / "schema"
    files = sorted(file.name for file in folder.iterdir() if file.name.startswith(f"{dialect}-"))
    return {name: (folder / name).read_text(encoding="utf-8") for name in files}


def serves(script: str) -> int:
    """Return the oldest schema number whose programs work with the schema after this file, from its first line.

    ValueError for a file without this line.
    """
    found = _serves(script)
    if found is None:
        raise ValueError("a file of the schema must say which programs it serves")
    return int(found[1])


def require_served(number: int, oldest: int, newest: int) -> None:
    """Raise SchemaTooNew if a store of schema `number`, which serves programs of `oldest`, does not serve this one."""
    if number > newest and oldest > newest:
        raise SchemaTooNew(f"The store has schema {number}, which serves programs of {oldest}; this one is {newest}.")


def locks(script: str) -> str:
    """Return what a file locks until it is applied, from its one comment `-- locks:`; `none` if no writer waits.

    ValueError for a file without this comment.
    """
    (found,) = _locks(script)
    return str(found)


def require_newest(dialect: str, number: int) -> None:
    """Raise StoreUnavailable or SchemaTooNew unless a store with this schema number can be read without a migration."""
    newest = len(scripts(dialect))
    if number > newest:
        raise SchemaTooNew(f"The store has schema {number}, this Credence knows {newest}.")
    if number < newest:
        raise (
            StoreUnavailable("bring it up to date first: credence migrate")
            if number
            else StoreMissing("there is no store")
        )
