"""The queue of refusals to be written to a shared store, so that each node can explain those of the others (threats A11).

A request only adds to the queue. If it is full, further refusals are only counted: they are in the trail of their node, but
not in the store.
"""

from collections import deque

MAX_WAITING = 5_000
"""The length of the queue: some megabytes, and ten seconds of refusals at the rate at which they are written."""


class RefusalQueue:
    """Request ids and lines of refusals, the oldest first."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, bytes]] = deque()
        self.dropped = 0
        """The number of refusals since the start that were not queued because the queue was full."""

    def put(self, request_id: str, line: bytes) -> None:
        """Add a refusal. Never waits and never fails."""
        if len(self._waiting) >= MAX_WAITING:
            self.dropped += 1
        else:
            self._waiting.append((request_id, line))

    def oldest(self, count: int) -> list[tuple[str, bytes]]:
        """Return the `count` oldest refusals, or fewer. They stay in the queue until `remove`."""
        return [self._waiting[number] for number in range(min(count, len(self._waiting)))]

    def remove(self, count: int) -> None:
        """Remove the `count` oldest refusals, which have been written."""
        for _ in range(count):
            self._waiting.popleft()
