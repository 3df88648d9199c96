"""The published failure models: formula, source and zones (credit §6).

docs/published-models.md has the sources by which each coefficient and zone was checked.
"""

from collections.abc import Callable
from statistics import NormalDist

from credence.companies.durations import annual
from credence.companies.facts.company import Company
from credence.scoring.basis.ratios import WHY_NOT, unfit
from credence.scoring.basis.sectors import is_financial
from credence.scoring.published.model import (
    COSTS,
    CURRENT_ASSETS,
    CURRENT_LIABILITIES,
    EBIT,
    EQUITY,
    NET_PROFIT,
    PROFIT_BEFORE_TAX,
    QUICK_ASSETS,
    RETAINED_EARNINGS,
    SALES,
    TOTAL_ASSETS,
    TOTAL_LIABILITIES,
    WORKING_CAPITAL,
    Lines,
    Model,
    ModelOutcome,
    Verdict,
    evaluate,
    read,
)

_NORMAL = NormalDist()

Z_DOUBLE_PRIME_DISTRESS, Z_DOUBLE_PRIME_SAFE = 1.10, 2.60


def _altman_zones(distress: float, safe: float) -> Callable[[float, Lines], Verdict]:
    return lambda value, _: Verdict("distress" if value < distress else "safe" if value > safe else "grey")


def _at_risk_below(limit: float) -> Callable[[float, Lines], Verdict]:
    return lambda value, _: Verdict("at risk" if value < limit else "not at risk")


def _z_double_prime_sheet(x: Lines) -> float:
    return (
        6.56 * x[WORKING_CAPITAL] / x[TOTAL_ASSETS]
        + 3.26 * x[RETAINED_EARNINGS] / x[TOTAL_ASSETS]
        + 1.05 * x[EQUITY] / x[TOTAL_LIABILITIES]
    )


def _z_double_prime(x: Lines) -> float:
    return _z_double_prime_sheet(x) + 6.72 * x[EBIT] / x[TOTAL_ASSETS]


_Z_SHEET = (WORKING_CAPITAL, RETAINED_EARNINGS, EQUITY, TOTAL_ASSETS, TOTAL_LIABILITIES)

ALTMAN_Z_DOUBLE_PRIME = Model(
    name="Altman Z''",
    source="Altman, Hartzell and Peck (1995), Emerging markets corporate bonds: a scoring system",
    formula=(
        "6.56 working capital / total assets + 3.26 retained earnings / total assets + 6.72 profit before interest and "
        "tax / total assets + 1.05 book equity / total liabilities"
    ),
    meant_for="Private firms of any sector",
    zones="Below 1.10 distress, above 2.60 safe, grey between",
    needs=(*_Z_SHEET, EBIT),
    positive=(TOTAL_ASSETS, TOTAL_LIABILITIES),
    value=_z_double_prime,
    verdict=_altman_zones(Z_DOUBLE_PRIME_DISTRESS, Z_DOUBLE_PRIME_SAFE),
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
    needs=_Z_SHEET,
    positive=(TOTAL_ASSETS, TOTAL_LIABILITIES),
    value=_z_double_prime_sheet,
)


def _z_prime(x: Lines) -> float:
    return (
        0.717 * x[WORKING_CAPITAL] / x[TOTAL_ASSETS]
        + 0.847 * x[RETAINED_EARNINGS] / x[TOTAL_ASSETS]
        + 3.107 * x[EBIT] / x[TOTAL_ASSETS]
        + 0.420 * x[EQUITY] / x[TOTAL_LIABILITIES]
        + 0.998 * x[SALES] / x[TOTAL_ASSETS]
    )


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
    value=_z_prime,
    verdict=_altman_zones(1.23, 2.90),
)


def _taffler(x: Lines) -> float:
    """Return the z-score. Its last term is the no-credit interval in days: how long quick assets, less current
    liabilities, pay the daily costs.
    """
    return (
        3.20
        + 12.18 * x[PROFIT_BEFORE_TAX] / x[CURRENT_LIABILITIES]
        + 2.50 * x[CURRENT_ASSETS] / x[TOTAL_LIABILITIES]
        - 10.68 * x[CURRENT_LIABILITIES] / x[TOTAL_ASSETS]
        + 0.029 * (x[QUICK_ASSETS] - x[CURRENT_LIABILITIES]) / (x[COSTS] / 365)
    )


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
    value=_taffler,
    verdict=_at_risk_below(0),
)


def _zmijewski_sheet(x: Lines) -> float:
    return -4.336 - 4.513 * x[NET_PROFIT] / x[TOTAL_ASSETS] + 5.679 * x[TOTAL_LIABILITIES] / x[TOTAL_ASSETS]


def _zmijewski_liquidity(x: Lines) -> float:
    return 0.004 * x[CURRENT_ASSETS] / x[CURRENT_LIABILITIES]


def _zmijewski(x: Lines) -> float:
    return _zmijewski_sheet(x) + _zmijewski_liquidity(x)


def _zmijewski_zone(value: float, lines: Lines) -> Verdict:
    # Reprints disagree about the sign of the last term. If the sign changes the zone, the zone is undecided.
    at_risk, with_the_other_sign = value > 0, value - 2 * _zmijewski_liquidity(lines) > 0
    zone = "undecided" if at_risk is not with_the_other_sign else "at risk" if at_risk else "not at risk"
    return Verdict(zone, _NORMAL.cdf(value))


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
    value=_zmijewski,
    verdict=_zmijewski_zone,
)


def _springate(x: Lines) -> float:
    return (
        1.03 * x[WORKING_CAPITAL] / x[TOTAL_ASSETS]
        + 3.07 * x[EBIT] / x[TOTAL_ASSETS]
        + 0.66 * x[PROFIT_BEFORE_TAX] / x[CURRENT_LIABILITIES]
        + 0.40 * x[SALES] / x[TOTAL_ASSETS]
    )


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
    value=_springate,
    verdict=_at_risk_below(0.862),
)


# Never computed: its size term is total assets in US dollars over an index of US prices (100 in 1968), and filings do not
# tag the funds from operations. Pounds in place of dollars would change the score by an unnoticed constant.
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


MODELS = (ALTMAN_Z_DOUBLE_PRIME, ALTMAN_Z_PRIME, TAFFLER, ZMIJEWSKI, SPRINGATE, OHLSON)
"""The models in the order of the report."""


def evaluate_all(company: Company) -> tuple[ModelOutcome, ...]:
    """Return the outcome of each model on the company's newest own accounts; empty without accounts.

    Without a profit figure, Z'' is followed by its balance-sheet terms as a partial indicator.
    """
    accounts = company.accounts_with_figures
    if accounts is None:
        return ()
    period = accounts.periods[0]
    reason = unfit(period, dormant=accounts.dormant, financial=is_financial(company))
    if reason:
        return tuple(ModelOutcome(model, (), not_computable=WHY_NOT[reason]) for model in MODELS)
    figures = annual(period)
    known, as_filed = read(figures), figures is period.figures
    outcomes = [evaluate(model, known, as_filed=as_filed) for model in MODELS]
    if outcomes[0].value is None:
        partial = evaluate(WITHOUT_PROFIT, known, as_filed=as_filed)
        if partial.value is not None:
            outcomes.insert(1, partial)
    return tuple(outcomes)
