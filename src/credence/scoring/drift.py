"""Drift: how much the scored companies differ from those of another run, or of the fitting data.

The population stability index of an input is the sum over its ranges of (share now - share then) x ln(share now / share
then): Siddiqi, N. (2006), Credit Risk Scorecards, chapter 9; its distribution: Yurdakul, B. and Naranjo, J. (2020), Journal
of Risk Model Validation 14(4). By convention it is small below 0.1, and above 0.25 the population counts as a different
one.
"""

import math
from collections.abc import Sequence

SMALL, LARGE = 0.1, 0.25


def stability_index(then: Sequence[int], now: Sequence[int]) -> float | None:
    """Return the index of two populations, given the companies in each range; None if one of them is empty.

    An empty range counts as half a company, which keeps the logarithm finite. Raises ValueError if the numbers of ranges
    differ.
    """
    if not sum(then) or not sum(now):
        return None
    before, after = ([max(each, 0.5) / sum(counts) for each in counts] for counts in (then, now))
    return sum((there - here) * math.log(there / here) for here, there in zip(before, after, strict=True))
