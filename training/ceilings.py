"""Ceilings of the score for net liabilities, losses, and debts that are not or barely covered (credit §7.2).

They are the scores of failure rates of the labelled data: points of ratios add up, but a company whose assets do not cover
its debts and that loses money fails more often than they say. The failure rate of such companies, levelled from the rate
of the data to the national one (the prior correction), is the highest score that they can have.
"""

from collections.abc import Iterator
from math import exp, log

import msgspec
import numpy as np

from credence.backtest.discrimination import wilson
from credence.scoring.basis.scale import score_of
from credence.scoring.reservations.of_figures import EARNING, LIQUID, THIN
from training.measures import Flags
from training.polish import Sample

DEEP = 0.33
"""Net liabilities as a share of assets, from which they count as deep."""


class Ceiling(msgspec.Struct, frozen=True):
    """The failures among the companies of one state, and the score of their rate at the national level."""

    words: str
    """The words after "fitted: " in the table of reservations."""
    companies: int
    failures: int
    low: float
    high: float
    """The 95 % interval of the failure rate."""
    at_most: int


def ceilings(sample: Sample, national: float) -> tuple[Ceiling, ...]:
    """Return the ceiling of each state; `national` is the failure rate of all companies in a year."""
    base = float(sample.failed.mean())
    return tuple(_ceiling(words, sample.failed[of], base, national) for words, of in _states(sample))


def _states(sample: Sample) -> Iterator[tuple[str, Flags]]:
    codes = ("equity", "current-ratio", "profit-before-tax", "quick-ratio")
    equity, current, profit, quick = sample.inputs(codes).T
    deep, shallow = equity < -DEEP, (equity >= -DEEP) & (equity < 0)
    every = np.ones_like(deep)
    for result, of in (("with a loss", profit < 0), ("with a profit", profit >= 0), ("", every)):
        after = f", {result}" if result else ""
        yield f"net liabilities above {DEEP} of assets{after}", deep & of
        yield f"net liabilities up to {DEEP} of assets{after}", shallow & of
    short, solvent = current < 1, equity >= 0
    consumed = np.where(equity > 0, -profit / np.where(equity > 0, equity, 1), np.where(profit < 0, np.inf, 0))
    yield "a loss of more than half of net assets", solvent & (consumed > 1 / 2)
    yield "a loss of more than a third of net assets, up to half", solvent & (consumed > 1 / 3) & (consumed <= 1 / 2)
    yield "a loss, and current assets below what is due within a year", short & (profit < 0) & solvent
    earning, due = (profit >= EARNING) & (equity >= THIN), "current assets below what is due within a year"
    yield f"{due}, with a good profit and net assets", short & earning
    yield f"{due}, with a smaller profit or lower net assets", short & (profit >= 0) & solvent & ~earning
    yield "current assets below what is due within a year", short & solvent
    barely = (current >= 1) & (current < 1 + THIN) & solvent & (equity < THIN)
    yield (
        "net assets below a fifth of assets, and current assets less than a fifth above what is due within a year",
        barely,
    )
    waiting = (current >= 1) & (quick < LIQUID) & solvent
    of = "current assets without stocks below a quarter of what is due within a year"
    yield f"{of}, and net assets below a fifth", waiting & (equity < THIN)
    yield f"{of}, and higher net assets", waiting & (equity >= THIN)


def _ceiling(words: str, failed: Flags, base: float, national: float) -> Ceiling:
    rate = float(failed.mean())
    low, high = wilson(rate, len(failed))
    at_most = round(score_of(levelled(rate, base, national)))
    return Ceiling(words, len(failed), int(failed.sum()), low, high, at_most)


def levelled(rate: float, base: float, national: float) -> float:
    """Return a failure rate among companies of which `base` fail, for companies of which `national` fail."""
    return 1 / (1 + exp(-(_logit(rate) - _logit(base) + _logit(national))))


def _logit(rate: float) -> float:
    return log(rate / (1 - rate))
