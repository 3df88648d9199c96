"""Notices that an older copy of a SQLite file was put back, which would revive what was revoked since (threats F6, I2).

Each commit adds one to a number in the database, and then writes that number into a small file next to it. A database whose
number is below the file's is an older copy. The file has a record for each database that was ever opened here, because a
restore from a backup makes a new one; only the last may be opened again. The file is not synced: after a power failure it
may be behind, which accepts the database as it is.
"""

import os
import sqlite3
import struct
from pathlib import Path

from credence.crypto.randomness import random_bytes
from credence.errors import OperatorError
from credence.files import OWNER_ONLY

_RECORD = struct.Struct("<QQ")
"""The identity of a database, and the number of its last commit."""

SUFFIX = "-mark"
"""The file is named after the database with this suffix."""

COUNT_COMMIT = "UPDATE scratch SET count = count + 1 RETURNING count"
"""Part of every transaction; gives the number of the commit."""


class OlderCopy(OperatorError):
    """The database file is an older copy of the one that was used here."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is an older copy of the store that was used here: tokens that were revoked since would be valid again. "
            "Put the newest file back; or make a backup of this one (credence backup create) and restore that into an empty "
            "place (credence backup restore)."
        )


class HighWaterMark:
    """The high-water mark of an open database."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Compare the database with the mark; raises OlderCopy and OSError. `connection` is in autocommit mode."""
        self._file = os.open(path.with_name(f"{path.name}{SUFFIX}"), os.O_RDWR | os.O_CREAT, OWNER_ONLY)
        try:
            self._place = self._compare(path, connection)
        except BaseException:
            os.close(self._file)
            raise

    def raise_to(self, commit: int) -> None:
        """Record a commit that is on disk. Never raises: a mark that stays behind accepts the database."""
        try:
            os.pwrite(self._file, _RECORD.pack(self._identity, commit), self._place)
        except OSError:
            return

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _compare(self, path: Path, connection: sqlite3.Connection) -> int:
        """Compare the database with its record in the file.

        Returns the offset of the record; raises OlderCopy for an older database.
        """
        records = self._records()
        identity, count = _identity(connection), _count(connection)
        if identity == 0 and not records:  # a database of an earlier version, opened for the first time
            identity = give_identity(connection)
        known = [each for each, _ in records]
        if identity == 0 or (identity in known and (identity != known[-1] or count < records[-1][1])):
            raise OlderCopy(path)
        self._identity = identity
        place = _RECORD.size * (len(known) - (identity in known))
        os.pwrite(self._file, _RECORD.pack(identity, count), place)
        return place

    def _records(self) -> list[tuple[int, int]]:
        data = os.pread(self._file, os.fstat(self._file).st_size, 0)
        whole = len(data) - len(data) % _RECORD.size
        return [(identity, commit) for identity, commit in _RECORD.iter_unpack(data[:whole])]


def give_identity(connection: sqlite3.Connection) -> int:
    """Give a new database a random identity, in its header, and return it."""
    identity = 1 + int.from_bytes(random_bytes(4), "big") % (2**31 - 1)
    connection.execute(f"PRAGMA application_id = {identity}")
    return identity


def _identity(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count FROM scratch").fetchone()[0])
