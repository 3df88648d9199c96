"""The file format of a backup, independent of the database: compressed lines of JSON.

A head line; then for each table its columns, its rows, and their number with a digest of all lines so far. The digests
are keyed, and the head contains the key, sealed. Without the key-encryption key it is impossible to change a line
unnoticed or to make an archive, and a wrong key-encryption key is detected before any row is read.
"""

import errno
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from gzip import BadGzipFile, GzipFile
from pathlib import Path

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.sealing import KeyEncryptionKeys, new_key, seal, unseal
from credence.errors import UnusableContent
from credence.files import OWNER_ONLY, atomic_replacement
from credence.store.transfer.tables import Row, StoreTable

FORMAT = 1

MAX_LINE_BYTES = 16_777_216
"""A file with a longer line is not an archive."""

_KEY = "archive-key"
_encode = msgspec.json.Encoder().encode


class ArchiveDamaged(UnusableContent):
    """The file is not an archive, is incomplete, or was changed."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an archive."""

    credence: str = "backup"
    format: int = FORMAT
    environment: str
    taken_at: Milliseconds
    log: int
    """The last sequence of the change log; `blocks` is the number of the last status block."""
    blocks: int
    parts: tuple[str, ...]
    """The names of the tables."""
    key: bytes = b""


class _Begin(msgspec.Struct, frozen=True):
    part: str
    columns: tuple[str, ...]


class _End(msgspec.Struct, frozen=True):
    rows: int
    digest: bytes


def write(file: Path, keks: KeyEncryptionKeys, head: Head, tables: Iterable[tuple[StoreTable, Iterable[Row]]]) -> None:
    """Write an archive, readable by its owner only and durable on return. After OSError no file remains.

    FileExistsError if the file exists: an older backup is never overwritten.
    """
    if file.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file))
    key = new_key()
    with (
        atomic_replacement(file) as draft,
        os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as raw,
        GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as stream,
    ):
        lines = _Writer(stream, key)
        lines.put(msgspec.structs.replace(head, key=seal(keks, _KEY, key)))
        for table, rows in tables:
            lines.put(_Begin(table.name, table.columns))
            count = 0
            for count, row in enumerate(rows, start=1):  # noqa: B007 - used after the loop
                lines.put(row)
            lines.put(_End(count, lines.digest))


@contextmanager
def opened(file: Path, keks: KeyEncryptionKeys) -> Iterator["Archive"]:
    """Open an archive; ArchiveDamaged for another file, Unsealable for another key-encryption key."""
    with GzipFile(file, "rb") as stream:
        yield Archive(stream, keks)


class Archive:
    """An archive, read once from beginning to end."""

    def __init__(self, stream: GzipFile, keks: KeyEncryptionKeys) -> None:
        self._stream = stream
        self._state = b""
        self._key = b""
        line = self._line()
        try:
            self.head = msgspec.json.decode(line, type=Head)
        except msgspec.DecodeError as error:
            raise ArchiveDamaged("This is not an archive.") from error
        if self.head.credence != "backup" or self.head.format != FORMAT:
            raise ArchiveDamaged(f"This program reads archives of format {FORMAT}, not {self.head.format}.")
        self._key = unseal(keks, _KEY, self.head.key)
        self._take(line)

    def tables(self, known: Iterable[StoreTable]) -> Iterator[tuple[StoreTable, Iterator[Row]]]:
        """Yield each table with its rows. Read all rows of a table before the next table.

        Raises ArchiveDamaged at the first deviation. The archive is verified only when the last table has been read.
        """
        known = tuple(known)[: len(self.head.parts)]  # archives of earlier versions have fewer tables
        if not known or self.head.parts != tuple(table.name for table in known):
            raise ArchiveDamaged("This program cannot read the parts of this archive.")
        for table in known:
            begin = self._decoded(_Begin)
            if (begin.part, begin.columns) != (table.name, table.columns):
                raise ArchiveDamaged(f"This program cannot read the part {begin.part} of the archive.")
            yield table, self._rows(table)
        if self._read():
            raise ArchiveDamaged("The archive continues after its end.")

    def _rows(self, table: StoreTable) -> Iterator[Row]:
        decode, count = msgspec.json.Decoder(table.row).decode, 0
        while (line := self._line()).startswith(b"["):
            self._take(line)
            count += 1
            try:
                yield decode(line)
            except msgspec.DecodeError as error:
                raise ArchiveDamaged(f"Row {count} of {table.name} is damaged.") from error
        try:
            end = msgspec.json.decode(line, type=_End)
        except msgspec.DecodeError as error:
            raise ArchiveDamaged(f"The end of {table.name} is damaged.") from error
        if end.rows != count or not constant_time_equal(end.digest, self._state):
            raise ArchiveDamaged(f"The rows of {table.name} are not those that were written.")
        self._take(line)

    def _decoded(self, kind: type[_Begin]) -> _Begin:
        line = self._line()
        self._take(line)
        try:
            return msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as error:
            raise ArchiveDamaged("The archive is damaged.") from error

    def _line(self) -> bytes:
        line = self._read()
        if not line.endswith(b"\n"):
            raise ArchiveDamaged("The archive is incomplete.")
        return line

    def _read(self) -> bytes:
        try:
            return self._stream.readline(MAX_LINE_BYTES)
        except (EOFError, zlib.error, BadGzipFile) as error:
            raise ArchiveDamaged("The archive is damaged or incomplete.") from error

    def _take(self, line: bytes) -> None:
        self._state = keyed_digest(self._key, "archive", self._state, line)


class _Writer:
    """Writes lines and computes the digest of all of them."""

    def __init__(self, stream: GzipFile, key: bytes) -> None:
        self._stream, self._key = stream, key
        self.digest = b""

    def put(self, value: object) -> None:
        line = _encode(value) + b"\n"
        self.digest = keyed_digest(self._key, "archive", self.digest, line)
        self._stream.write(line)
