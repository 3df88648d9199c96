"""Altman's Z' for private manufacturers (credit §6)."""

from credence.scoring.published.lines import (
    EBIT,
    EQUITY,
    RETAINED_EARNINGS,
    SALES,
    TOTAL_ASSETS,
    TOTAL_LIABILITIES,
    WORKING_CAPITAL,
)
from credence.scoring.published.model import Lines, Model, Verdict

DISTRESS, SAFE = 1.23, 2.90


def _value(x: Lines) -> float:
    return (
        0.717 * x[WORKING_CAPITAL] / x[TOTAL_ASSETS]
        + 0.847 * x[RETAINED_EARNINGS] / x[TOTAL_ASSETS]
        + 3.107 * x[EBIT] / x[TOTAL_ASSETS]
        + 0.420 * x[EQUITY] / x[TOTAL_LIABILITIES]
        + 0.998 * x[SALES] / x[TOTAL_ASSETS]
    )


def _verdict(value: float, _lines: Lines) -> Verdict:
    return Verdict("distress" if value < DISTRESS else "safe" if value > SAFE else "grey")


ALTMAN_Z_PRIME = Model(
    name="Altman Z'",
    source="Altman (1983), Corporate Financial Distress",
    formula=(
        "0.717 working capital / total assets + 0.847 retained earnings / total assets + 3.107 profit before interest "
        "and tax / total assets + 0.420 book equity / total liabilities + 0.998 sales / total assets"
    ),
    meant_for="Private manufacturers; the sales term misleads elsewhere",
    zones="Below 1.23 distress, above 2.90 safe, grey between",
    needs=(WORKING_CAPITAL, RETAINED_EARNINGS, EBIT, EQUITY, SALES, TOTAL_ASSETS, TOTAL_LIABILITIES),
    positive=(TOTAL_ASSETS, TOTAL_LIABILITIES),
    value=_value,
    verdict=_verdict,
)
