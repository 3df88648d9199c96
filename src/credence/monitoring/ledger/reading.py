"""Reads a file of an accounting program, CSV or XLSX, by its content and not by its name.

CSV may have any encoding of spreadsheets and any of the usual delimiters.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from credence.errors import UnusableContent
from credence.monitoring.ledger.table import Line, Table, add_line
from credence.monitoring.ledger.workbook import is_workbook, read_workbook

MAX_FILE_OCTETS: Final = 10 * 1024 * 1024


def read_table(content: bytes) -> Table:
    """Return the lines of a file. Raises UnusableContent, which says what to do."""
    if len(content) > MAX_FILE_OCTETS:
        raise UnusableContent(
            f"The file is larger than {MAX_FILE_OCTETS // 1024 // 1024} MB. Leave out columns, or lines."
        )
    table = read_workbook(content) if is_workbook(content) else read_delimited(content)
    if not table.lines:
        raise UnusableContent("The file is empty.")
    return table


_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 60
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_SEPARATOR = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_RULE = re.compile(r"[\s|+=_-]*")
"""A line that is drawn, such as the ones between the rows of a printed list."""


def read_delimited(content: bytes) -> Table:
    """Return the lines of a CSV file. Raises UnusableContent, which names the line."""
    text = text_of(content)
    named = _SEPARATOR.match(text)
    delimiter = named[1] if named else _delimiter(text)
    table = Table()
    for number, cells in _rows(text[named.end() :] if named else text, delimiter):
        if delimiter == "|" and len(cells) > 2 and not cells[0].strip() and not cells[-1].strip():
            add_line(table, Line(number, cells[1:-1]))
        elif not _RULE.fullmatch("".join(cells)):
            add_line(table, Line(number + bool(named), cells))
    return table


def text_of(content: bytes) -> str:
    """Return the text of a file: UTF-16 with or without its mark, UTF-8, or else the encoding of Windows."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        coding = "utf-16"
    elif (head := content[:200]).count(b"\0") * 4 >= len(head) > 0:
        coding = "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    else:
        coding = "utf-8-sig"
    try:
        text = content.decode(coding)
    except UnicodeDecodeError:
        if coding != "utf-8-sig":
            raise UnusableContent("The file is not text. Save it as CSV UTF-8 or XLSX.") from None
        text = content.decode("cp1252", "replace")
    if stray := _CONTROL.search(text):
        line = text.count("\n", 0, stray.start()) + 1
        raise UnusableContent(
            f"Line {line} has a character that is not text. Remove it, or save the file again as CSV UTF-8 or XLSX."
        )
    return text


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line of each row, and its cells."""
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    first = 1
    try:
        for cells in reader:
            yield first, cells
            first = reader.line_num + 1
    except csv.Error as error:
        said = str(error)
        if "field larger" in said or "unexpected end" in said:
            raise UnusableContent(f"Line {first}: a quotation mark is not closed. Close it, or remove it.") from None
        raise UnusableContent(
            f"Line {reader.line_num}: a quotation mark is inside a cell. Double it, or remove it."
        ) from None


def _delimiter(text: str) -> str:
    """Return the delimiter that divides most of the first lines into the same number of cells, which is above one."""
    sample = "\n".join(text[:65_536].splitlines()[:_SAMPLE_LINES])
    best, most = ",", 0
    for each in _DELIMITERS:
        try:
            widths = Counter(len(row) for row in csv.reader(sample.splitlines(), delimiter=each))
        except csv.Error:
            continue
        found = max((count * min(width, 20) for width, count in widths.items() if width > 1), default=0)
        if found > most:
            best, most = each, found
    return best
