"""Counters of responses and refusals, as plain integers, which `metrics.py` exports.

The labels are routes, status classes and reason codes. All are constants of the source, so their number is bounded and
callers cannot add any (threats A12).
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from credence.telemetry.histogram import Histogram

NO_ROUTE = "none"
"""The route label for unknown paths."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of one process since its start."""

    answers: dict[tuple[str, int], Histogram] = field(default_factory=lambda: defaultdict(Histogram))
    """Durations of responses, by route (`NO_ROUTE` for unknown paths) and status class, such as 2 for 200."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Refusals by reason code."""
