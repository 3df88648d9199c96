"""A file as lines of cells, and what bounds it: the memory and time of an upload do not depend on who sends it."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from credence.errors import UnusableContent
from credence.store.customers import MAX_CUSTOMERS

MAX_LINES: Final = MAX_CUSTOMERS + 200
"""Lines that have something in them; some are titles and totals."""
MAX_COLUMNS: Final = 200
MAX_CELL: Final = 500
"""The most characters of a cell that are read. No cell of a customer may have as many."""
MAX_CHARACTERS: Final = 24_000_000
"""The most characters of all cells."""


class Line(NamedTuple):
    """One line of a file: its number, from 1, and its cells."""

    number: int
    cells: list[str]


@dataclass(slots=True)
class Table:
    """The lines of a file that have something in them."""

    lines: list[Line] = field(default_factory=list)
    characters: int = 0


def add_line(table: Table, line: Line) -> None:
    """Add a line, unless it is empty. Raises UnusableContent if the table would be too large."""
    cells = [" ".join(cell[:MAX_CELL].split()) for cell in line.cells]
    while cells and not cells[-1]:
        cells.pop()
    if not cells:
        return
    if len(cells) > MAX_COLUMNS:
        raise UnusableContent(f"Line {line.number} has {len(cells)} columns, more than {MAX_COLUMNS}: remove some.")
    if len(table.lines) >= MAX_LINES:
        raise UnusableContent(
            f"The file has more than {MAX_CUSTOMERS:,} lines: divide it, one portfolio for each part."
        )
    table.characters += sum(map(len, cells))
    if table.characters > MAX_CHARACTERS:
        raise UnusableContent(f"Line {line.number}: the file has too much text. Remove the columns with long texts.")
    table.lines.append(Line(line.number, cells))


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(list[Line]).decode
