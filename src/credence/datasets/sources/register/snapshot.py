"""The files of a register snapshot, read as a stream of chunks, each of whole rows (Free Company Data Product, credit §2.2).

A snapshot is one CSV file or several parts, plain or zipped. Header names are stripped, because the real file puts a
space before many of them. Each line is UTF-8 or, failing that, cp1252. A chunk can be read into rows anywhere, also in
another process.
"""

import codecs
import csv
import datetime as dt
import io
import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import IO

import msgspec

from credence.datasets.sources import LoadError
from credence.datasets.sources.streams import streams

Cells = tuple[str, ...]
"""One row: the texts of `COLUMNS`, in their order."""

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
"""The columns that are read; a snapshot may have more."""


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """Some whole rows as bytes, and how to read them."""

    width: int
    """Cells of a row."""
    places: tuple[int, ...]
    """Where in a row each of `COLUMNS` stands."""
    data: bytes


def snapshot_date(files: Sequence[Path]) -> dt.date | None:
    """Return the day the files' names give, as BasicCompanyDataAsOneFile-2020-05-01.csv does; None if none gives one.

    Raises LoadError when they give several days: parts of two snapshots do not make one.
    """
    days = {day for file in files for day in re.findall(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", file.name)}
    if len(days) > 1:
        raise LoadError(f"The files belong to different snapshots: {', '.join(sorted(days))}.")
    try:
        return dt.date.fromisoformat(days.pop()) if days else None
    except ValueError as error:
        raise LoadError("A file name holds a date that does not exist.") from error


def chunks(files: Sequence[Path]) -> Iterator[Chunk]:
    """Yield the rows of all files, in their order, some thousands at a time.

    Raises LoadError for a file that is missing, damaged, cut off, a zip bomb or no register snapshot.
    """
    for part, stream in streams(files, ".csv"):
        yield from _chunks(stream, part)


def rows(chunk: Chunk) -> Iterator[Cells | None]:
    """Yield every row of a chunk, in its order; None stands for a row that does not fit the columns."""
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


_CHUNK = 1 << 20
"""Bytes read at a time. A longer line, as in a file that is no text, falls apart into refused rows."""


def _chunks(stream: IO[bytes], part: str) -> Iterator[Chunk]:
    header = _header(stream.readline(_CHUNK).removeprefix(codecs.BOM_UTF8), part)
    places = tuple(header.index(name) for name in COLUMNS)
    rest = b""
    while block := stream.read(_CHUNK):
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
        raise LoadError(f"{part} is no register snapshot: it does not begin as a CSV file.") from error
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise LoadError(f"{part} is no register snapshot: it lacks the columns {', '.join(missing[:3])}{more}.")
    return header


_LINES_TRIED = 100


def _end_of_rows(data: bytes) -> int:
    """Return where the last whole row ends, 0 for none.

    After a whole row the quotation marks are even in number: a line that ends within a quoted value is not the end. In
    a file where they are not, any end of a line will do.
    """
    last = end = data.rfind(b"\n") + 1
    if not last:
        return len(data) if len(data) >= _CHUNK else 0
    for _ in range(_LINES_TRIED):
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
