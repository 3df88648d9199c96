"""Opens downloaded files, plain or zipped, as untrusted streams (credit §3.1)."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import msgspec

from credence.datasets.sources.source import LoadError

_UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, NotImplementedError)
"""The errors of a damaged file; the last two are `zipfile`'s for encryption and unknown compression."""

NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The errors of decoding a text that is not the expected JSON; the last one for a text nested a thousand levels."""

_MAX_INFLATION = 200
"""Maximum unpacked size of a member as a multiple of its packed size; registers have five to ten, zip bombs a thousand."""

_MAX_LINE_BYTES = 1 << 20
"""Maximum length of a line; the longest line of a register has some kilobytes."""

_MAX_ANSWER_BYTES = 64 << 20
"""Maximum size of a file that `read_all` returns."""


def streams(files: Sequence[Path], *suffixes: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name for the operator and the stream of each file, or of each member of a zip with one of the suffixes.

    Raises LoadError for a missing or damaged file, for a zip without such a member, and for a zip bomb.
    """
    for file in files:
        try:
            if file.suffix.lower() != ".zip":
                with file.open("rb", buffering=0) as raw, _checked(raw, file.name) as stream:
                    yield file.name, stream
                continue
            with zipfile.ZipFile(file) as archive:
                # A zip made on a Mac contains shadow files with the same names.
                inside = [
                    each
                    for each in archive.infolist()
                    if each.filename.lower().endswith(suffixes) and not each.filename.startswith("__MACOSX/")
                ]
                if not inside:
                    raise LoadError(f"{file.name} has no file that ends in {' or '.join(suffixes)}.")
                for each in inside:
                    if each.file_size > _MAX_INFLATION * max(each.compress_size, 1):
                        raise LoadError(f"{file.name} holds a file that grows {_MAX_INFLATION}fold and more.")
                    with archive.open(each) as member, _checked(member, file.name) as stream:
                        yield f"{file.name}/{each.filename}", stream
        except _UNREADABLE as error:
            raise _unreadable(file.name, error) from error


class _Checked(io.RawIOBase):
    """A stream that turns every read error into a LoadError with the name of its file."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self._name = stream, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # typeshed requires any buffer
        try:
            data = self._stream.read(len(buffer))
        except _UNREADABLE as error:
            raise _unreadable(self._name, error) from error
        buffer[: len(data)] = data
        return len(data)


def _checked(stream: IO[bytes], name: str) -> io.BufferedReader:
    return io.BufferedReader(_Checked(stream, name), 1 << 20)


def _unreadable(name: str, error: BaseException) -> LoadError:
    return LoadError(f"{name} cannot be read: {type(error).__name__}.")


def lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream without their ends; one longer than a megabyte is yielded in pieces."""
    while line := stream.readline(_MAX_LINE_BYTES):
        yield line.strip(b"\r\n \t")


def read_all(stream: IO[bytes], name: str) -> bytes:
    """Return the content of a stream. Raises LoadError if it is larger than any answer of the register."""
    data = stream.read(_MAX_ANSWER_BYTES + 1)
    if len(data) > _MAX_ANSWER_BYTES:
        raise LoadError(f"{name} is larger than {_MAX_ANSWER_BYTES >> 20} MiB.")
    return data
