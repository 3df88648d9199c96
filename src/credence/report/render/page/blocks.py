"""The blocks of a page as plain values. The HTML and the PDF are written from the same blocks."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from credence.report.render.page.text import shown

MOST_ROWS = 40
"""Maximum rows of a table; the page states how many more the JSON has. A hostile register cannot make a page long."""

T = TypeVar("T")


class Words(msgspec.Struct, frozen=True, tag_field="kind", tag="words"):
    """A paragraph."""

    text: str


class Notice(msgspec.Struct, frozen=True, tag_field="kind", tag="notice"):
    """A warning with its heading."""

    head: str
    text: str


class Link(msgspec.Struct, frozen=True, tag_field="kind", tag="link"):
    """A paragraph that ends in a link: `text`, then the link with its label."""

    text: str
    label: str
    address: str


class Items(msgspec.Struct, frozen=True, tag_field="kind", tag="items"):
    """A list of items: heading, detail and amount; the last two may be empty."""

    items: tuple[tuple[str, str, str], ...]
    more: int = 0


class Pairs(msgspec.Struct, frozen=True, tag_field="kind", tag="pairs"):
    """Names with their values."""

    pairs: tuple[tuple[str, str], ...]


class Table(msgspec.Struct, frozen=True, tag_field="kind", tag="table"):
    """A table. `align` has one letter for each column: l for words, r for amounts. The first column names the row."""

    caption: str
    heads: tuple[str, ...]
    align: str
    rows: tuple[tuple[str, ...], ...]
    more: int = 0
    """The number of rows left out."""
    strong: tuple[int, ...] = ()
    """The indexes of the rows that are sums."""


class Chart(msgspec.Struct, frozen=True, tag_field="kind", tag="chart"):
    """An SVG drawing with its text alternative and the table of its values."""

    title: str
    alt: str
    svg: str
    table: Table


class Beside(msgspec.Struct, frozen=True, tag_field="kind", tag="beside"):
    """Two columns side by side; on a narrow screen one below the other."""

    left: tuple["Block", ...]
    right: tuple["Block", ...]


Block = Words | Notice | Link | Items | Pairs | Table | Chart | Beside


class Section(msgspec.Struct, frozen=True):
    """A section of the page; `anchor` is its id in the HTML."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]
    decision: bool = False
    """Whether the section belongs to the decision: on paper these fill at most two pages, and the rest starts a new one."""


class Verdict(msgspec.Struct, frozen=True):
    """The score, or the reason for none, at the top of the page."""

    words: str
    sentence: str
    mark: str = ""
    """The letter of the band; empty without a score."""
    score: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    gauge: Chart | None = None


class Page(msgspec.Struct, frozen=True):
    """The whole page."""

    name: str
    facts: tuple[str, ...]
    """The facts below the name: number, status, legal form, day."""
    day: str
    verdict: Verdict
    warnings: tuple[Notice, ...]
    sections: tuple[Section, ...]
    foot: tuple[str, ...]


def capped(items: Sequence[T], row: Callable[[T], tuple[str, ...]]) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Return the rows of the first MOST_ROWS items, and the number of items left out."""
    return tuple(map(row, items[:MOST_ROWS])), max(0, len(items) - MOST_ROWS)


def page_data(page: Page, drawing: Callable[[str], str]) -> Any:
    """Return a page as plain data for a template: every text cleaned by `shown`, every SVG passed through `drawing`."""
    return _data(msgspec.to_builtins(page), drawing, "")


def _data(value: Any, drawing: Callable[[str], str], name: str) -> Any:
    match value:
        case dict():
            return {key: _data(each, drawing, key) for key, each in value.items()}
        case list() | tuple():
            return [_data(each, drawing, name) for each in value]
        case str() if name == "svg":
            return drawing(value)
        case str() if name != "address":
            return shown(value)
        case _:
            return value
