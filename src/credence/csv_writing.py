"""Writes CSV in which no cell is a formula for a spreadsheet (OWASP, CSV injection).

Texts of the register, of callers and of operators may begin like a formula. Such a cell gets an apostrophe, which
spreadsheets take for the mark of a text. In many countries they divide a file at semicolons, and some people at tabs, and
then quotation marks protect nothing: so each part of a text after such a sign or a line end is marked likewise. A part that
looks as if it had got an apostrophe gets a further one, so that `without_marks` restores every cell.
"""

import csv
import io
import re
from collections.abc import Iterable

_FORMULA_SIGNS = "=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20"
"""The signs that OWASP names; the last four are full-width forms, which East Asian editions read as the plain ones."""

_BEGINNING = "(^|[;|\t\r\n])"
"""The beginning of a cell, in this file or in one that is divided at other signs than commas."""

_FORMULA = f"(?='*[\" ]*[{_FORMULA_SIGNS}])"
_mark = re.compile(f"{_BEGINNING}{_FORMULA}").sub
_unmark = re.compile(f"{_BEGINNING}'{_FORMULA}").sub


def csv_of(rows: Iterable[Iterable[object]]) -> bytes:
    """Return rows as CSV in UTF-8 with CRLF (RFC 4180). A cell is a text, a number, or None, which is empty."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([_mark(r"\1'", cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue().encode()


def without_marks(cell: str) -> str:
    """Return a cell without the apostrophes that `csv_of` adds."""
    return _unmark(r"\1", cell)
