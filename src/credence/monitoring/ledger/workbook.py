"""Lines and cells of an XLSX workbook: the values of its first visible sheet that has any. Formulas are not computed.

What openpyxl reads is a copy of the archive with the parts of a workbook alone, each decompressed here up to a limit, so a
bomb ends before anything is parsed. The parts must be free of document types, because entities may grow without limit.
openpyxl builds a tree of each row and of each shared string, many times as large as its text, so these have limits too.
"""

import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from credence.errors import UnusableContent
from credence.monitoring.ledger.table import MAX_COLUMNS, MAX_LINES, Line, Table, add_line

MAX_UNPACKED_OCTETS = 96 * 1024 * 1024
MAX_PARTS = 500
MAX_TREE_OCTETS = 2 * 1024 * 1024
"""The most of a part that is one row or one shared string, or is in neither."""
MAX_STRINGS = 500_000
"""The most shared strings: ten columns of texts of the longest ledger."""
_MAX_GAP = 10_000
"""The most empty rows between two lines."""

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|xl/(?:workbook|sharedStrings|styles)\.xml|xl/_rels/workbook\.xml\.rels"
    r"|xl/worksheets/[^/]+\.xml",
    re.IGNORECASE,
)
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ROW, _STRING = f"{_SPACE} row", f"{_SPACE} si"
_PIECE = 65_536
_TOO_LARGE = "The workbook is too large when it is unpacked. Save the sheet as CSV."
_UNREADABLE = "The workbook cannot be read. Save it again as XLSX, or as CSV."


def is_workbook(content: bytes) -> bool:
    """Return whether a file is a workbook. Raises UnusableContent for one of another format, or with a password."""
    if content.startswith(_OLE):
        raise UnusableContent("This is an old or a protected workbook. Save it as XLSX without a password, or as CSV.")
    return content.startswith(_ZIP)


def read_workbook(content: bytes) -> Table:
    """Return the lines of a workbook. Raises UnusableContent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl names what it does not keep, such as the validation of cells
        try:
            return _read(_unpacked(content))
        except UnusableContent:
            raise
        except Exception as error:
            raise UnusableContent(_UNREADABLE) from error


def _unpacked(content: bytes) -> io.BytesIO:
    """Return the archive with the parts that are read, not compressed."""
    copy, left = io.BytesIO(), MAX_UNPACKED_OCTETS
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as stored:
        parts = archive.infolist()
        if len(parts) > MAX_PARTS or any(part.flag_bits & 1 for part in parts):
            raise UnusableContent(_UNREADABLE)
        for part in parts:
            if not _PARTS.fullmatch(part.filename):
                continue
            with archive.open(part) as opened:
                found = opened.read(left + 1)
            left -= len(found)
            if left < 0:
                raise UnusableContent(_TOO_LARGE)
            if b"\0" in found or _DECLARATION.search(found):
                raise UnusableContent(_UNREADABLE)
            _require_small_trees(found)
            stored.writestr(part.filename, found)
    copy.seek(0)
    return copy


def _require_small_trees(part: bytes) -> None:
    """Raise UnusableContent for a part with a large row or shared string, or too many strings; ExpatError for no XML."""
    parser = expat.ParserCreate(namespace_separator=" ")
    end = inside = strings = 0

    def begin_element(name: str, _attributes: object) -> None:
        nonlocal inside
        inside += name in (_ROW, _STRING)

    def end_element(name: str) -> None:
        nonlocal end, inside, strings
        if name in (_ROW, _STRING):
            inside -= 1
            strings += name == _STRING
            if not inside:
                end = parser.CurrentByteIndex

    parser.StartElementHandler, parser.EndElementHandler = begin_element, end_element
    for fed in range(0, len(part), _PIECE):
        parser.Parse(part[fed : fed + _PIECE], fed + _PIECE >= len(part))
        if fed + _PIECE - end > MAX_TREE_OCTETS or strings > MAX_STRINGS:
            raise UnusableContent(_TOO_LARGE)


def _read(archive: io.BytesIO) -> Table:
    # Imported here: only an upload of a workbook needs it.
    import openpyxl

    book = openpyxl.load_workbook(archive, read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            continue
        table = Table()
        for number, cells in _rows(sheet):
            add_line(table, Line(number, cells))
        if table.lines:
            return table
    return Table()


def _rows(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each row of a sheet that openpyxl reads row by row, and its cells."""
    gap = 0
    sheet.reset_dimensions()  # what the file says of its size is not believed
    rows = sheet.iter_rows(max_row=MAX_LINES + _MAX_GAP, max_col=MAX_COLUMNS + 1, values_only=True)
    for number, values in enumerate(rows, 1):
        cells = [_text(value) for value in values]
        gap = 0 if any(cells) else gap + 1
        if gap > _MAX_GAP:
            return
        yield number, cells


def _text(value: object) -> str:
    """Return a value as a person reads it; a number with as many decimals as it needs, at most six."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.6f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else repr(value)
        case dt.datetime():
            return value.date().isoformat()
        case dt.date() | dt.time() | dt.timedelta():
            return str(value)
        case _:
            return str(value)
