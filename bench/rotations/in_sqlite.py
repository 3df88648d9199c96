"""A SQLite store filled with families: rows in the order of their ids, the index by account made afterwards.

The file has the schema and the settings of a deployment. Its pages are full, as in a deployment those of the table are,
whose rows come nearly in order; those of the index are fuller than insertions at random leave them.
"""

import mmap
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec

from bench.rotations.families import Families
from credence.store.records import TokenFamily
from credence.store.sqlite.store import SqliteStore

_TABLE_SHARE = 0.7
"""The part of a filled file that is certainly the table: it comes first, in the order of the ids, then the index."""

_READERS = 16
"""Threads that read a file at the same time."""

_PIECE = 1 << 22
"""Octets that a thread reads before it takes the next."""

_COLUMNS = ", ".join(TokenFamily.__struct_fields__)
_MARKS = ", ".join("?" * len(TokenFamily.__struct_fields__))


async def fill(file: Path, families: Families) -> None:
    """Make a store with these families; return when it is on disk."""
    await SqliteStore(file).close()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")  # written into the file, until the store is opened
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        connection.execute("PRAGMA threads = 2")
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE tbl_name = 'families' AND type = 'index'")
        indexes = [(name, sql) for name, sql in found if sql]
        connection.execute("BEGIN")
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        connection.executemany(
            f"INSERT INTO families ({_COLUMNS}) VALUES ({_MARKS})",  # noqa: S608 - the names of a struct
            map(msgspec.structs.astuple, families.all()),
        )
        connection.execute("COMMIT")
        for _, sql in indexes:
            connection.execute(sql)
        connection.execute("PRAGMA journal_mode = WAL")
    synced = os.open(file, os.O_RDONLY)
    os.fsync(synced)
    os.close(synced)


def oldest(file: Path) -> bytes:
    """Return the first id of a family."""
    with closing(sqlite3.connect(file)) as connection:
        return bytes(connection.execute("SELECT id FROM families ORDER BY id LIMIT 1").fetchone()[0])


def hold(file: Path, families: Families) -> mmap.mmap:
    """Read the live families and the index into memory and keep them there as long as what is returned exists.

    Another process may tell the system to forget pages of a file, as other benchmarks do, but not those that are mapped.
    They are read one by one: what is read ahead may be kept in large pieces, and each write then counts as a whole piece.
    """
    share = families.expired / (families.expired + families.live) * _TABLE_SHARE
    first = int(file.stat().st_size * share) // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
    with file.open("rb", buffering=0) as opened, ThreadPoolExecutor(_READERS) as readers:
        place = opened.fileno()
        os.posix_fadvise(place, 0, 0, os.POSIX_FADV_DONTNEED)
        os.posix_fadvise(place, 0, 0, os.POSIX_FADV_RANDOM)
        list(readers.map(partial(_read, place), range(first, file.stat().st_size, _PIECE)))
        flags = mmap.MAP_SHARED | mmap.MAP_POPULATE
        return mmap.mmap(place, 0, flags=flags, prot=mmap.PROT_READ, offset=first)


def _read(place: int, begin: int) -> None:
    for at in range(begin, begin + _PIECE, mmap.PAGESIZE):
        os.pread(place, 1, at)
