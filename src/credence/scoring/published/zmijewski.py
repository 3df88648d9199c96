"""Zmijewski's probit of financial distress (credit §6).

Reprints disagree about the sign of the last, smallest term. Where it decides the zone, no zone is given.
"""

from statistics import NormalDist

from credence.scoring.published.lines import (
    CURRENT_ASSETS,
    CURRENT_LIABILITIES,
    NET_PROFIT,
    TOTAL_ASSETS,
    TOTAL_LIABILITIES,
)
from credence.scoring.published.model import Lines, Model, Verdict

_probability = NormalDist().cdf


def _without_liquidity(x: Lines) -> float:
    return -4.336 - 4.513 * x[NET_PROFIT] / x[TOTAL_ASSETS] + 5.679 * x[TOTAL_LIABILITIES] / x[TOTAL_ASSETS]


def _liquidity(x: Lines) -> float:
    return 0.004 * x[CURRENT_ASSETS] / x[CURRENT_LIABILITIES]


def _value(x: Lines) -> float:
    return _without_liquidity(x) + _liquidity(x)


def _verdict(value: float, lines: Lines) -> Verdict:
    at_risk, with_the_other_sign = value > 0, value - 2 * _liquidity(lines) > 0
    zone = "undecided" if at_risk is not with_the_other_sign else "at risk" if at_risk else "not at risk"
    return Verdict(zone, _probability(value))


ZMIJEWSKI = Model(
    name="Zmijewski X",
    source="Zmijewski (1984), Methodological issues related to the estimation of financial distress prediction models",
    formula=(
        "-4.336 - 4.513 net profit / total assets + 5.679 total liabilities / total assets + 0.004 current assets / "
        "current liabilities; the probability is the normal distribution function of it"
    ),
    meant_for="Listed firms outside finance, in a sample with as many failed as sound ones",
    zones="Probability above 0.5, which is a value above 0, at risk; undecided where the sign of the last term decides",
    needs=(NET_PROFIT, TOTAL_LIABILITIES, CURRENT_ASSETS, CURRENT_LIABILITIES, TOTAL_ASSETS),
    positive=(TOTAL_ASSETS, CURRENT_LIABILITIES),
    value=_value,
    verdict=_verdict,
)
