"""Writes CSV in which no cell is a formula for a spreadsheet (OWASP, CSV injection).

Texts of the register, of callers and of operators may begin like a formula. Such a cell gets an apostrophe, which
spreadsheets take for the mark of a text. A cell that looks as if it had got one gets a further one, so that
`without_mark` restores every cell.
"""

import csv
import io
import re
from collections.abc import Iterable

_FORMULA_SIGNS = "=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20"
"""The signs that OWASP names; the last four are full-width forms, which East Asian editions read as the plain ones."""

_LOOKS_LIKE_FORMULA = re.compile(f"'*[{_FORMULA_SIGNS}]").match

_IS_MARKED = re.compile(f"'+[{_FORMULA_SIGNS}]").match


def csv_of(rows: Iterable[Iterable[object]]) -> bytes:
    """Return rows as CSV in UTF-8 with CRLF (RFC 4180). A cell is a text, a number, or None, which is empty."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([_marked(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue().encode()


def without_mark(cell: str) -> str:
    """Return a cell without the apostrophe that `csv_of` adds."""
    return cell[1:] if _IS_MARKED(cell) else cell


def _marked(cell: str) -> str:
    return f"'{cell}" if _LOOKS_LIKE_FORMULA(cell) else cell
