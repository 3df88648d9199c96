"""Divides lists into pages by key, and searches their rows by text."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from credence.blocks.forms import Search
from credence.clock import seconds
from credence.sites.kit.screen import Visit

PAGE_ROWS = 50

FETCHED_ROWS = 250
"""The rows that a search reads at once."""

MAX_FETCHES = 20
"""The most reads of one search."""

SEARCH_SECONDS = 0.03
"""Seconds after which a search starts no further read."""

MAX_QUERY_CHARACTERS = 500

T = TypeVar("T")


def search_of(visit: Visit, label: str, hint: str = "") -> Search:
    """Return the search field of a list with the text of the query."""
    return Search(label, visit.parameter("q")[:MAX_QUERY_CHARACTERS], hint)


async def page_of(
    visit: Visit,
    fetch: Callable[[str, int], Awaitable[Sequence[T]]],
    key: Callable[[T], str],
    texts: Callable[[T], Iterable[str | None]],
    keep: Callable[[T], bool] | None = None,
) -> tuple[list[T], str]:
    """Return the rows of this page that contain the search text, and the address of the next page, empty on the last.

    `fetch` returns rows after a key, at most the given number, in the order of `key`. `texts` are the searched texts of
    a row; case is ignored. Rows for which `keep` is false are left out. A search that reads many rows ends early, and
    the next page continues it.
    """
    wanted = visit.parameter("q")[:MAX_QUERY_CHARACTERS].casefold()
    after = visit.parameter("after")
    found: list[T] = []
    size = FETCHED_ROWS if wanted or keep is not None else PAGE_ROWS + 1
    deadline = seconds() + SEARCH_SECONDS
    for _ in range(MAX_FETCHES):
        rows = await fetch(after, size)
        for row in rows:
            if keep is not None and not keep(row):
                continue
            if wanted and not any(wanted in text.casefold() for text in texts(row) if text is not None):
                continue
            if len(found) == PAGE_ROWS:
                return found, following(visit, key(found[-1]))
            found.append(row)
        if len(rows) < FETCHED_ROWS:
            return found, ""
        after = key(rows[-1])
        if seconds() > deadline:
            break
    return found, following(visit, after)


def following(visit: Visit, after: str) -> str:
    """Return the address of the page that follows a key, with the same search."""
    kept = {name: value for name, value in visit.request.parameters.items() if name != "after"}
    return f"{visit.request.path}?{urlencode({**kept, 'after': after})}"
