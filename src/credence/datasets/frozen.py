"""Opens a data set: a SQLite file that a load wrote once and nobody ever writes to again."""

import sqlite3
from pathlib import Path


def address(path: Path) -> str:
    """Return the URI by which SQLite reads the file without locks and without looking for changes."""
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


def open_frozen(path: Path) -> sqlite3.Connection:
    """Open the file for reading, for one thread at a time. FileNotFoundError when it is not there, or no longer."""
    path.stat()
    try:
        return sqlite3.connect(address(path), uri=True, check_same_thread=False)
    except sqlite3.OperationalError:
        path.stat()  # a newer load may have taken it away since
        raise
