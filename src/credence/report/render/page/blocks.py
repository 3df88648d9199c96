"""What a page is made of. Blocks are plain values: the HTML and the PDF are written from the same ones."""

import msgspec

MOST_ROWS = 40
"""Rows of a table on the page; the rest is counted, and the JSON has it. A hostile register cannot make a book."""


class Words(msgspec.Struct, frozen=True, tag_field="kind", tag="words"):
    """A paragraph."""

    text: str


class Notice(msgspec.Struct, frozen=True, tag_field="kind", tag="notice"):
    """A paragraph that must not be overlooked, under a heading of its own."""

    head: str
    text: str


class Link(msgspec.Struct, frozen=True, tag_field="kind", tag="link"):
    """A line that leads elsewhere; `text` goes before it."""

    text: str
    label: str
    address: str


class Items(msgspec.Struct, frozen=True, tag_field="kind", tag="items"):
    """A list: what each item is about, what there is to say, and perhaps an amount beside it."""

    items: tuple[tuple[str, str, str], ...]
    more: int = 0


class Pairs(msgspec.Struct, frozen=True, tag_field="kind", tag="pairs"):
    """Names and what they stand for."""

    pairs: tuple[tuple[str, str], ...]


class Table(msgspec.Struct, frozen=True, tag_field="kind", tag="table"):
    """A table. `align` has one letter a column: l for words, r for amounts. The first column names its row."""

    caption: str
    heads: tuple[str, ...]
    align: str
    rows: tuple[tuple[str, ...], ...]
    more: int = 0
    """Rows that were left out."""
    strong: tuple[int, ...] = ()
    """Rows that are sums."""


class Chart(msgspec.Struct, frozen=True, tag_field="kind", tag="chart"):
    """A drawing, what it shows in a sentence, and the table of what it was drawn from."""

    title: str
    alt: str
    svg: str
    table: Table


class Beside(msgspec.Struct, frozen=True, tag_field="kind", tag="beside"):
    """Two columns where there is room, else one after the other."""

    left: tuple["Block", ...]
    right: tuple["Block", ...]


Block = Words | Notice | Link | Items | Pairs | Table | Chart | Beside


class Section(msgspec.Struct, frozen=True):
    """A part of the page; `anchor` names it in addresses."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]


class Verdict(msgspec.Struct, frozen=True):
    """The answer on top: a letter and a number where there is a score, the words in any case."""

    words: str
    sentence: str
    mark: str = ""
    """Letter of the band; empty when there is no score."""
    score: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    gauge: Chart | None = None


class Page(msgspec.Struct, frozen=True):
    """The whole page."""

    name: str
    facts: tuple[str, ...]
    """What stands below the name: number, status, form, day."""
    day: str
    verdict: Verdict
    warnings: tuple[Notice, ...]
    sections: tuple[Section, ...]
    foot: tuple[str, ...]


def capped(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Return the rows that a page shows, and how many it does not."""
    return rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS)
