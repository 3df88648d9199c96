"""Two-generation approximate LRU cache with O(1) operations (threats A12)."""

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class GenerationalCache(Generic[K, V]):
    """Keeps between `max_size` and twice `max_size` entries. A full newer generation replaces the older one.

    `size` returns the size of a value if values differ in size; `max_size` is in the same unit.
    """

    def __init__(self, max_size: int, size: Callable[[V], int] = lambda _: 1) -> None:
        self._max_size = max_size
        self._size = size
        self._newer_size = 0
        self._newer: dict[K, V] = {}
        self._older: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Return the value, and move it to the newer generation."""
        value = self._newer.get(key)
        if value is None:
            value = self._older.get(key)
            if value is not None:
                self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Store the value. If the newer generation is full, it becomes the older one and the older one is dropped."""
        if self._newer_size >= self._max_size:
            self._newer, self._older, self._newer_size = {}, self._newer, 0
        previous = self._newer.get(key)
        self._newer_size += self._size(value) - (0 if previous is None else self._size(previous))
        self._newer[key] = value

    def clear(self) -> None:
        """Remove all entries."""
        self._newer, self._older, self._newer_size = {}, {}, 0
