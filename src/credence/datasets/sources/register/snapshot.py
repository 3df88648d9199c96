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
from typing import IO, NamedTuple

import msgspec

from credence.datasets.sources.source import LoadError
from credence.datasets.sources.streams import streams

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
    """Yield the rows of all files in order, some hundreds in a chunk.

    Raises LoadError for a missing, damaged or truncated file, a zip bomb, or another kind of file.
    """
    for part, stream in streams(files, ".csv"):
        yield from _chunks(stream, part)


class Table(NamedTuple):
    """The rows of a chunk. A row is named by its place in the chunk, from 1."""

    rows: int
    malformed: Sequence[int]
    """The places of the rows with another number of cells than the header."""
    places: Sequence[int]
    """The places of all other rows."""
    columns: Sequence[Sequence[str]]
    """The cells of the other rows, for each of `COLUMNS` in this order."""


def table(chunk: Chunk) -> Table:
    """Return the rows of a chunk column by column."""
    quoted = _quoted_columns(chunk)
    if quoted is not None:
        count = len(quoted[0])
        return Table(count, (), list(range(1, count + 1)), [quoted[place] for place in chunk.places])
    found = list(_rows(chunk))
    malformed = [place for place, row in enumerate(found, 1) if row is None]
    places = [place for place, row in enumerate(found, 1) if row is not None]
    return Table(len(found), malformed, places, list(zip(*filter(None, found), strict=True)) or [()] * len(COLUMNS))


def _quoted_columns(chunk: Chunk) -> list[Sequence[str]] | None:
    """Return all columns if each cell of each row is between quotation marks, as in the published files; else None.

    Splitting such rows gives the cells of a CSV reader in half the time. Of two quotation marks within a cell the second is
    dropped; with a single one, a cell does not end where the row was split.
    """
    try:
        text = chunk.data.decode()
    except UnicodeDecodeError:
        return None
    if not (text.startswith('"') and text.endswith('"\r\n')):
        return None
    rows = [row.split('","') for row in text[1:-3].split('"\r\n"')]
    if set(map(len, rows)) != {chunk.width}:
        return None
    columns: list[Sequence[str]] = list(zip(*rows, strict=True))
    for number, column in enumerate(columns):
        texts = "".join(column)
        if len(texts) > csv.field_size_limit() and len(max(column, key=len)) > csv.field_size_limit():
            return None
        if '"' in texts:
            if any('"' in cell.replace('""', "") for cell in column):
                return None
            columns[number] = [cell.replace('""', '"') for cell in column]
    return columns


def _rows(chunk: Chunk) -> Iterator[tuple[str, ...] | None]:
    """Yield the cells of each row; None for a row with another number of cells."""
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


_CHUNK_BYTES = 1 << 18
"""Bytes read at a time: the cells of some 600 rows stay in the cache of the processor while their columns are read."""

_MAX_ROW_BYTES = 1 << 20
"""A longer row, as in a binary file, becomes several rejected rows."""


def _chunks(stream: IO[bytes], part: str) -> Iterator[Chunk]:
    header = _header(stream.readline(_MAX_ROW_BYTES).removeprefix(codecs.BOM_UTF8), part)
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
        if not rest.endswith(b"\n") and (rest.count(b'"') % 2 or list(_rows(last))[-1:] == [None]):
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
        return len(data) if len(data) >= _MAX_ROW_BYTES else 0
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
