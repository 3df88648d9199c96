"""Reduces the refusals of unauthenticated callers to one line per second and network (threats A12).

Otherwise an unauthenticated caller would write as many lines as requests, and displace the lines of others.
"""

from collections.abc import Callable

from credence.clock import Milliseconds

Write = Callable[[Milliseconds, str, int], None]
"""Writes the number of refusals of a network that were not written, given a time within their second."""


class Folding:
    """Collapses the refusals of one network within a second into a first line and a count. Call `flush` once a second."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._folded: dict[str, tuple[Milliseconds, int]] = {}
        """Network -> the time of its first refusal, and the number of further ones within that second."""

    def is_first(self, network: str, now: Milliseconds) -> bool:
        """Return whether this refusal gets its own line; otherwise it is counted."""
        first, count = self._folded.get(network, (None, 0))
        if first is not None and now // 1000 == first // 1000:
            self._folded[network] = (first, count + 1)
            return False
        if first is not None and count:
            self._write(first, network, count)
        self._folded[network] = (now, 0)
        return True

    def flush(self, now: Milliseconds | None = None) -> None:
        """Write the counts of all seconds before the present one, or of all when `now` is None."""
        ended = {
            network: each for network, each in self._folded.items() if now is None or each[0] // 1000 != now // 1000
        }
        for network, (first, count) in ended.items():
            del self._folded[network]
            if count:
                self._write(first, network, count)
