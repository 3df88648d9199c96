"""What is counted of each answer, in plain integers, for whoever asks later (`metrics.py`).

Labels are routes, classes of status and reason codes: words of the source, so there is a bound to them, and none is of a
caller's choosing (threats A12).
"""

from collections import Counter
from dataclasses import dataclass, field

NO_ROUTE = "none"
"""Stands for a path that leads nowhere."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Answers by route and class of status, refusals by reason code, since the start."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def answered(self, route: str | None, status: int) -> None:
        """Count an answer."""
        self.answers[route or NO_ROUTE, status // 100] += 1
