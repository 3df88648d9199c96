"""The balance sheets of the invented companies, of two years each; every total follows from its parts (credit §3.4)."""

from collections.abc import Mapping

Amounts = Mapping[str, int]
"""Figure of `facts.accounts.Figures` -> amount in pounds; employees are a number."""


def sheet(
    *,
    fixed: int,
    debtors: int,
    cash: int,
    within_year: int,
    after_year: int = 0,
    stocks: int = 0,
    share_capital: int = 100,
    employees: int = 0,
    earned: Mapping[str, int] | None = None,
) -> Amounts:
    """Return the figures of a year in pounds; fixed assets are tangible, and `earned` is a profit and loss account.

    Net assets and retained earnings are calculated from the other figures.
    """
    current = stocks + debtors + cash
    net = fixed + current - within_year - after_year
    return {
        "fixed_assets": fixed,
        "tangible_assets": fixed,
        "current_assets": current,
        "stocks": stocks,
        "debtors": debtors,
        "cash": cash,
        "creditors_within_year": within_year,
        "net_current_assets": current - within_year,
        "total_assets_less_current_liabilities": fixed + current - within_year,
        "creditors_after_year": after_year,
        "net_assets": net,
        "equity": net,
        "share_capital": share_capital,
        "retained_earnings": net - share_capital,
        "total_assets": fixed + current,
        "total_liabilities": within_year + after_year,
        "tangible_net_assets": net,
        "employees": employees,
        **(earned or {}),
    }


def profit_and_loss(
    turnover: int, cost_of_sales: int, operating_profit: int, interest: int, tax: int, depreciation: int
) -> Amounts:
    """Return the lines of a profit and loss account."""
    before_tax = operating_profit - interest
    return {
        "turnover": turnover,
        "cost_of_sales": cost_of_sales,
        "gross_profit": turnover - cost_of_sales,
        "operating_profit": operating_profit,
        "depreciation": depreciation,
        "interest_payable": interest,
        "profit_before_tax": before_tax,
        "tax": tax,
        "profit": before_tax - tax,
    }


SOUND = (
    sheet(
        fixed=400_000,
        stocks=100_000,
        debtors=300_000,
        cash=200_000,
        within_year=200_000,
        after_year=100_000,
        share_capital=1_000,
        employees=20,
        earned=profit_and_loss(2_400_000, 1_500_000, 160_000, 10_000, 30_000, 50_000),
    ),
    sheet(
        fixed=410_000,
        stocks=90_000,
        debtors=270_000,
        cash=160_000,
        within_year=220_000,
        after_year=110_000,
        share_capital=1_000,
        employees=18,
        earned=profit_and_loss(2_150_000, 1_360_000, 124_000, 11_000, 23_000, 52_000),
    ),
)
"""A solvent company that files a profit and loss account: this year and the last."""

TIGHT = (
    sheet(fixed=45_000, stocks=25_000, debtors=77_000, cash=3_000, within_year=100_000, after_year=19_900, employees=4),
    sheet(fixed=48_000, stocks=24_000, debtors=70_000, cash=6_000, within_year=95_000, after_year=24_000, employees=4),
)
"""A small company that can pay its creditors only after its customers have paid."""

THIN = (
    sheet(fixed=30_000, stocks=20_000, debtors=40_000, cash=2_000, within_year=85_000, after_year=4_000, employees=3),
    sheet(fixed=33_000, stocks=22_000, debtors=38_000, cash=4_000, within_year=86_000, after_year=9_000, employees=3),
)
"""A small company with hardly any capital, whose creditors are due before its debtors pay."""

DEEP_IN_DEBT = (
    sheet(fixed=5_000, debtors=14_900, cash=100, within_year=80_000, employees=3),
    sheet(fixed=9_000, debtors=18_000, cash=1_000, within_year=48_000, employees=4),
)
"""A company that owes four times what it has."""

HOLDING = (
    sheet(fixed=900_000, debtors=60_000, cash=140_000, within_year=50_000, share_capital=100_000, employees=2),
    sheet(fixed=900_000, debtors=55_000, cash=95_000, within_year=60_000, share_capital=100_000, employees=2),
)
"""A company that holds the shares of others."""

SLEEPING = (
    sheet(fixed=0, debtors=100, cash=0, within_year=0, share_capital=100),
    sheet(fixed=0, debtors=100, cash=0, within_year=0, share_capital=100),
)
"""A dormant company: its only asset is its own unpaid share capital."""
