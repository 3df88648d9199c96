"""What the register stores of each row of a snapshot, prepared on every core for a large snapshot (credit §2.2)."""

import datetime as dt
import functools
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import chain, islice

import msgspec

from credence.companies.codes import is_dissolved
from credence.companies.facts.register import RegisterEntry
from credence.companies.words import address_key, name_words, postcode_words, words
from credence.datasets import register_schema
from credence.datasets.loading.workers import Work, map_in_workers
from credence.datasets.sources.register.entry import EntryReader, RowError
from credence.datasets.sources.register.snapshot import COLUMNS, Chunk, rows

_NUMBER = COLUMNS.index("CompanyNumber")

_CHUNKS_WITHOUT_WORKERS = 4
"""The first chunks, prepared in this process: starting others would take longer."""


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One row of a snapshot. A rejected row has only `number`, as in the file, and `refused`."""

    number: str
    refused: str = ""
    """The reason, such as `row.columns`."""
    status: str = ""
    entry: bytes = b""
    terms: str = ""
    """`register_schema.search_terms`."""
    names: tuple[str, ...] = ()
    """Present name and former names, each as one word."""
    place: str = ""
    """`words.address_key`; empty if unknown."""
    division: str = ""
    """The first two digits of the first activity of SIC 2007; empty if unknown."""


class PreparedRows(msgspec.Struct, frozen=True, array_like=True):
    """The rows of one chunk, and the numbers of unreadable cells by reason."""

    rows: list[Row]
    warnings: dict[str, int]


_encode = msgspec.msgpack.Encoder().encode
_decode_chunk = msgspec.msgpack.Decoder(Chunk).decode
_decode_rows = msgspec.msgpack.Decoder(PreparedRows).decode


def prepare_all(chunks: Iterator[Chunk], today: dt.date) -> Generator[PreparedRows, None, None]:
    """Yield the prepared rows of each chunk, in order; `today` is the day of the load. LoadError if a worker fails."""
    reader = EntryReader(today)
    for chunk in islice(chunks, _CHUNKS_WITHOUT_WORKERS):
        yield prepare(chunk, reader)
    first = next(chunks, None)
    if first is not None:
        with closing(map_in_workers(map(_encode, chain((first,), chunks)), _worker, today)) as prepared:
            yield from map(_decode_rows, prepared)


def _worker(today: dt.date) -> Work:
    reader = EntryReader(today)
    return lambda chunk: _encode(prepare(_decode_chunk(chunk), reader))


def prepare(chunk: Chunk, reader: EntryReader) -> PreparedRows:
    """Return the prepared rows of one chunk, and the warnings that the reader has counted since the chunk before."""
    prepared = list(_rows(chunk, reader))
    warnings, reader.warnings = reader.warnings, Counter()
    return PreparedRows(prepared, warnings)


def _rows(chunk: Chunk, reader: EntryReader) -> Iterator[Row]:
    for cells in rows(chunk):
        if cells is None:
            yield Row("", "row.columns")
            continue
        try:
            yield _row(reader.read(cells))
        except RowError as refused:
            yield Row(cells[_NUMBER], str(refused))


def _row(entry: RegisterEntry) -> Row:
    name = name_words(entry.name)
    former = [name_words(each.name) for each in entry.former_names]
    activity = entry.activities[0].code if entry.activities else ""
    joined = "".join(name)
    return Row(
        number=entry.number,
        status=entry.status,
        entry=register_schema.encode_entry(entry),
        terms=register_schema.search_terms(
            [*name, *(word for each in former for word in each)] if former else name,
            _town_words(entry.office.town),
            postcode_words(entry.office.postcode),
            dissolved=is_dissolved(entry),
        ),
        names=tuple(dict.fromkeys((joined, *("".join(each) for each in former)))) if former else (joined,),
        place=address_key(entry.office),
        division=activity[:2] if len(activity) == 5 else "",
    )


_town_words = functools.lru_cache(maxsize=4096)(words)
