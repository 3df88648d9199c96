"""An archive of parts of a store: one file, the same whichever database they come from or go to.

Lines of JSON, compressed: a head, then for each part its columns, its rows, and their number with a digest of all lines so
far. The digests are keyed; the key stands in the head, sealed. So whoever has not the key-encryption key can neither change
a line unnoticed nor make an archive, and another key is found out before anything is read.
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
from credence.errors import OperatorError
from credence.files import FOR_ITS_OWNER, replacing
from credence.store.transfer.parts import Part, Row

FORMAT = 1

LONGEST_LINE = 16_777_216
"""Octets: what claims to be longer is no archive."""

_KEY = "archive-key"
_encode = msgspec.json.Encoder().encode


class ArchiveDamaged(OperatorError):
    """The file is no archive, is not whole, or was changed."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive says of itself."""

    credence: str = "backup"
    format: int = FORMAT
    environment: str
    taken_at: Milliseconds
    log: int
    """The sequence of the last change at the time, and the number of the last status block."""
    blocks: int
    parts: tuple[str, ...]
    key: bytes = b""


class _Begin(msgspec.Struct, frozen=True):
    part: str
    columns: tuple[str, ...]


class _End(msgspec.Struct, frozen=True):
    rows: int
    digest: bytes


def write(file: Path, keks: KeyEncryptionKeys, head: Head, parts: Iterable[tuple[Part, Iterable[Row]]]) -> None:
    """Write an archive, for its owner alone and on disk when this returns; OSError leaves nothing behind.

    FileExistsError when there is something: an older archive is worth more than the name.
    """
    if file.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file))
    key = new_key()
    with (
        replacing(file) as draft,
        os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FOR_ITS_OWNER), "wb") as raw,
        GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as stream,
    ):
        lines = _Written(stream, key)
        lines.put(msgspec.structs.replace(head, key=seal(keks, _KEY, key)))
        for part, rows in parts:
            lines.put(_Begin(part.table, part.columns))
            count = 0
            for count, row in enumerate(rows, start=1):  # noqa: B007 - the number is what is wanted after
                lines.put(row)
            lines.put(_End(count, lines.digest))


@contextmanager
def opened(file: Path, keks: KeyEncryptionKeys) -> Iterator["Archive"]:
    """Open an archive; ArchiveDamaged when it is none, Unsealable under another key-encryption key than its own."""
    with GzipFile(file, "rb") as stream:
        yield Archive(stream, keks)


class Archive:
    """An archive that is read once, from its beginning to its end."""

    def __init__(self, stream: GzipFile, keks: KeyEncryptionKeys) -> None:
        self._stream = stream
        self._state = b""
        self._key = b""
        line = self._line()
        try:
            self.head = msgspec.json.decode(line, type=Head)
        except msgspec.DecodeError as error:
            raise ArchiveDamaged("This is no archive.") from error
        if self.head.credence != "backup" or self.head.format != FORMAT:
            raise ArchiveDamaged(f"This program reads archives of format {FORMAT}, not {self.head.format}.")
        self._key = unseal(keks, _KEY, self.head.key)
        self._take(line)

    def parts(self, known: Iterable[Part]) -> Iterator[tuple[Part, Iterator[Row]]]:
        """Yield each part with its rows, which must be read to their end before the next one.

        ArchiveDamaged as soon as something is not as it was written; only after the last part is all of it known to be good.
        """
        known = tuple(known)
        if self.head.parts != tuple(part.table for part in known):
            raise ArchiveDamaged("This program cannot read the parts of this archive.")
        for part in known:
            begin = self._decoded(_Begin)
            if (begin.part, begin.columns) != (part.table, part.columns):
                raise ArchiveDamaged(f"This program cannot read the part {begin.part} of the archive.")
            yield part, self._rows(part)
        if self._read():
            raise ArchiveDamaged("The archive goes on after its end.")

    def _rows(self, part: Part) -> Iterator[Row]:
        decode, count = msgspec.json.Decoder(part.row).decode, 0
        while (line := self._line()).startswith(b"["):
            self._take(line)
            count += 1
            try:
                yield decode(line)
            except msgspec.DecodeError as error:
                raise ArchiveDamaged(f"Row {count} of {part.table} is damaged.") from error
        try:
            end = msgspec.json.decode(line, type=_End)
        except msgspec.DecodeError as error:
            raise ArchiveDamaged(f"The end of {part.table} is damaged.") from error
        if end.rows != count or not constant_time_equal(end.digest, self._state):
            raise ArchiveDamaged(f"The rows of {part.table} are not those that were written.")
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
            raise ArchiveDamaged("The archive is not whole.")
        return line

    def _read(self) -> bytes:
        try:
            return self._stream.readline(LONGEST_LINE)
        except (EOFError, zlib.error, BadGzipFile) as error:
            raise ArchiveDamaged("The archive is damaged or not whole.") from error

    def _take(self, line: bytes) -> None:
        self._state = keyed_digest(self._key, "archive", self._state, line)


class _Written:
    """The lines of an archive as they are written, and the digest of all of them."""

    def __init__(self, stream: GzipFile, key: bytes) -> None:
        self._stream, self._key = stream, key
        self.digest = b""

    def put(self, value: object) -> None:
        line = _encode(value) + b"\n"
        self.digest = keyed_digest(self._key, "archive", self.digest, line)
        self._stream.write(line)
