"""A company's scores by earlier scoring runs, and the distribution of a run's scores (credit §7, report schema §8)."""

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from operator import mul, sub

import msgspec

SCORE = "score"
"""The measure of the distribution of scores; others are codes of ratios, and those of payments."""

DAYS_TO_PAY, NOT_WITHIN_TERMS = "days-to-pay", "not-within-terms"
"""The measures of the newest statutory report on payments; every company that reported counts, scored or not."""

ALL_SECTIONS = ""
"""The code of the section that includes every company."""


class PastScore(msgspec.Struct, frozen=True):
    """The score of one run."""

    run: dt.date
    """The day of judgement: the day of the run."""
    day: dt.date
    """The day of the register's snapshot."""
    version: str
    """The version of the model."""
    hash: str
    score: int
    limit: int | None
    lines: tuple[tuple[str, int], ...]
    """Code and points of each line; the points add up to the score."""
    overridden: bool
    """Whether a rule on the legal state changed the score."""


class Spread(msgspec.Struct, frozen=True, array_like=True):
    """The distribution of a measure over the companies that have it, of which there is at least one."""

    values: tuple[float, ...]
    """The distinct values, ascending."""
    until: tuple[int, ...]
    """For each value, the number of companies at or below it."""

    @property
    def companies(self) -> int:
        """The number of companies."""
        return self.until[-1]

    @property
    def mean(self) -> float:
        """The average value."""
        companies = map(sub, self.until, (0, *self.until))  # with each value; the first is counted from 0
        total: float = sum(map(mul, self.values, companies))
        return total / self.companies

    @property
    def median(self) -> float:
        """The value of the middle company, of two the lower."""
        return self.values[bisect_left(self.until, (self.companies + 1) // 2)]

    def counts(self, value: float) -> tuple[int, int, int]:
        """Return the numbers of companies below a value, at it and above it."""
        first, after = bisect_left(self.values, value), bisect_right(self.values, value)
        below = self.until[first - 1] if first else 0
        upto = self.until[after - 1] if after else 0
        return below, upto - below, self.until[-1] - upto


class Scores(msgspec.Struct, frozen=True):
    """A company's scores by earlier runs, and the distributions of the last run."""

    past: tuple[PastScore, ...]
    """The scores, newest first; a run that changed neither score, limit nor a line is left out."""
    run: dt.date
    """The day of the last run."""
    spreads: Mapping[tuple[str, str], Spread]
    """Letter of the section and measure -> distribution."""
    day: dt.date | None = None
    """The day of the register's snapshot that the last run scored."""

    def known_by(self, day: dt.date) -> "Scores | None":
        """Return the scores of runs up to a day, without a distribution if the last run is later; None without any."""
        past = tuple(each for each in self.past if each.run <= day)
        if not past:
            return None
        return self if self.run <= day else msgspec.structs.replace(self, past=past, spreads={})


def bucket(ratio: float) -> float:
    """Return a ratio rounded to hundredths and limited to -10 to 10, the value that the distributions count."""
    return round(min(max(ratio, -10.0), 10.0), 2)
