"""Reads a register snapshot (Free Company Data Product, credit §2.2) as a stream of chunks, each of whole rows.

A snapshot is one CSV file or several parts, plain or zipped. Header names are stripped, because the published file has a
space before many of them. Each line is UTF-8, or else cp1252. Any process can read a chunk into rows.
"""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import IO

import msgspec

from credence.datasets.sources.source import LoadError
from credence.datasets.sources.streams import streams

Cells = tuple[str, ...]
"""One row: the texts of `COLUMNS`, in this order."""

COLUMNS = (
    "CompanyName",
    "CompanyNumber",
    *(f"RegAddress.{part}" for part in ("CareOf", "POBox", "AddressLine1", "AddressLine2")),
    *(f"RegAddress.{part}" for part in ("PostTown", "County", "Country", "PostCode")),
    "CompanyCategory",
    "CompanyStatus",
    "CountryOfOrigin",
    "DissolutionDate",
    "IncorporationDate",
    *(f"Accounts.{part}" for part in ("AccountRefDay", "AccountRefMonth", "NextDueDate", "LastMadeUpDate")),
    "Accounts.AccountCategory",
    "Returns.LastMadeUpDate",
    *(f"Mortgages.NumMort{kind}" for kind in ("Charges", "Outstanding", "PartSatisfied", "Satisfied")),
    *(f"SICCode.SicText_{n}" for n in range(1, 5)),
    *(f"PreviousName_{n}.{part}" for n in range(1, 11) for part in ("CONDATE", "CompanyName")),
    "ConfStmtNextDueDate",
    "ConfStmtLastMadeUpDate",
)
"""The required columns; a snapshot may have more."""


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """Some whole rows as bytes, and their columns."""

    width: int
    """Number of cells in a row."""
    places: tuple[int, ...]
    """The index in a row of each of `COLUMNS`."""
    data: bytes


def chunks(files: Sequence[Path]) -> Iterator[Chunk]:
    """Yield the rows of all files in order, some thousands in a chunk.

    Raises LoadError for a missing, damaged or truncated file, a zip bomb, or another kind of file.
    """
    for part, stream in streams(files, ".csv"):
        yield from _chunks(stream, part)


def rows(chunk: Chunk) -> Iterator[Cells | None]:
    """Yield the rows of a chunk in order; None for a row with another number of cells."""
    chosen = itemgetter(*chunk.places)
    reader = csv.reader(_lines(chunk.data))
    while True:
        try:
            for cells in reader:
                if cells:
                    yield chosen(cells) if len(cells) == chunk.width else None
        except csv.Error:
            yield None
        else:
            return


_CHUNK_BYTES = 1 << 20
"""Bytes read at a time. A longer line, as in a binary file, becomes several rejected rows."""


def _chunks(stream: IO[bytes], part: str) -> Iterator[Chunk]:
    header = _header(stream.readline(_CHUNK_BYTES).removeprefix(codecs.BOM_UTF8), part)
    places = tuple(header.index(name) for name in COLUMNS)
    rest = b""
    while block := stream.read(_CHUNK_BYTES):
        data = rest + block
        end = _end_of_rows(data)
        if end:
            yield Chunk(len(header), places, data[:end])
        rest = data[end:]
    if rest:
        last = Chunk(len(header), places, rest)
        if not rest.endswith(b"\n") and (rest.count(b'"') % 2 or list(rows(last))[-1:] == [None]):
            raise LoadError(f"{part} is cut off: it ends in the middle of a row.")
        yield last


def _header(line: bytes, part: str) -> list[str]:
    try:
        header = [name.strip() for name in next(csv.reader(_lines(line)), [])]
    except csv.Error as error:
        raise LoadError(f"{part} is not a register snapshot: it does not begin as a CSV file.") from error
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise LoadError(f"{part} is not a register snapshot: it lacks the columns {', '.join(missing[:3])}{more}.")
    return header


_MAX_LINES_TRIED = 100


def _end_of_rows(data: bytes) -> int:
    """Return the position after the last whole row, 0 without one.

    The number of quotation marks up to the end of a row is even; a line end inside a quoted value does not end a row. In a
    file with unbalanced quotation marks, the position is that after the last line end.
    """
    last = end = data.rfind(b"\n") + 1
    if not last:
        return len(data) if len(data) >= _CHUNK_BYTES else 0
    for _ in range(_MAX_LINES_TRIED):
        if data.count(b'"', 0, end) % 2 == 0:
            return end
        end = data.rfind(b"\n", 0, end - 1) + 1
    return last


def _lines(data: bytes) -> Iterator[str]:
    try:
        return iter(io.StringIO(data.decode(), newline="\n"))
    except UnicodeDecodeError:
        return map(_text, io.BytesIO(data))


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")
