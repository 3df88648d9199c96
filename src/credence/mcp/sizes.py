"""Limits the length of an answer: a model reads only a part of a long one, and companies may file any amount (D32)."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from credence.mcp.inert_text import LONGEST, inert_values

MAX_CHARACTERS = 24_000
"""The most characters of the data of one answer as JSON: some 8,000 tokens."""

PAGE_CHARACTERS = 16_000
"""The most characters of the entries on one page."""

_SHORTER = (LONGEST, 200, 80)
"""Lengths to which every text of an answer is cut: the first that keeps the answer within `MAX_CHARACTERS` is used."""

_Entry = TypeVar("_Entry")


def fitting(result: object) -> dict[str, Any]:
    """Return the members of a result with every text inert, cut as far as the result would exceed `MAX_CHARACTERS`."""
    members: dict[str, Any] = msgspec.to_builtins(result)
    for longest in _SHORTER:
        found: dict[str, Any] = inert_values(members, longest)
        if len(msgspec.json.encode(found)) <= MAX_CHARACTERS:
            break
    return found


def pages_of(entries: Iterable[_Entry], most: int) -> Iterator[list[_Entry]]:
    """Yield the entries in pages of at most `most` entries and `PAGE_CHARACTERS`; an entry is never divided."""
    page: list[_Entry] = []
    room = PAGE_CHARACTERS
    for entry in entries:
        size = _size(entry)
        if page and (len(page) == most or size > room):
            yield page
            page, room = [], PAGE_CHARACTERS
        page.append(entry)
        room -= size
    if page:
        yield page


def _size(entry: object) -> int:
    """Return an upper bound of the characters of an entry: making a text inert never makes it longer."""
    return len(msgspec.json.encode(entry))
