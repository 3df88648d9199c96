"""Reads a file of an accounting program, CSV or XLSX, by its content and not by its name."""

from typing import Final

from credence.errors import UnusableContent
from credence.monitoring.ledger.delimited import read_delimited
from credence.monitoring.ledger.table import Table
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
