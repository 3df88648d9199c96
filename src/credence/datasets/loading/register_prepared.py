"""What a load stores of each row, made ready by whichever process reads the row (credit §2.2, `register_schema.py`)."""

import datetime as dt
import functools
from collections import Counter
from collections.abc import Iterator

import msgspec

from credence.companies.codes import is_dissolved
from credence.companies.facts.register import RegisterEntry
from credence.companies.place import place
from credence.companies.words import name_words, postcode_words, words
from credence.datasets import register_schema
from credence.datasets.sources.register.entry import RowError, read_entry
from credence.datasets.sources.register.snapshot import COLUMNS, Chunk, rows

_NUMBER = COLUMNS.index("CompanyNumber")


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One row of a snapshot. Of a refused one only `number`, as it stands in the file, and `refused` are given."""

    number: str
    refused: str = ""
    """The reason, such as `row.columns`."""
    status: str = ""
    entry: bytes = b""
    terms: str = ""
    """What it is found by, `register_schema.search_terms`."""
    names: tuple[str, ...] = ()
    """Present name and former names, each as one word."""
    place: str = ""
    """The address of the office, folded; empty when unknown."""
    division: str = ""
    """The first two digits of the first activity, of SIC 2007; empty when unknown."""


class Prepared(msgspec.Struct, frozen=True, array_like=True):
    """The rows of one chunk, and the cells left unknown by reason."""

    rows: list[Row]
    warnings: dict[str, int]


def prepare(chunk: Chunk, today: dt.date) -> Prepared:
    """Return all that a load of that day needs of a chunk; the work of a load that can be shared out."""
    warnings: Counter[str] = Counter()
    return Prepared(list(_rows(chunk, warnings, today)), warnings)


def _rows(chunk: Chunk, warnings: Counter[str], today: dt.date) -> Iterator[Row]:
    for cells in rows(chunk):
        if cells is None:
            yield Row("", "row.columns")
            continue
        try:
            yield _row(read_entry(cells, warnings, today))
        except RowError as refused:
            yield Row(cells[_NUMBER], str(refused))


def _row(entry: RegisterEntry) -> Row:
    name = name_words(entry.name)
    former = [name_words(each.name) for each in entry.former_names]
    activity = entry.activities[0].code if entry.activities else ""
    return Row(
        number=entry.number,
        status=entry.status,
        entry=register_schema.encode_entry(entry),
        terms=register_schema.search_terms(
            [*name, *(word for each in former for word in each)],
            _town(entry.office.town),
            postcode_words(entry.office.postcode),
            dissolved=is_dissolved(entry),
        ),
        names=tuple(dict.fromkeys(("".join(name), *("".join(each) for each in former)))),
        place=place(entry.office),
        division=activity[:2] if len(activity) == 5 else "",
    )


_town = functools.lru_cache(maxsize=4096)(words)
