"""What a score means: 60 is a probability of failure of 0.5 % within a year, and 8 points double the odds (credit §7.3).

Score = 60 + 8 log2(odds / 199), odds = (1 - PD) / PD. A whole score from 0 to 100 is shown; sums are exact before that.
"""

import math

ANCHOR = 60
ANCHOR_ODDS = 199
DOUBLING = 8
LOWEST, HIGHEST = 0, 100

POINTS_PER_LOGIT = DOUBLING / math.log(2)
"""11.5416: what a change of the natural logarithm of the odds by 1 is worth."""


def score_of(probability: float) -> float:
    """Return the unrounded score of a probability of failure, which lies between 0 and 1 and is neither."""
    return ANCHOR + DOUBLING * math.log2((1 - probability) / probability / ANCHOR_ODDS)


def probability_of(score: float) -> float:
    """Return the probability of failure within a year that a score stands for."""
    return 1 / (1 + ANCHOR_ODDS * 2 ** ((score - ANCHOR) / DOUBLING))


def odds_of(score: float) -> float:
    """Return the odds of survival, `n` of "n:1"."""
    return ANCHOR_ODDS * 2 ** ((score - ANCHOR) / DOUBLING)


def within(score: int) -> int:
    """Return the score cut to the scale."""
    return min(max(score, LOWEST), HIGHEST)
