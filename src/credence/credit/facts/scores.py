"""What earlier scoring runs held about one company, and how the scores of a run are spread (credit §7, report schema §8)."""

import datetime as dt
from collections.abc import Mapping

import msgspec

SCORE = "score"
"""The measure under which scores are spread; the others are the codes of ratios."""

ALL_SECTIONS = ""
"""The section under which every company is counted."""


class PastScore(msgspec.Struct, frozen=True):
    """The score a run found; it stood until the next one, or a newer run found the same again."""

    run: dt.date
    """The day of the run."""
    day: dt.date
    """The day for which it judged."""
    version: str
    """Of the model."""
    hash: str
    score: int
    limit: int | None
    lines: tuple[tuple[str, int], ...]
    """Code and points of each line; they add up to the score."""
    overridden: bool
    """Whether a rule on the legal state acted."""


class Spread(msgspec.Struct, frozen=True):
    """How many scored companies have which value, the values rising."""

    values: tuple[float, ...]
    companies: tuple[int, ...]

    def counts(self, value: float) -> tuple[int, int, int]:
        """Return how many lie below a value, at it and above it."""
        below = sum(n for held, n in zip(self.values, self.companies, strict=True) if held < value)
        same = sum(n for held, n in zip(self.values, self.companies, strict=True) if held == value)
        return below, same, sum(self.companies) - below - same


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
