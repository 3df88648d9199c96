"""Altman's Z'' for private firms of any sector, and what is left of it without a profit (credit §6)."""

from credence.scoring.published.lines import (
    EBIT,
    EQUITY,
    RETAINED_EARNINGS,
    TOTAL_ASSETS,
    TOTAL_LIABILITIES,
    WORKING_CAPITAL,
)
from credence.scoring.published.model import Lines, Model, Verdict

DISTRESS, SAFE = 1.10, 2.60


def _balance_sheet_terms(x: Lines) -> float:
    return (
        6.56 * x[WORKING_CAPITAL] / x[TOTAL_ASSETS]
        + 3.26 * x[RETAINED_EARNINGS] / x[TOTAL_ASSETS]
        + 1.05 * x[EQUITY] / x[TOTAL_LIABILITIES]
    )


def _value(x: Lines) -> float:
    return _balance_sheet_terms(x) + 6.72 * x[EBIT] / x[TOTAL_ASSETS]


def _verdict(value: float, _lines: Lines) -> Verdict:
    return Verdict("distress" if value < DISTRESS else "safe" if value > SAFE else "grey")


_SHEET = (WORKING_CAPITAL, RETAINED_EARNINGS, EQUITY, TOTAL_ASSETS, TOTAL_LIABILITIES)

ALTMAN_Z_DOUBLE_PRIME = Model(
    name="Altman Z''",
    source="Altman, Hartzell and Peck (1995), Emerging markets corporate bonds: a scoring system",
    formula=(
        "6.56 working capital / total assets + 3.26 retained earnings / total assets + 6.72 profit before interest and "
        "tax / total assets + 1.05 book equity / total liabilities"
    ),
    meant_for="Private firms of any sector",
    zones="Below 1.10 distress, above 2.60 safe, grey between",
    needs=(*_SHEET, EBIT),
    positive=(TOTAL_ASSETS, TOTAL_LIABILITIES),
    value=_value,
    verdict=_verdict,
)

WITHOUT_PROFIT = Model(
    name="Partial indicator: Altman Z'' without its profit term",
    source="The three balance-sheet terms of Altman Z''; no published model",
    formula=(
        "6.56 working capital / total assets + 3.26 retained earnings / total assets + 1.05 book equity / total "
        "liabilities"
    ),
    meant_for="Comparing companies that file no profit and loss account; it is no Z''",
    zones="None: those of Z'' hold for the whole formula",
    needs=_SHEET,
    positive=(TOTAL_ASSETS, TOTAL_LIABILITIES),
    value=_balance_sheet_terms,
)
