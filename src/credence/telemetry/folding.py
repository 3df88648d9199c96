"""Folds refusals of callers who proved nothing into one line a second and address (threats A12).

Without it a caller without credentials writes as many lines as requests, and displaces those of others.
"""

from collections.abc import Callable

from credence.clock import Milliseconds

Write = Callable[[Milliseconds, str, int], None]
"""Writes how many refusals of an address were folded into one line, given a time within their second."""


class Folding:
    """The addresses with a refusal in the present second. Call `flush` once per second."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._folded: dict[str, tuple[Milliseconds, int]] = {}
        """By address prefix: the time of the first refusal, and how many followed within its second."""

    def is_first(self, prefix: str, now: Milliseconds) -> bool:
        """Return whether this refusal gets a line of its own; otherwise it is counted."""
        first, count = self._folded.get(prefix, (None, 0))
        if first is not None and now // 1000 == first // 1000:
            self._folded[prefix] = (first, count + 1)
            return False
        if first is not None and count:
            self._write(first, prefix, count)
        self._folded[prefix] = (now, 0)
        return True

    def flush(self, now: Milliseconds | None = None) -> None:
        """Write the counts of all seconds before the present one, or of all when `now` is None."""
        ended = {prefix: each for prefix, each in self._folded.items() if now is None or each[0] // 1000 != now // 1000}
        for prefix, (first, count) in ended.items():
            del self._folded[prefix]
            if count:
                self._write(first, prefix, count)
