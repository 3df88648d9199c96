"""Converts the rows of a snapshot to what the register stores; a large snapshot uses every core (credit §2.2)."""

import datetime as dt
import functools
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
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
"""The number of chunks that are always prepared in this process, because starting workers would take longer."""


class PreparedRows(msgspec.Struct, frozen=True, array_like=True):
    """The prepared rows of one chunk. A row is named by its place in the chunk, from 1.

    The values of kept rows are in lists of equal length, one for each column: they pass between processes and into the data
    set without a step of Python for each row.
    """

    rows: int
    refused: list[tuple[int, str, str]]
    """Place, number as in the file, and reason code, such as `row.columns`, of each rejected row."""
    warnings: dict[str, int]
    """Reason code -> unreadable cells."""
    former: list[tuple[int, str]]
    """Place and former name, written as one word, of each name that differs from the present one."""
    places: Sequence[int] = ()
    numbers: Sequence[str] = ()
    entries: Sequence[bytes] = ()
    terms: Sequence[str] = ()
    """The search terms of each kept row (`register_schema.search_terms`)."""
    names: Sequence[str] = ()
    """The present name of each kept row, written as one word."""
    addresses: Sequence[str] = ()
    """The `words.address_key` of each kept row; empty if unknown."""
    statuses: Sequence[str] = ()
    divisions: Sequence[str] = ()
    """The first two digits of the first SIC 2007 activity of each kept row; empty if unknown."""


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
    """Return the prepared rows of one chunk, and the warnings that the reader counted in it."""
    place = 0
    kept: list[tuple[int, str, bytes, str, str, str, str, str]] = []
    refused, former = list[tuple[int, str, str]](), list[tuple[int, str]]()
    for place, cells in enumerate(rows(chunk), 1):
        if cells is None:
            refused.append((place, "", "row.columns"))
            continue
        try:
            entry = reader.read(cells)
        except RowError as reason:
            refused.append((place, cells[_NUMBER], str(reason)))
            continue
        name = name_words(entry.name)
        joined = "".join(name)
        words_of_names = name
        if entry.former_names:
            names = [name_words(each.name) for each in entry.former_names]
            words_of_names = [*name, *chain.from_iterable(names)]
            others = dict.fromkeys(map("".join, names))
            former.extend((place, each) for each in others if each and each != joined)
        kept.append((place, entry.number, *_stored(entry, words_of_names), joined, *_counted(entry)))
    warnings, reader.warnings = reader.warnings, Counter()
    return PreparedRows(place, refused, warnings, former, *zip(*kept, strict=True))


def _stored(entry: RegisterEntry, words_of_names: list[str]) -> tuple[bytes, str]:
    terms = register_schema.search_terms(
        words_of_names,
        _town_words(entry.office.town),
        postcode_words(entry.office.postcode),
        dissolved=is_dissolved(entry),
    )
    return register_schema.encode_entry(entry), terms


def _counted(entry: RegisterEntry) -> tuple[str, str, str]:
    activity = entry.activities[0].code if entry.activities else ""
    return address_key(entry.office), entry.status, activity[:2] if len(activity) == 5 else ""


_town_words = functools.lru_cache(maxsize=4096)(words)
