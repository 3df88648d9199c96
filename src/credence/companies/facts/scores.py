"""What earlier scoring runs held about one company, and how the scores of a run are spread (credit §7, report schema §8)."""

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import pairwise

import msgspec

SCORE = "score"
"""The measure under which scores are spread; the others are the codes of ratios."""

ALL_SECTIONS = ""
"""The section under which every company is counted."""


class PastScore(msgspec.Struct, frozen=True):
    """The score a run found; it stood until the next one, or a newer run found the same again."""

    run: dt.date
    """The day of the run, for which it judged."""
    day: dt.date
    """The day of the register's snapshot."""
    version: str
    """Of the model."""
    hash: str
    score: int
    limit: int | None
    lines: tuple[tuple[str, int], ...]
    """Code and points of each line; they add up to the score."""
    overridden: bool
    """Whether a rule on the legal state acted."""


class Spread(msgspec.Struct, frozen=True, array_like=True):
    """How many scored companies have which value, the values rising; at least one has one."""

    values: tuple[float, ...]
    until: tuple[int, ...]
    """Companies at each value and below it."""

    @property
    def companies(self) -> int:
        """All of them."""
        return self.until[-1]

    @property
    def mean(self) -> float:
        """The average value."""
        each = (upper - lower for lower, upper in pairwise((0, *self.until)))
        return sum(value * companies for value, companies in zip(self.values, each, strict=True)) / self.companies

    def counts(self, value: float) -> tuple[int, int, int]:
        """Return how many lie below a value, at it and above it."""
        below, upto = ((0, *self.until)[cut(self.values, value)] for cut in (bisect_left, bisect_right))
        return below, upto - below, self.companies - upto


class Scores(msgspec.Struct, frozen=True):
    """A company's scores by earlier runs, and the spreads of the last run."""

    past: tuple[PastScore, ...]
    """The newest first; only where the score, its limit or a line changed."""
    run: dt.date
    """The day of the last run."""
    spreads: Mapping[tuple[str, str], Spread]
    """Letter of the section and measure -> spread."""


def bucket(ratio: float) -> float:
    """Return the hundredth under which a ratio is counted; the ends of -10 and 10 hold what lies beyond."""
    return round(min(max(ratio, -10.0), 10.0), 2)
