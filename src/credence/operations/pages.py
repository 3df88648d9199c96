"""Pages of a list by the key of the last entry: unlike an offset, it stays correct while entries are added and deleted."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from credence.crypto import base64url

T = TypeVar("T")

MAX_PAGE_SIZE = 1_000
_MAX_TOKEN = 400


class Page(NamedTuple):
    """The part of a list that a caller selects: at most `size` entries with keys greater than `after`."""

    after: str = ""
    size: int = MAX_PAGE_SIZE


def first_of(found: Sequence[T], key: Callable[[T], str], page: Page) -> tuple[Sequence[T], str]:
    """Return the entries of a page and the token of the next page, which is empty on the last.

    `found` has the entries after `page.after` in the order of their keys: all, or at least one more than the page.
    """
    entries = found[: page.size]
    return entries, "" if len(found) == len(entries) else base64url.encode(key(entries[-1]).encode())


def after(token: str) -> str:
    """Return the key after which the page with this token begins. Raises ValueError for a text that is no token."""
    if len(token) > _MAX_TOKEN:
        raise ValueError("too long")
    key = base64url.decode(token).decode()
    if "\0" in key:
        raise ValueError("has a zero character")
    return key
