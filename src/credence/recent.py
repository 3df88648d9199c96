"""A bounded map that forgets what was longest not asked for, in constant time (threats A12)."""

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Holds between `most` and twice `most` entries: when the newer half is full, the older half goes as a whole."""

    def __init__(self, most: int) -> None:
        self._most = most
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
        if len(self._newer) >= self._most:
            self._newer, self._older = {}, self._newer
        self._newer[key] = value

    def clear(self) -> None:
        """Forget everything."""
        self._newer, self._older = {}, {}
