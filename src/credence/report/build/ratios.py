"""`Financials.Ratios`: the ratios with known inputs, rounded to two decimals (docs/report.md)."""

from credence.companies.facts.company import Company
from credence.report.build.accounts import company_class, flag
from credence.report.build.formulas import rounded
from credence.report.build.years import Year
from credence.report.schema import ratios as wire


def ratios(company: Company, year: Year) -> wire.Ratios | None:
    """Return the ratios of one year; None without any."""
    if not year.ratios:
        return None
    return wire.Ratios(
        DateOfAccounts=year.end,
        Currency=year.currency or None,
        CompanyClass=company_class(company, year),
        ConsAccounts=flag(year.consolidated),
        NumEmployees=year.amount("employees"),
        **{name: rounded(value) for name, value in year.ratios.items()},
    )
