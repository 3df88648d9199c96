"""Parses lists of companies to decide on: JSON or CSV, with an optional amount for each company.

A list is read entry by entry; an entry that is not a company number becomes a row with an error and does not refuse the
list.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import msgspec

from credence.companies.list_columns import NUMBER, columns_of
from credence.errors import UnusableContent
from credence.meanings import meaning
from credence.screening.json_shape import has_unique_names

MAX_AMOUNT = 1_000_000_000_000
"""The maximum amount in pounds."""

Pounds = Annotated[int, msgspec.Meta(ge=0, le=MAX_AMOUNT)]
NumberText = Annotated[str, msgspec.Meta(max_length=100)]

_AMOUNT = "amount"


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One company of a list: its number, and the requested credit in pounds."""

    RegNumber: Annotated[NumberText, meaning("The company number, in any form that a report accepts.")]
    Amount: Annotated[
        Pounds | None,
        msgspec.Meta(extra_json_schema={"type": ["integer", "null"]}),
        meaning("The requested credit.", unit="pounds"),
    ] = None


class Companies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list in JSON as an object: numbers, or objects with number and amount."""

    Companies: Annotated[
        tuple[NumberText | Asked, ...],
        msgspec.Meta(extra_json_schema={"minItems": 1}),
        meaning("Company numbers, or companies with an amount.", example=["99999901"]),
    ]


class Entry(NamedTuple):
    """One entry of a list in any form; `error` says why it cannot be read."""

    number: str
    amount: int | None = None
    error: str = ""


_decode_json = msgspec.json.Decoder(tuple[NumberText | Asked, ...] | Companies).decode
_decode_asked = msgspec.json.Decoder(Asked).decode


def read_asked(body: bytes) -> Entry:
    """Return the one company of a JSON object; UnusableContent for anything else."""
    try:
        asked = _decode_asked(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnusableContent(str(error)) from error
    _require_unique_names(body)
    return Entry(asked.RegNumber, asked.Amount)


def read_json(body: bytes) -> Iterator[Entry]:
    """Yield the companies of a JSON array, or of an object with the member `Companies`; raises UnusableContent otherwise."""
    try:
        found = _decode_json(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnusableContent(str(error)) from error
    _require_unique_names(body)
    for each in found.Companies if isinstance(found, Companies) else found:
        yield Entry(each.RegNumber, each.Amount) if isinstance(each, Asked) else Entry(each)


def read_csv(lines: Iterable[str]) -> Iterator[Entry]:
    """Yield the companies of CSV, one per line.

    A header may name the columns (`companies.list_columns`) of the number and of the amount; without one they are the first
    and the second. Raises UnusableContent for text that is not CSV, and for a header without a company number.
    """
    number_at, amount_at, first = 0, 1, True
    try:
        for row in csv.reader(lines):
            if not any(cell.strip() for cell in row):
                continue
            columns = columns_of(row, (_AMOUNT,)) if first else None
            first = False
            if columns is None:
                yield _entry(row, number_at, amount_at)
            else:
                number_at, amount_at = columns[NUMBER], columns.get(_AMOUNT, len(row))
    except csv.Error as error:
        raise UnusableContent(f"This is not CSV: {error}.") from error


def _require_unique_names(body: bytes) -> None:
    if not has_unique_names(body):
        raise UnusableContent("An object has two members of one name.")


def _entry(row: list[str], number_at: int, amount_at: int) -> Entry:
    number = row[number_at].strip().lstrip("\ufeff") if number_at < len(row) else ""
    amount = row[amount_at].strip() if amount_at < len(row) else ""
    if not amount:
        return Entry(number)
    if not (amount.isascii() and amount.isdigit() and len(amount) <= len(str(MAX_AMOUNT))):
        return Entry(number, error=f"The amount must be whole pounds, at most {MAX_AMOUNT:,}.")
    return Entry(number, int(amount))
