"""The columns of a list of companies in CSV: which line is a header, and which column has which values.

The first line is a header if it names the column of company numbers, or if none of its cells is a number: a line of data has
a company number, or at least an amount next to a mistyped one. The only cell of a line is data if it has a digit.
Names are compared without case, blanks and other signs, so that `Company number` is `company_number`.
"""

import re
from collections.abc import Mapping, Sequence

from credence.companies.number import normalise_or_none
from credence.errors import UnusableContent

NUMBER = "company_number"
"""The name of the column with the company numbers, in the mapping of names to places."""

_NUMBER_NAMES = ("regnumber", "companynumber", "registrationnumber", "companyno", "number")
"""What the column of company numbers may be called, the surest name first."""

_MAX_NAMED, _MAX_LETTERS = 10, 40
"""How many names an error message has, and their maximum length."""

_SIGNS = re.compile(r"[\W_]+")


class UnknownColumns(UnusableContent):
    """The header of a list does not say which column has the company numbers; the message names its columns."""


def columns_of(line: Sequence[str], names: Sequence[str]) -> Mapping[str, int] | None:
    """Return the places of the columns if a first line is a header, by their names; None for a line of data.

    `names` are those of the further columns. The result has `NUMBER`, and those of them that the header has. Raises
    UnknownColumns.
    """
    places: dict[str, int] = {}
    for place, cell in enumerate(line):
        places.setdefault(_plain(cell), place)
    number = next((places[name] for name in _NUMBER_NAMES if name in places), None)
    if number is None:
        filled = [cell for cell in line if cell.strip()]
        if any(map(_is_number if len(filled) > 1 else _has_digit, filled)):
            return None
        shown = ", ".join(cell.strip()[:_MAX_LETTERS] for cell in line[:_MAX_NAMED] if cell.strip())
        raise UnknownColumns(
            f"The first line names the columns {shown}, and none of them is the company number: call it {NUMBER}."
        )
    return {NUMBER: number} | {name: places[plain] for name in names if (plain := _plain(name)) in places}


def _is_number(cell: str) -> bool:
    return normalise_or_none(cell) is not None or (_has_digit(cell) and not any(map(str.isalpha, cell)))


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def _plain(name: str) -> str:
    return _SIGNS.sub("", name.casefold())
