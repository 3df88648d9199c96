"""The files of the audit trail: the current one and numbered older ones, one JSON object a line (threats F2, A11).

Server and commands append to the same file under a lock on the folder. An append that fails halfway is truncated again,
and an incomplete line left by a power failure is ended before the next, so each line is complete or is not JSON.

`RotatingFileHandler` is not used: it has no lock between processes, no fsync, and does not report a failed write.
"""

import fcntl
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from credence.files import OWNER_ONLY

NEWEST = "audit.jsonl"

_OLDER = re.compile(r"audit-(\d{6,})\.jsonl").fullmatch


class AuditFiles:
    """The files in one folder: at most `max_files`, each of at most `megabytes` (10^6 bytes)."""

    def __init__(self, folder: Path, megabytes: int, max_files: int) -> None:
        self._folder = folder
        self._max_bytes = megabytes * 1_000_000
        self._max_files = max_files

    def append(self, lines: Sequence[bytes], *, durable: bool = False) -> None:
        """Append complete lines, synced to disk if `durable`. After OSError none was appended."""
        data = b"".join(lines)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._locked():
            if self._is_full(len(data)):
                self._rotate()
            _append(self._folder / NEWEST, data, durable=durable)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _is_full(self, more: int) -> bool:
        try:
            size = (self._folder / NEWEST).stat().st_size
        except FileNotFoundError:
            return False
        return size > 0 and size + more > self._max_bytes

    def _rotate(self) -> None:
        older = _older(self._folder)
        number = max(older, default=0) + 1
        (self._folder / NEWEST).rename(self._folder / f"audit-{number:06}.jsonl")
        for each in sorted([*older, number])[: -(self._max_files - 1)]:
            (self._folder / f"audit-{each:06}.jsonl").unlink(missing_ok=True)


def read_newest_first(folder: Path, containing: bytes = b"") -> Iterator[Mapping[str, Any]]:
    """Yield the lines as mappings: files from the newest to the oldest, the lines of a file from first to last.

    Skips lines without the bytes `containing`, and lines that are not a JSON object.
    """
    files = [NEWEST, *(f"audit-{number:06}.jsonl" for number in sorted(_older(folder), reverse=True))]
    for name in files:
        try:
            stream = (folder / name).open("rb")
        except FileNotFoundError:
            continue
        with stream:
            for line in stream:
                if containing in line:
                    yield from _read(line)


def _read(line: bytes) -> Iterator[Mapping[str, Any]]:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    if isinstance(value, dict):
        yield value


def _older(folder: Path) -> list[int]:
    """Return the numbers of the older files."""
    if not folder.is_dir():
        return []
    return [int(match[1]) for file in folder.iterdir() if (match := _OLDER(file.name))]


def _append(file: Path, data: bytes, *, durable: bool) -> None:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            if durable:
                os.fsync(descriptor)
        except OSError:
            with suppress(OSError):
                os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)
