"""The table of reservations, as the data file has it, and a reservation about one company."""

import datetime as dt
from functools import cached_property
from itertools import accumulate, groupby

import msgspec


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row. Of the rows of a code, which follow each other, the first that finds something counts."""

    code: str
    find: str
    """Name of the rule in `found.RULES`; empty for what only the report can find."""
    when: str = ""
    """Which case of the code this row is, in words; empty for the only row of a code."""
    header: str = ""
    """The reservation in a few words, as the heading of an alert."""
    meaning: str = ""
    """When it is made, for the reference of the codes."""
    words: str = ""
    """What follows the words of the band, with the placeholders of the rule, as "net liabilities of {amount}"."""
    sentence: str = ""
    """The sentence of the alert and of the line; empty where the report words it."""
    over: float = 0
    """What the rule compares with, such as a number of months."""
    at_most: int | None = None
    """The highest score with this reservation."""
    limit: float = 1.0
    """The share of the limit that remains; 0 forbids a limit."""
    terms: str = ""
    """The payment terms, if they are stricter than those of the band."""
    alert: bool = True
    source: str = ""
    """Where ceiling and share come from."""


class Reservation(msgspec.Struct, frozen=True):
    """A reservation about one company."""

    code: str
    header: str
    words: str
    sentence: str
    amount: int | None = None
    """The amount that it is about, in units of the currency of the accounts."""
    day: dt.date | None = None
    """The day of the fact that it is about."""
    at_most: int | None = None
    limit: float = 1.0
    terms: str = ""
    alert: bool = True


class ReservationTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Every row, the gravest first."""

    version: str
    source: str
    rows: tuple[Row, ...]

    @cached_property
    def by_code(self) -> dict[str, tuple[Row, ...]]:
        """Code -> its rows; a row without words has those of the row before it.

        Raises ValueError if the rows of a code do not follow each other.
        """
        found: dict[str, tuple[Row, ...]] = {}
        for code, rows in groupby(self.rows, lambda row: row.code):
            if code in found:
                raise ValueError(f"The rows of {code} do not follow each other.")
            found[code] = tuple(accumulate(rows, _worded))
        return found

    @cached_property
    def least(self) -> dict[str, float]:
        """ReservationRule -> the least that any of its rows compares with."""
        found: dict[str, float] = {}
        for row in self.rows:
            found[row.find] = min(row.over, found.get(row.find, row.over))
        return found

    @cached_property
    def code_of(self) -> dict[str, str]:
        """ReservationRule -> the code of its rows."""
        return {row.find: row.code for row in self.rows}

    @cached_property
    def place(self) -> dict[str, int]:
        """Code -> its place among the codes."""
        return {code: place for place, code in enumerate(self.by_code)}


def _worded(before: Row, row: Row) -> Row:
    said = {name: getattr(row, name) or getattr(before, name) for name in ("header", "meaning", "words", "sentence")}
    return msgspec.structs.replace(row, **said)


def line_code(code: str) -> str:
    """Return the code of the score's line for the ceiling of a reservation."""
    return f"ceiling.{code.lower()}"
