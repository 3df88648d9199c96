"""The staging file: the data set that a load writes. Each source has one load at a time; a failed one leaves no file.

Readers do not see the file before the catalogue names it, so it is written without a journal and without syncs.
"""

import fcntl
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from credence.datasets.sources.source import FilesRejected, LoadRefused, LoadRunning
from credence.files import atomic_replacement

_FAST_WRITES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = FILE;
PRAGMA cache_size = -32768; PRAGMA temp.cache_size = -32768;
"""
"""PRAGMAs for fast writes; each cache is 32 MiB."""


@contextmanager
def source_lock(target: Path) -> Iterator[None]:
    """Lock a source against other processes; `target` is the source's path without suffix. The lock ends with the process.

    Raises LoadRunning if another process has the lock.
    """
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LoadRunning(f"{target.name} is being loaded by another process.") from error
        yield


@contextmanager
def staging_file(folder: Path, source: str) -> Iterator[Path]:
    """Yield the path of a source's staging file, under the source's lock; a file that is not activated is removed.

    Raises LoadRunning if another process loads the source, LoadError if the file cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    staged = folder / f"{source}.sqlite.draft"
    with source_lock(folder / source):
        staged.unlink(missing_ok=True)
        try:
            yield staged
        except OSError as error:
            raise _cannot_be_written(folder, error.strerror or error) from error
        finally:
            staged.unlink(missing_ok=True)


@contextmanager
def open_staging(staged: Path, script: str) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a staging file after a script of SQL. Raises LoadError if the file cannot be written."""
    try:
        with closing(sqlite3.connect(staged.absolute().as_uri(), uri=True)) as new:
            new.executescript(_FAST_WRITES + script)
            yield new
            new.commit()
    except sqlite3.Error as error:
        raise _cannot_be_written(staged.parent, error) from error


def rejects_file(folder: Path, source: str) -> Path:
    """Return the path of the CSV file with the rows that the last load of a source rejected."""
    return folder / f"{source}.rejects.csv"


@contextmanager
def staged_rejects(folder: Path, source: str) -> Iterator[Path]:
    """Yield the path of a new rejects file. It replaces the old one, except after a LoadError that is not FilesRejected.

    With FilesRejected the file explains the error.
    """
    rejection: FilesRejected | None = None
    with atomic_replacement(rejects_file(folder, source)) as rejects:
        try:
            yield rejects
        except FilesRejected as error:
            rejection = error
    if rejection is not None:
        raise FilesRejected(f"{rejection} See {rejects_file(folder, source)}.") from rejection


def reasons(rejected: Mapping[str, int]) -> str:
    """Return reasons and counts in one line, the most frequent first."""
    ordered = sorted(rejected.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {rows:,}" for reason, rows in ordered) or "they have no rows"


def _cannot_be_written(folder: Path, error: object) -> LoadRefused:
    return LoadRefused(f"The data set cannot be written to {folder}: {error}.")
