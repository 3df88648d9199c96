"""Opens what an operator downloaded: plain files and zips, read as a stream and never trusted (credit §3.1)."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import msgspec

from credence.datasets.sources import LoadError

_UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, NotImplementedError)
"""What a damaged file raises; the last two are what `zipfile` says of encryption and of unknown compression."""

NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises of a text that is not the JSON asked for; the last of one that nests a thousandfold."""

_MOST_INFLATED = 200
"""Times a member may grow when unpacked; texts of registers grow five- to tenfold, bombs a thousandfold."""

_LONGEST_LINE = 1 << 20
"""Bytes; the longest line of a register is some kilobytes."""

_LARGEST_ANSWER = 64 << 20
"""Bytes of a file that is read as a whole."""


def streams(files: Sequence[Path], *suffixes: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield each file, and of zips each member with one of the suffixes, by a name for the operator.

    Raises LoadError for a file that is missing or damaged, for a zip without such a member, and for a zip bomb.
    """
    for file in files:
        try:
            if file.suffix.lower() != ".zip":
                with file.open("rb", buffering=0) as raw, _checked(raw, file.name) as stream:
                    yield file.name, stream
                continue
            with zipfile.ZipFile(file) as archive:
                # A zip made on a Mac holds shadow files of the same names.
                inside = [
                    each
                    for each in archive.infolist()
                    if each.filename.lower().endswith(suffixes) and not each.filename.startswith("__MACOSX/")
                ]
                if not inside:
                    raise LoadError(f"{file.name} holds no file that ends in {' or '.join(suffixes)}.")
                for each in inside:
                    if each.file_size > _MOST_INFLATED * max(each.compress_size, 1):
                        raise LoadError(f"{file.name} holds a file that grows {_MOST_INFLATED}fold and more.")
                    with archive.open(each) as member, _checked(member, file.name) as stream:
                        yield f"{file.name}/{each.filename}", stream
        except _UNREADABLE as error:
            raise _unreadable(file.name, error) from error


class _Checked(io.RawIOBase):
    """A stream whose faults are told as those of its file, whoever reads it."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self._name = stream, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # typeshed asks for any buffer
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
    """Yield the lines of a stream without their ends; one longer than a megabyte comes in pieces."""
    while line := stream.readline(_LONGEST_LINE):
        yield line.strip(b"\r\n \t")


def whole(stream: IO[bytes], name: str) -> bytes:
    """Return all of a stream. Raises LoadError when it is larger than any answer of the register."""
    data = stream.read(_LARGEST_ANSWER + 1)
    if len(data) > _LARGEST_ANSWER:
        raise LoadError(f"{name} is larger than {_LARGEST_ANSWER >> 20} MiB.")
    return data
