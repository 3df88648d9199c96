"""A client that reads the fields of report schema §2 by plain indexing, as existing ones do, and stands no null.

A field may be absent only where the source of its member (report schema §8) does not have the fact.
"""

from collections.abc import Callable, Iterator
from typing import Any

from credence.companies.facts.company import Company
from credence.report.build.years import Year, years
from credence.scoring.score import score_company
from tests.report.hand_made import TODAY

Having = Callable[[Company], bool]


def lacking(company: Company, report: dict[str, Any]) -> Iterator[str]:
    """Yield the fields that a client must find here and does not, or finds as null, as paths and never as values."""
    for path, kind, expected in FIELDS:
        found = list(_values(report, path.split(".")))
        if any(value is None or not isinstance(value, kind) or isinstance(value, bool) for value in found):
            yield f"{path}: not a {kind}"
        if not found and expected(company):
            yield f"{path}: absent"
    for sheet in _values(report, ["Financials", "Accounts", "*", "BalanceSheet"]):
        float(sheet["TotalFixedNonCurrentAssets"])


def _values(value: Any, steps: list[str]) -> Iterator[Any]:
    """Yield what stands at a path: a number is a place in an array, a star every place."""
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step == "*":
        for each in value:
            yield from _values(each, rest)
    elif step.isdigit():
        if int(step) < len(value):
            yield from _values(value[int(step)], rest)
    elif step in value:
        yield from _values(value[step], rest)


def _newest(company: Company) -> Year | None:
    found = years(company.accounts.value) if company.accounts else ()
    return found[0] if found else None


def _knows(name: str, *, on_sheet: bool = False) -> Having:
    def expected(company: Company) -> bool:
        year = _newest(company)
        if year is None or year.amount(name) is None:
            return False
        return not on_sheet or year.amount("fixed_assets") is not None

    return expected


def _entry(fact: Callable[[Any], Any]) -> Having:
    return lambda company: company.register is not None and bool(fact(company.register.value))


def _named(company: Company) -> bool:
    return _entry(lambda entry: entry.name)(company) or any(
        each.name for each in (company.accounts.value if company.accounts else ())
    )


def _counts_charges(company: Company) -> bool:
    return company.charges is not None or _entry(lambda entry: entry.charges.total is not None)(company)


def _has_current(role: str) -> Having:
    return lambda company: any(
        each.role == role and not each.resigned and not each.corporate
        for each in (company.officers.value if company.officers else ())
    )


_DIRECTOR = "ManagementInfo.Directors.CurrentDirector.*"
_SHEET = "Financials.Accounts.0.BalanceSheet"


def _is_scored(company: Company) -> bool:
    return score_company(company, TODAY).score is not None


def _has_limit(company: Company) -> bool:
    score = score_company(company, TODAY).score
    return score is not None and score.limit.amount is not None


def _always(_: Company) -> bool:
    return True


def _never(_: Company) -> bool:
    return False


FIELDS: tuple[tuple[str, type | tuple[type, ...], Having], ...] = (
    ("RegNumber", str, _always),
    ("CommercialName", str, _named),
    ("Identification.IncorporationDate", str, _entry(lambda entry: entry.incorporated)),
    ("Identification.LegalStatus", str, _entry(lambda entry: entry.category)),
    ("Identification.SICInformation1992.0.Code", str, _entry(lambda entry: entry.activities)),
    ("Identification.SICInformation1992.0.Description", str, _entry(lambda entry: entry.activities)),
    ("CommercialDelphi.CommDelphiScore", str, _is_scored),
    ("CommercialDelphi.CommDelphiBand", str, _is_scored),
    ("CommercialDelphi.CommDelphiBandText", str, _is_scored),
    ("CommercialDelphi.CreditLimit", str, _has_limit),
    ("CommercialDelphi.CreditRating", str, _has_limit),
    ("Financials.Accounts.0.DateOfAccounts", str, lambda company: _newest(company) is not None),
    (f"{_SHEET}.TotalFixedNonCurrentAssets", (int, float), _knows("fixed_assets")),
    (f"{_SHEET}.TotalCurrentAssets", (int, float), _knows("current_assets", on_sheet=True)),
    (f"{_SHEET}.NetWorth", (int, float), _knows("tangible_net_assets", on_sheet=True)),
    ("Financials.Accounts.0.ProfitLoss.TurnoverSalesDetails.TurnoverSales", (int, float), _knows("turnover")),
    ("Financials.Accounts.0.DisclosureItems.NumberEmployees", (int, float), _knows("employees")),
    ("Mortgages.NumMortgages", int, _counts_charges),
    ("LegalNotices.SummaryCount", int, lambda company: bool(company.notices or company.insolvency)),
    (f"{_DIRECTOR}.DirectorNumber", str, _has_current("director")),
    (f"{_DIRECTOR}.DirectorDetails.Name.Surname", str, _has_current("director")),
    (f"{_DIRECTOR}.DirectorDetails.Name.Forename", str, _never),
    (f"{_DIRECTOR}.DirectorDetails.Name.MiddleNames", str, _never),
    (f"{_DIRECTOR}.DirectorDetails.Nationality", str, _never),
    ("ManagementInfo.Secretaries.CurrentSecretary.*.DirectorNumber", str, _has_current("secretary")),
)
"""Path, type, and whether it must be there. Judgments and convictions have no source and are not read."""
