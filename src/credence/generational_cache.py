"""A bounded map that forgets what was longest not asked for, in constant time (threats A12)."""

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class GenerationalCache(Generic[K, V]):
    """Holds between `most` and twice `most` entries: when the newer half is full, the older half goes as a whole.

    Where entries differ in size, `size` weighs each and `most` is in its unit.
    """

    def __init__(self, most: int, size: Callable[[V], int] = lambda _: 1) -> None:
        self._most = most
        self._size = size
        self._newer_size = 0
        self._newer: dict[K, V] = {}
        self._older: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Return the value and count it as asked for."""
        value = self._newer.get(key)
        if value is None:
            value = self._older.get(key)
            if value is not None:
                self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Hold the value."""
        if self._newer_size >= self._most:
            self._newer, self._older, self._newer_size = {}, self._newer, 0
        held = self._newer.get(key)
        self._newer_size += self._size(value) - (0 if held is None else self._size(held))
        self._newer[key] = value

    def clear(self) -> None:
        """Forget everything."""
        self._newer, self._older, self._newer_size = {}, {}, 0
