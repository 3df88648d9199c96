"""The files of a register snapshot, read as a stream of rows (Free Company Data Product, credit §2.2).

A snapshot is one CSV file or several parts, plain or zipped. Header names are stripped, because the real file puts a
space before many of them. Each line is UTF-8 or, failing that, cp1252.
"""

import codecs
import csv
import datetime as dt
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO

from credence.credit.sources import LoadError

Cells = Mapping[str, str]
"""One row: column name -> text."""

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


def rows(files: Sequence[Path]) -> Iterator[Cells | None]:
    """Yield every row of the files, in their order; None stands for a row that does not fit the columns.

    Raises LoadError for a file that is missing, damaged or no register snapshot.
    """
    for file in files:
        try:
            if file.suffix.lower() == ".zip":
                yield from _zipped_rows(file)
            else:
                with file.open("rb") as stream:
                    yield from _rows(stream, file.name)
        except _UNREADABLE as error:
            raise LoadError(f"{file.name} cannot be read: {type(error).__name__}.") from error


_UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError)
"""What a damaged file raises; RuntimeError is what `zipfile` says of encryption and of unknown compression."""

_LONGEST_LINE = 1 << 20
"""Bytes of a line that are read at once. A longer one, as in a file that is no text, falls apart into refused rows."""


def _zipped_rows(file: Path) -> Iterator[Cells | None]:
    with zipfile.ZipFile(file) as archive:
        # A zip made on a Mac holds shadow files of the same names.
        members = [m for m in archive.namelist() if m.lower().endswith(".csv") and not m.startswith("__MACOSX/")]
        if not members:
            raise LoadError(f"{file.name} holds no CSV file.")
        for member in members:
            with archive.open(member) as stream:
                yield from _rows(stream, f"{file.name}/{member}")


def _rows(stream: IO[bytes], part: str) -> Iterator[Cells | None]:
    reader = csv.reader(_lines(stream))
    try:
        header = [name.strip() for name in next(reader, [])]
    except csv.Error as error:
        raise LoadError(f"{part} is no register snapshot: it does not begin as a CSV file.") from error
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise LoadError(f"{part} is no register snapshot: it lacks the columns {', '.join(missing[:3])}{more}.")
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield None
            continue
        if cells:
            yield dict(zip(header, cells, strict=True)) if len(cells) == len(header) else None


def _lines(stream: IO[bytes]) -> Iterator[str]:
    read = partial(stream.readline, _LONGEST_LINE)
    yield _text(read().removeprefix(codecs.BOM_UTF8))
    for line in iter(read, b""):
        yield _text(line)


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")
