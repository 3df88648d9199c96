"""Springate's S-score (credit §6)."""

from credence.scoring.published.lines import (
    CURRENT_LIABILITIES,
    EBIT,
    PROFIT_BEFORE_TAX,
    SALES,
    TOTAL_ASSETS,
    WORKING_CAPITAL,
)
from credence.scoring.published.model import Lines, Model, Verdict

CUT_OFF = 0.862


def _value(x: Lines) -> float:
    return (
        1.03 * x[WORKING_CAPITAL] / x[TOTAL_ASSETS]
        + 3.07 * x[EBIT] / x[TOTAL_ASSETS]
        + 0.66 * x[PROFIT_BEFORE_TAX] / x[CURRENT_LIABILITIES]
        + 0.40 * x[SALES] / x[TOTAL_ASSETS]
    )


def _verdict(value: float, _lines: Lines) -> Verdict:
    return Verdict("at risk" if value < CUT_OFF else "not at risk")


SPRINGATE = Model(
    name="Springate S-score",
    source="Springate (1978), Predicting the possibility of failure in a Canadian firm",
    formula=(
        "1.03 working capital / total assets + 3.07 profit before interest and tax / total assets + 0.66 profit before "
        "tax / current liabilities + 0.40 sales / total assets"
    ),
    meant_for="Canadian manufacturers",
    zones="Below 0.862 at risk",
    needs=(WORKING_CAPITAL, EBIT, PROFIT_BEFORE_TAX, CURRENT_LIABILITIES, SALES, TOTAL_ASSETS),
    positive=(TOTAL_ASSETS, CURRENT_LIABILITIES),
    value=_value,
    verdict=_verdict,
)
