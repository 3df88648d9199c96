"""The files of a trail: the current one and numbered older ones, one JSON object per line (threats F2, A11).

Server and commands append to the same file under a lock on the folder. An append that fails halfway is truncated again, and
an incomplete line left by a power failure is ended before the next, so each line is complete or is not JSON.

`RotatingFileHandler` is not used: it has no lock between processes, no fsync, and does not report a failed write.
"""

import fcntl
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from credence.files import OWNER_ONLY
from credence.telemetry.log import warning

DEEDS, REFUSALS = "audit", "refusals"
"""The two trails. They are separate, so that refused callers cannot displace the lines about operations."""

_NUMBERED = re.compile(r"([a-z]+)-(\d{6,})\.jsonl").fullmatch

_FIRST_LINE_BYTES = 65_536

_END_BYTES = 65_536
"""Of the beginning or the end of a file: more than several processes write at once."""

Link = Callable[[Sequence[bytes], Path], bytes]
"""Joins lines that are to be appended to a file."""


class AuditFiles:
    """The files of one trail in one folder: at most `max_files`, each of at most `megabytes` (10^6 bytes)."""

    def __init__(
        self,
        folder: Path,
        trail: str,
        megabytes: int,
        max_files: int,
        link: Link | None = None,
        copy: Callable[[bytes], None] | None = None,
    ) -> None:
        """`link` joins lines; by default they are unchanged. `copy` gets the appended lines, and must not fail."""
        self._folder = folder
        self._trail = trail
        self._max_bytes = megabytes * 1_000_000
        self._max_files = max_files
        self._link = link
        self._copy = copy

    def append(self, lines: Sequence[bytes], *, durable: bool = False) -> None:
        """Append complete lines, synced to disk if `durable`. After OSError no line was appended.

        If the oldest file was deleted, logs the time of the oldest remaining line.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        deleted = 0
        with self._locked():
            if self._needs_rotation(sum(map(len, lines))):
                deleted = self._rotate()
            file = newest(self._folder, self._trail)
            data = self._link(lines, file) if self._link else b"".join(lines)
            _append(file, data, durable=durable)
            if self._copy is not None:
                self._copy(data)
        if deleted:
            warning(
                "audit_files_deleted",
                trail=self._trail,
                files=deleted,
                reaches_back_to=since(self._folder, self._trail),
            )

    @contextmanager
    def _locked(self) -> Iterator[None]:
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _needs_rotation(self, more: int) -> bool:
        try:
            size = newest(self._folder, self._trail).stat().st_size
        except FileNotFoundError:
            return False
        return size > 0 and size + more > self._max_bytes

    def _rotate(self) -> int:
        """Rename the newest file, and return how many of the oldest files were deleted."""
        older = _older(self._folder, self._trail)
        number = max(older, default=0) + 1
        newest(self._folder, self._trail).rename(self._folder / f"{self._trail}-{number:06}.jsonl")
        too_many = sorted([*older, number])[: -(self._max_files - 1)]
        for each in too_many:
            (self._folder / f"{self._trail}-{each:06}.jsonl").unlink(missing_ok=True)
        return len(too_many)


def newest(folder: Path, trail: str) -> Path:
    """Return the path of the file that is being written."""
    return folder / f"{trail}.jsonl"


def files_in_order(folder: Path, trail: str) -> list[Path]:
    """Return the existing files of a trail, the oldest first."""
    files = [folder / f"{trail}-{number:06}.jsonl" for number in sorted(_older(folder, trail))]
    return [file for file in (*files, newest(folder, trail)) if file.exists()]


def since(folder: Path, trail: str) -> str | None:
    """Return the time of the oldest existing line; None if there are no lines."""
    for file in files_in_order(folder, trail)[:1]:
        with file.open("rb") as stream:
            for value in _read(stream.readline(_FIRST_LINE_BYTES)):
                return str(value.get("time"))
    return None


def read_newest_first(folder: Path, trail: str, containing: bytes = b"") -> Iterator[Mapping[str, Any]]:
    """Yield the lines as mappings: files from the newest to the oldest, the lines of a file from first to last.

    Skips lines without the bytes `containing`, and lines that are not a JSON object.
    """
    for file in reversed(files_in_order(folder, trail)):
        yield from read_file(file, containing)


def read_file(file: Path, containing: bytes = b"") -> Iterator[Mapping[str, Any]]:
    """Yield the lines of one file as `read_newest_first` does; none if the file was deleted meanwhile."""
    with suppress(FileNotFoundError), file.open("rb") as stream:
        for line in stream:
            if containing in line:
                yield from _read(line)


def beginning_of(file: Path) -> str:
    """Return the oldest time at the beginning of a file; empty without one, and if the file was deleted meanwhile."""
    with suppress(FileNotFoundError), file.open("rb") as stream:
        lines = stream.readlines(_END_BYTES)
        return min((str(value["time"]) for line in lines for value in _read(line) if "time" in value), default="")
    return ""


def read_end(file: Path) -> list[Mapping[str, Any]]:
    """Return the last lines of a file as `read_newest_first` does; none if the file was deleted meanwhile."""
    with suppress(FileNotFoundError), file.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        start = stream.seek(max(0, size - _END_BYTES))
        if start:
            stream.readline()  # it begins before
        return [value for line in stream for value in _read(line)]
    return []


def _read(line: bytes) -> Iterator[Mapping[str, Any]]:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    if isinstance(value, dict):
        yield value


def _older(folder: Path, trail: str) -> list[int]:
    """Return the numbers of the older files."""
    if not folder.is_dir():
        return []
    found = (_NUMBERED(file.name) for file in folder.iterdir())
    return [int(match[2]) for match in found if match and match[1] == trail]


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
