"""The figures of a year of an invented company; every total follows from its parts (credit §3.4)."""

from collections.abc import Mapping

from credence.sandbox.invented.companies_file import Year

Amounts = Mapping[str, int]
"""Figure of `facts.accounts.Figures` -> amount in pounds; employees are a number."""


def amounts(year: Year) -> Amounts:
    """Return the figures of a balance sheet, and of the profit and loss account if there is one."""
    current = year.stocks + year.debtors + year.cash
    total = year.tangible_assets + current
    net = total - year.creditors_within_year - year.creditors_after_year
    return {
        "fixed_assets": year.tangible_assets,
        "tangible_assets": year.tangible_assets,
        "current_assets": current,
        "stocks": year.stocks,
        "debtors": year.debtors,
        "cash": year.cash,
        "creditors_within_year": year.creditors_within_year,
        "net_current_assets": current - year.creditors_within_year,
        "total_assets_less_current_liabilities": total - year.creditors_within_year,
        "creditors_after_year": year.creditors_after_year,
        "net_assets": net,
        "equity": net,
        "share_capital": year.share_capital,
        "retained_earnings": net - year.share_capital,
        "total_assets": total,
        "total_liabilities": year.creditors_within_year + year.creditors_after_year,
        "tangible_net_assets": net,
        "employees": year.employees,
        **({} if year.turnover is None else _profit_and_loss(year, year.turnover)),
    }


def _profit_and_loss(year: Year, turnover: int) -> Amounts:
    before_tax = year.operating_profit - year.interest_payable
    return {
        "turnover": turnover,
        "cost_of_sales": year.cost_of_sales,
        "gross_profit": turnover - year.cost_of_sales,
        "operating_profit": year.operating_profit,
        "depreciation": year.depreciation,
        "interest_payable": year.interest_payable,
        "profit_before_tax": before_tax,
        "tax": year.tax,
        "profit": before_tax - year.tax,
    }
