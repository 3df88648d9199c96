"""The scale: a score of 60 is a probability of failure of 0.5 % within a year; 8 points double the odds (credit §7.3).

Score = 60 + 8 log2(odds / 199), odds = (1 - PD) / PD. Scores are whole numbers from 0 to 100.
"""

import math

ANCHOR = 60
ANCHOR_ODDS = 199
DOUBLING = 8
LOWEST, HIGHEST = 0, 100

POINTS_PER_LOGIT = DOUBLING / math.log(2)
"""11.5416 points for a change of the natural logarithm of the odds by 1."""


def score_of(probability: float) -> float:
    """Return the unrounded score of a probability of failure p, 0 < p < 1."""
    return ANCHOR + DOUBLING * math.log2((1 - probability) / probability / ANCHOR_ODDS)


def probability_of(score: float) -> float:
    """Return the probability of failure within a year for a score."""
    return 1 / (1 + ANCHOR_ODDS * 2 ** ((score - ANCHOR) / DOUBLING))


def odds_of(score: float) -> float:
    """Return the odds of survival, `n` of "n:1"."""
    return ANCHOR_ODDS * 2 ** ((score - ANCHOR) / DOUBLING)


def within(score: int) -> int:
    """Return the score limited to the scale."""
    return min(max(score, LOWEST), HIGHEST)
