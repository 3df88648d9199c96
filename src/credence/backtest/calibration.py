"""Whether as many companies fail as the score expects: by decile of risk and by band, with Brier and log score."""

import math
from collections.abc import Callable, Sequence

import msgspec

from credence.backtest.discrimination import Cell, quantile_of, totals, wilson
from credence.scoring.limit import Terms, band_of

DECILES = 10

Probability = Callable[[float], float]
"""A risk -> the probability of failure within the horizon."""


class Part(msgspec.Struct, frozen=True):
    """Some companies: the rate that was expected, the rate that was observed, and its 95 % interval."""

    name: str
    companies: int
    failed: int
    expected: float
    observed: float
    low: float
    high: float


class Calibration(msgspec.Struct, frozen=True):
    """Expected and observed failures."""

    all: Part
    deciles: tuple[Part, ...]
    """The safest first. Companies of one score stay together, so the parts are not quite equal."""
    bands: tuple[Part, ...]
    error: float
    """Mean distance between expected and observed rate over the deciles, weighted by number of companies."""
    brier: float
    log_score: float
    """Mean logarithmic loss, in nats."""
    brier_of_rate: float
    log_score_of_rate: float
    """The same of one forecast for all: the rate that was observed. A score that knows something is below."""


def part(name: str, cells: Sequence[Cell], probability: Probability) -> Part:
    """Return expected and observed rate of some companies; there must be one."""
    failed, others = totals(cells)
    count = failed + others
    expected = sum((each.failed + each.others) * probability(each.risk) for each in cells) / count
    return Part(name, count, failed, expected, failed / count, *wilson(failed / count, count))


def calibration(cells: Sequence[Cell], probability: Probability, terms: Terms) -> Calibration | None:
    """Compare forecasts with outcomes; the risk of a cell is the score times -1. None without companies."""
    if not cells:
        return None
    whole = part("all", cells, probability)
    deciles = tuple(
        part(f"{number}", group, probability) for number, group in enumerate(quantile_of(cells, DECILES), 1)
    )
    by_band: dict[str, list[Cell]] = {}
    for each in cells:
        by_band.setdefault(band_of(round(-each.risk), terms).band, []).append(each)
    bands = tuple(part(band, by_band[band], probability) for band in sorted(by_band))
    distances = sum(each.companies * abs(each.expected - each.observed) for each in deciles)
    brier, log_score = _losses(cells, probability)
    brier_of_rate, log_score_of_rate = _losses(cells, lambda _: whole.observed)
    return Calibration(
        whole, deciles, bands, distances / whole.companies, brier, log_score, brier_of_rate, log_score_of_rate
    )


def _losses(cells: Sequence[Cell], probability: Probability) -> tuple[float, float]:
    squares = logs = 0.0
    count = sum(totals(cells))
    for _, failed, others, chance in ((*each, probability(each.risk)) for each in cells):
        squares += failed * (1 - chance) ** 2 + others * chance**2
        logs -= failed * _log(chance) + others * _log(1 - chance)
    return squares / count, logs / count


def _log(chance: float) -> float:
    return math.log(max(chance, 1e-15))
