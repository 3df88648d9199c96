"""Ohlson's O-score, model 1: shown, and never computable from a UK filing (credit §6).

Its size term is total assets in US dollars over an index of US prices that is 100 in 1968, and it wants the funds from
operations, which filings do not tag. A pound in place of a dollar would move the score without anybody noticing.
"""

from credence.scoring.published.lines import (
    CURRENT_ASSETS,
    CURRENT_LIABILITIES,
    NET_PROFIT,
    TOTAL_ASSETS,
    TOTAL_LIABILITIES,
    WORKING_CAPITAL,
)
from credence.scoring.published.model import Model

OHLSON = Model(
    name="Ohlson O-score, model 1",
    source="Ohlson (1980), Financial ratios and the probabilistic prediction of bankruptcy",
    formula=(
        "-1.32 - 0.407 ln(total assets / price index) + 6.03 total liabilities / total assets - 1.43 working capital / "
        "total assets + 0.0757 current liabilities / current assets - 1.72 if liabilities exceed assets - 2.37 net "
        "profit / total assets - 1.83 funds from operations / total liabilities + 0.285 if there was a loss in each of "
        "two years - 0.521 change in net profit / (sum of the two years' net profits without their signs); the "
        "probability is the logistic function of it"
    ),
    meant_for="Listed American industrial firms",
    zones="Probability above 0.038 at risk",
    needs=(TOTAL_LIABILITIES, WORKING_CAPITAL, CURRENT_LIABILITIES, CURRENT_ASSETS, NET_PROFIT, TOTAL_ASSETS),
    positive=(TOTAL_ASSETS, TOTAL_LIABILITIES, CURRENT_ASSETS),
    never=("funds from operations", "total assets in US dollars at the prices of 1968"),
)
