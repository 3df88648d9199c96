"""Reads the rows of tallies."""

from collections.abc import Iterable, Sequence

from credence.clock import Milliseconds
from credence.store.records import Tally


def tallies_in_order(keys: Sequence[bytes], rows: Iterable[tuple[bytes, Milliseconds, Milliseconds]]) -> list[Tally]:
    """Return one tally for each key, given rows of key, `drains_at` and `trusted_until`; empty for a key without row."""
    found = {key: Tally(drains_at, trusted_until) for key, drains_at, trusted_until in rows}
    return [found.get(key, Tally()) for key in keys]
