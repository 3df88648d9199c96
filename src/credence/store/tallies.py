"""What the tallies of every store have in common (threats A4)."""

from collections.abc import Iterable, Sequence

from credence.clock import Milliseconds
from credence.store.records import Tally

LONGEST_KEY = 32
"""Octets."""


def in_order(keys: Sequence[bytes], rows: Iterable[tuple[bytes, Milliseconds, Milliseconds]]) -> list[Tally]:
    """Return one tally a key, an empty one where there is no row."""
    found = {key: Tally(drains_at, trusted_until) for key, drains_at, trusted_until in rows}
    return [found.get(key, Tally()) for key in keys]


def last_key(beginning: bytes) -> bytes:
    """Return the last key that begins so; the first is the beginning itself."""
    return beginning.ljust(LONGEST_KEY, b"\xff")
