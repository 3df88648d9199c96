"""Taffler's z-score for listed British industrial firms (credit §6).

The no-credit interval is how many days a firm could go on paying its daily costs from quick assets, once current
liabilities were paid. Daily costs are sales less profit before tax and depreciation, over 365.
"""

from credence.scoring.published.lines import (
    COSTS,
    CURRENT_ASSETS,
    CURRENT_LIABILITIES,
    PROFIT_BEFORE_TAX,
    QUICK_ASSETS,
    TOTAL_ASSETS,
    TOTAL_LIABILITIES,
)
from credence.scoring.published.model import Lines, Model, Verdict


def _value(x: Lines) -> float:
    return (
        3.20
        + 12.18 * x[PROFIT_BEFORE_TAX] / x[CURRENT_LIABILITIES]
        + 2.50 * x[CURRENT_ASSETS] / x[TOTAL_LIABILITIES]
        - 10.68 * x[CURRENT_LIABILITIES] / x[TOTAL_ASSETS]
        + 0.029 * (x[QUICK_ASSETS] - x[CURRENT_LIABILITIES]) / (x[COSTS] / 365)
    )


def _verdict(value: float, _lines: Lines) -> Verdict:
    return Verdict("at risk" if value < 0 else "not at risk")


TAFFLER = Model(
    name="Taffler z-score",
    source="Taffler (1983), The assessment of company solvency and performance using a statistical model",
    formula=(
        "3.20 + 12.18 profit before tax / current liabilities + 2.50 current assets / total liabilities - 10.68 current "
        "liabilities / total assets + 0.029 no-credit interval in days, which is (quick assets - current liabilities) "
        "/ ((sales - profit before tax - depreciation) / 365)"
    ),
    meant_for="Listed British industrial firms",
    zones="Below 0 at risk",
    needs=(
        PROFIT_BEFORE_TAX,
        CURRENT_LIABILITIES,
        CURRENT_ASSETS,
        TOTAL_LIABILITIES,
        TOTAL_ASSETS,
        QUICK_ASSETS,
        COSTS,
    ),
    positive=(CURRENT_LIABILITIES, TOTAL_LIABILITIES, TOTAL_ASSETS, COSTS),
    value=_value,
    verdict=_verdict,
)
