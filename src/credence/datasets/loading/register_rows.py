"""Converts the rows of a snapshot to what the register stores; a large snapshot uses every core (credit §2.2)."""

import datetime as dt
import functools
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice

import msgspec

from credence.companies.codes import is_dissolved
from credence.companies.facts.register import Activity, RegisterEntry
from credence.companies.words import (
    joined_words_of_each,
    key_of_address,
    name_words,
    street_of,
    without_legal_ending,
    words,
    words_of_each,
    words_of_postcode,
)
from credence.datasets import register_schema
from credence.datasets.loading.workers import Work, map_in_workers
from credence.datasets.sources.register.entry import EntryReader
from credence.datasets.sources.register.snapshot import COLUMNS, Chunk, table

_NUMBER = COLUMNS.index("CompanyNumber")

_CHUNKS_WITHOUT_WORKERS = 16
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
    found = table(chunk)
    entries, without_entry = reader.read(found.columns)
    numbers, places = found.columns[_NUMBER], found.places
    refused = [(places[row], numbers[row], reason) for row, reason in without_entry]
    refused += [(place, "", "row.columns") for place in found.malformed]
    if without_entry:
        dropped = {row for row, _ in without_entry}
        places = [place for row, place in enumerate(places) if row not in dropped]
    words_of_names = [without_legal_ending(each) for each in words_of_each([entry.name for entry in entries])]
    names = list(map("".join, words_of_names))
    former = _add_former_names(places, entries, names, words_of_names)
    offices = [entry.office for entry in entries]
    postcodes = joined_words_of_each([office.postcode for office in offices])
    streets = joined_words_of_each(list(map(street_of, offices)))
    towns = [_town_terms(office.town) for office in offices]
    terms = list(
        map(
            register_schema.search_terms,
            words_of_names,
            towns,
            [register_schema.postcode_terms(words_of_postcode(each)) for each in postcodes],
            map(is_dissolved, entries),
        )
    )
    warnings = dict(reader.warnings)
    reader.warnings.clear()
    return PreparedRows(
        rows=found.rows,
        refused=sorted(refused),
        warnings=warnings,
        former=former,
        places=places,
        numbers=[entry.number for entry in entries],
        entries=list(map(register_schema.encode_entry, entries)),
        terms=terms,
        names=names,
        addresses=list(map(key_of_address, streets, postcodes, offices)),
        statuses=[entry.status for entry in entries],
        divisions=[_division(entry.activities) for entry in entries],
    )


def _add_former_names(
    places: Sequence[int], entries: Sequence[RegisterEntry], names: Sequence[str], words_of_names: list[list[str]]
) -> list[tuple[int, str]]:
    """Add the words of former names to those of the names; return place and name of each that differs from the present."""
    found = list[tuple[int, str]]()
    for row, entry in enumerate(entries):
        if entry.former_names:
            former = [name_words(each.name) for each in entry.former_names]
            words_of_names[row] = [*words_of_names[row], *chain.from_iterable(former)]
            found.extend(
                (places[row], each) for each in dict.fromkeys(map("".join, former)) if each and each != names[row]
            )
    return found


def _division(activities: Sequence[Activity]) -> str:
    code = activities[0].code if activities else ""
    return code[:2] if len(code) == 5 else ""


@functools.lru_cache(maxsize=4096)
def _town_terms(town: str) -> str:
    return register_schema.town_terms(words(town))
