"""Counters of responses and refusals, as plain integers, which `metrics.py` exports.

The labels are routes, status classes and reason codes. All are constants of the source, so their number is bounded and
callers cannot add any (threats A12).
"""

from collections import Counter
from dataclasses import dataclass, field

NO_ROUTE = "none"
"""The route label for unknown paths."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Responses by route and status class, and refusals by reason code, since the start."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def answered(self, route: str | None, status: int) -> None:
        """Count a response."""
        self.answers[route or NO_ROUTE, status // 100] += 1
