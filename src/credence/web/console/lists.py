"""Cuts lists into pages that begin after a key, and finds rows by text."""

from collections.abc import Callable, Iterable
from typing import TypeVar
from urllib.parse import urlencode

from credence.web.console.blocks import Search
from credence.web.console.screen import Visit

PAGE_ROWS = 50

MAX_QUERY_CHARACTERS = 500

T = TypeVar("T")


def search_of(visit: Visit, label: str, hint: str = "") -> Search:
    """Return the search of a list with what was searched for."""
    return Search(label, visit.asked("q")[:MAX_QUERY_CHARACTERS], hint)


def page_of(
    visit: Visit, rows: Iterable[T], key: Callable[[T], str], texts: Callable[[T], Iterable[str | None]]
) -> tuple[list[T], str]:
    """Return the rows of this page that contain what was searched for, and the address of the next page, if there is one.

    `rows` are ordered by `key`; `texts` are those of a row in which is searched, without regard to case.
    """
    wanted = visit.asked("q")[:MAX_QUERY_CHARACTERS].casefold()
    after = visit.asked("after")
    found: list[T] = []
    for row in rows:
        if key(row) <= after or not (
            not wanted or any(wanted in text.casefold() for text in texts(row) if text is not None)
        ):
            continue
        if len(found) == PAGE_ROWS:
            return found, following(visit, key(found[-1]))
        found.append(row)
    return found, ""


def following(visit: Visit, after: str) -> str:
    """Return the address of the page after a key, with the same search."""
    kept = {name: value for name, value in visit.request.parameters.items() if name != "after"}
    return f"{visit.request.path}?{urlencode({**kept, 'after': after})}"
