"""Reads and writes companies of a portfolio as JSON and CSV, row by row: an error in one row does not affect the others."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from credence.companies.list_columns import NUMBER, columns_of
from credence.companies.number import normalise_or_none
from credence.csv_writing import csv_of, without_marks
from credence.errors import UnusableContent
from credence.store.portfolios import WatchedCompany

MAX_COMPANIES = 50_000
"""Maximum number of companies in one portfolio."""

MAX_EXPOSURE = 1_000_000_000_000
MAX_DIGITS = 20
"""Maximum number of digits of an exposure; Python rejects numbers of more than 4,300."""

MAX_CHARACTERS = 500
"""Maximum length of a note; a reference has at most a hundred characters."""

COLUMNS = (NUMBER, "reference", "exposure", "currency", "note")


class Row(msgspec.Struct, frozen=True):
    """One parsed row: a company, or its error."""

    number: str
    company: WatchedCompany | None = None
    fault: str = ""


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    company_number: Annotated[str, msgspec.Meta(max_length=100)]
    reference: str | None = None
    exposure: int | None = None
    currency: str | None = None
    note: str | None = None


_decode_list = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_written = msgspec.json.Decoder(_Written | str).decode
_SHAPE = "The row must be a company number, or an object with company_number, reference, exposure, currency and note."


def company_of(number: str, reference: str, exposure: str | int | None, currency: str, note: str) -> Row:
    """Return the row of these values."""
    normal = normalise_or_none(number)
    if normal is None:
        return Row(number[:100], fault="This is not a company number.")
    amount = exposure
    if isinstance(amount, str):
        digits = amount.strip()
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS
        amount = None if not digits else int(digits) if is_number else -1
    if amount is not None and not 0 <= amount <= MAX_EXPOSURE:
        return Row(normal, fault=f"The exposure must be whole units of the currency, at most {MAX_EXPOSURE:,}.")
    if currency and not (len(currency) == 3 and currency.isascii() and currency.isalpha() and currency.isupper()):
        return Row(normal, fault="The currency must be a code of three letters (ISO 4217), such as GBP.")
    if len(reference) > 100 or len(note) > MAX_CHARACTERS or not (reference + note).isprintable():
        return Row(normal, fault=f"Reference (100 characters) and note ({MAX_CHARACTERS}) must be text of one line.")
    return Row(normal, WatchedCompany(normal, reference, amount, currency, note))


def read_json(body: bytes) -> Iterator[Row]:
    """Yield the rows of a JSON array of numbers or objects; UnusableContent for anything else."""
    try:
        found = _decode_list(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnusableContent("The body must be a JSON array.") from error
    for raw in found:
        try:
            each = _decode_written(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            yield Row("", fault=_SHAPE)
            continue
        if isinstance(each, str):
            yield company_of(each, "", None, "", "")
        else:
            yield company_of(
                each.company_number, each.reference or "", each.exposure, each.currency or "", each.note or ""
            )


def read_csv(lines: Iterable[str]) -> Iterator[Row]:
    """Yield the rows of CSV.

    A header may name `COLUMNS` in any order (`companies.list_columns`); without one they are in that order. Raises
    UnusableContent for text that is not CSV, and for a header without a company number.
    """
    columns: Mapping[str, int] = {name: place for place, name in enumerate(COLUMNS)}
    first = True
    try:
        for row in csv.reader(lines):
            cells = [without_marks(cell.strip().lstrip("\ufeff")) for cell in row]
            if not any(cells):
                continue
            header = columns_of(cells, COLUMNS[1:]) if first else None
            first = False
            if header is None:
                yield company_of(*(_cell(cells, columns.get(name)) for name in COLUMNS))
            else:
                columns = header
    except csv.Error as error:
        raise UnusableContent(f"This is not CSV: {error}.") from error


def write_csv(companies: Iterable[WatchedCompany], *, header: bool) -> bytes:
    """Return companies as CSV, with or without the line of the column names; `read_csv` restores every cell."""
    rows = ((each.company, each.reference, each.exposure, each.currency, each.note) for each in companies)
    return csv_of([COLUMNS] if header else []) + csv_of(rows)


def _cell(cells: list[str], at: int | None) -> str:
    return cells[at] if at is not None and at < len(cells) else ""
