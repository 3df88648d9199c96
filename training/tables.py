"""The design of the three tables of ratio points: their inputs, directions and names (credit §7.1, layer b).

Each table adds to those before it. A company whose filing shows more keeps the points of what the shorter one shows, so
two companies with the same balance sheet differ by the lines of what one of them shows besides.
"""

from typing import NamedTuple

from credence.scoring.points import Unit

QUANTILES = (0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97)
"""Of the fitting data, where the steps of a ratio lie."""
BLUNT = (0.025, *QUANTILES[2:])
"""Without the last hundredth, for a ratio that no direction restrains."""
FROM_A_FIFTH = QUANTILES[4:10]
"""One step for nil and little: two thirds of UK filings show no stocks, as few Polish companies do."""


class Ratio(NamedTuple):
    """One input. `direction` is 1 where a higher value is riskier, -1 where it is safer, 0 where theory has no view."""

    code: str
    direction: int
    words: str
    quantiles: tuple[float, ...] = QUANTILES
    edges: tuple[float, ...] = ()
    """Where the steps lie, instead of at quantiles: most facts of the register have one value for nearly all companies."""
    unit: Unit = "ratio"


class Design(NamedTuple):
    """One table to be fitted; `pairs` is the number of pairs that the fit chooses."""

    name: str
    pairs: int
    ratios: tuple[Ratio, ...]

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the inputs that this table adds."""
        return tuple(ratio.code for ratio in self.ratios)


SHORT = Design(
    "short",
    6,
    (
        Ratio("working-capital", -1, "Working capital to total assets"),
        Ratio("current-ratio", -1, "Current assets to short-term creditors"),
        Ratio("equity", -1, "Net assets to total assets"),
        Ratio("current-liabilities", 1, "Short-term creditors to total assets"),
        Ratio("later-liabilities", 1, "Later liabilities to total assets"),
        Ratio("current-assets", 0, "Current assets to total assets", BLUNT),
    ),
)

FULL = Design(
    "full",
    2,
    (
        Ratio("quick-ratio", -1, "Quick assets to short-term creditors"),
        Ratio("cash-ratio", -1, "Cash to short-term creditors"),
        Ratio("reserves", -1, "Reserves to total assets"),
        Ratio("debtors", 0, "Debtors to total assets"),
        Ratio("stocks", 0, "Stocks to total assets", FROM_A_FIFTH),
    ),
)

WITH_PROFIT = Design(
    "with-profit",
    4,
    (
        Ratio("profit-before-tax", -1, "Profit before tax to total assets"),
        Ratio("operating-profit", -1, "Operating profit to total assets"),
        Ratio("profit-to-creditors", -1, "Profit before tax to short-term creditors"),
        Ratio("turnover", 0, "Turnover to total assets", BLUNT),
    ),
)

DESIGNS = (SHORT, FULL, WITH_PROFIT)
"""In the order of `credence.scoring.model.RATIO_TABLES`."""

CODES = tuple(code for design in DESIGNS for code in design.codes)
"""All inputs, in the order of the tables."""
