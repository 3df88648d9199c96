"""Repeats a write that is made from what was read, after each concurrent change of it (threats E10)."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from credence.store.errors import Conflict

ATTEMPTS: Final = 5
"""How often a write is tried; each failure is a concurrent change."""

T = TypeVar("T")


async def repeated(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what `attempt`, which reads and writes, returns; it is called again after each Conflict.

    Raises the Conflict of the last of `ATTEMPTS` attempts.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return await attempt()
        except Conflict:
            continue
    return await attempt()
