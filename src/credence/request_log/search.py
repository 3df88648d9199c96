"""Searches the request log of this node, the newest record first, within a limited time.

A search reads the marks of the blocks from the newest to the oldest, and opens those that may have a match. When the time
is over it returns the matches so far and how far it searched; the next page continues from there.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds, seconds
from credence.request_log.block import records_of
from credence.request_log.query import Query
from credence.request_log.record import Record, may_have

BUDGET_SECONDS = 0.15
"""The maximum duration of a search, except that a block that was begun is finished."""


class Place(NamedTuple):
    """A position in the log: records before it are older, or of the same instant with a smaller request id."""

    at: Milliseconds
    request_id: str


NEWEST = Place(2**62, "")


@dataclass(frozen=True, slots=True)
class Found:
    """A page of matches, the newest first."""

    records: tuple[Record, ...] = ()
    next: Place | None = None
    """Where the next page begins; None if everything was searched."""
    looked_back_to: Milliseconds = 0
    """The page and those before it contain all matches since this instant; 0 if everything was searched."""
    is_partial: bool = False
    """Whether the time limit ended the search, and not the size of the page."""
    lost: int = 0
    """The number of requests in the searched period that could not be written."""
    unreadable: int = 0
    """The number of shared blocks in the searched period that this node cannot read."""


class _Block(NamedTuple):
    id: int
    last: Milliseconds
    lost: int
    marks: bytes


def search(path: Path, query: Query, size: int, before: Place = NEWEST, budget: float = BUDGET_SECONDS) -> Found:
    """Return at most `size` matches before a position. Raises OSError if the log cannot be read.

    A node without a log has no records.
    """
    if not path.exists():
        return Found()
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)) as connection:
            connection.execute("begin")  # one snapshot of the file for all reads
            return _search(connection, query, size, before, seconds() + budget)
    except (sqlite3.Error, msgspec.DecodeError) as error:
        raise OSError(f"the request log {path} cannot be read: {error}") from error


def _search(connection: sqlite3.Connection, query: Query, size: int, before: Place, deadline: float) -> Found:
    matches: list[Record] = []
    lost = 0
    blocks = _blocks(connection, query, before)
    block = next(blocks, None)
    while block is not None:
        lost += block.lost
        if may_have(block.marks, query.marks):
            matches += _matches(connection, block.id, query, before)
        block = next(blocks, None)
        frontier = block.last if block is not None else -1
        known = [each for each in matches if each.at > frontier]
        if len(known) > size:
            return _page(matches, size, lost)
        if block is not None and frontier + 1 < before.at and seconds() > deadline:
            records = tuple(sorted(known, key=_place, reverse=True))
            return Found(records, Place(frontier + 1, ""), frontier + 1, is_partial=True, lost=lost)
    if len(matches) > size:
        return _page(matches, size, lost)
    return Found(tuple(sorted(matches, key=_place, reverse=True)), lost=lost)


def _page(matches: list[Record], size: int, lost: int) -> Found:
    records = tuple(sorted(matches, key=_place, reverse=True)[:size])
    last = _place(records[-1])
    return Found(records, last, last.at, lost=lost)


def _place(record: Record) -> Place:
    return Place(record.at, record.request_id)


def _blocks(connection: sqlite3.Connection, query: Query, before: Place) -> Iterator[_Block]:
    """Yield the blocks that may have a record before the position, by the time of their newest record."""
    newest = min(before.at, query.until - 1)
    if query.serial is not None:
        statement = (
            "select id, last, lost, marks from blocks where process = ? and highest >= ? and lowest <= ?"
            " and first <= ? and last >= ? order by last desc"
        )
        process, number = query.serial
        rows = connection.execute(statement, (process, number, number, newest, query.since))
    else:
        statement = "select id, last, lost, marks from blocks where last >= ? and first <= ? order by last desc"
        rows = connection.execute(statement, (query.since, newest))
    return (_Block(*row) for row in rows)


def _matches(connection: sqlite3.Connection, block: int, query: Query, before: Place) -> list[Record]:
    (content,) = connection.execute("select content from blocks where id = ?", (block,)).fetchone()
    return matches_of(content, query, before)


def matches_of(content: bytes, query: Query, before: Place) -> list[Record]:
    """Return the records of a block that match and come before the position. Raises msgspec.DecodeError."""
    return [
        record
        for record in records_of(content)
        if query.since <= record.at < query.until
        and (record.at, record.request_id) < before
        and all(test(record) for test in query.tests)
    ]


def extent(path: Path) -> tuple[list[str], Milliseconds]:
    """Return the processes of the blocks in the file of this node, and the last instant of the oldest. Raises OSError."""
    if not path.exists():
        return [], NEWEST.at
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)) as connection:
            processes = [each for (each,) in connection.execute("select distinct process from blocks")]
            (last,) = connection.execute("select min(last) from blocks").fetchone()
    except sqlite3.Error as error:
        raise OSError(f"the request log {path} cannot be read: {error}") from error
    return processes, NEWEST.at if last is None else int(last)
