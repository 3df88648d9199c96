"""`ScoringData`: the known inputs of a score (report schema §8, row 18).

Facts about people and judgments are left out. A missing input is absent; the schema's sentinel values for "missing" are not
used.
"""

import datetime as dt
from typing import Any

from credence.companies import codes
from credence.companies.durations import whole_months, whole_years
from credence.companies.facts.company import Company
from credence.companies.facts.register import RegisterEntry
from credence.report.build.accounts import company_class, flag, method, period_weeks
from credence.report.build.events import Event
from credence.report.build.formulas import quotient, rounded
from credence.report.build.group import Group, parent
from credence.report.build.identification import accounts_received, days_to_file
from credence.report.build.management import appointments_last_year
from credence.report.build.percentage_change import changes
from credence.report.build.years import Year
from credence.report.schema import legal_notices
from credence.report.schema import scoring_data as wire

_COUNTED = {
    "C": ("NumApptReceiver", "TimeSinceLastApptReceiver"),
    "D": ("NumReceiverCeasing", "TimeSinceLastReceiverCeasing"),
    "E": ("NumPetitionCompWindUp", "TimeSinceLastPetitionCompWindUp"),
    "F": ("NumDismissedPetition", "TimeSinceLastDismissedPetition"),
    "G": ("NumWindUpOrders", "TimeSinceLastWindUpOrder"),
    "H": ("NumApptVolLiquidator", "TimeSinceLastApptVolLiquidator"),
    "J": ("NumResolutionWindUp", "TimeSinceLastResolutionWindUp"),
    "K": ("NumIntentionToDissolve", "TimeSinceLastIntentionToDissolve"),
    "L": ("NumCompanyDissolved", "TimeSinceLastCompanyDissolved"),
    "M": ("NumCompanyReinstated", "TimeSinceLastCompanyReinstated"),
    "Q": ("NumApptAdministrator", "TimeSinceLastApptAdministrator"),
    "R": ("NumDischargeAdministrator", "TimeSinceLastDischargeAdministrator"),
    "S": ("NumApprovalVolArrangement", "TimeSinceLastApprovalVolArrangement"),
    "T": ("NumCompletionsVolArrangement", "TimeSinceLastCompletionVolArrangement"),
    "U": ("NumApptCompLiquidator", "TimeSinceLastApptCompLiquidator"),
}
"""Event letter -> the field with the number of such events, and the field with the months since the last one."""

_AMOUNTS = {
    "CapitalEmployed": "total_assets_less_current_liabilities",
    "Dividends": "dividends",
    "FixedAssets": "fixed_assets",
    "GrossAssets": "total_assets",
    "IntangibleAssets": "intangible_assets",
    "IssuedCapital": "share_capital",
    "NetWorth": "tangible_net_assets",
    "NumEmployees": "employees",
    "PreTaxProfitLoss": "profit_before_tax",
    "RetainedEarnings": "retained_earnings",
    "ShareholdersFunds": "equity",
    "TotalAssets": "total_assets",
    "TotalCurrentAssets": "current_assets",
    "TotalCurrentLiabilities": "creditors_within_year",
    "TotalLongTermLiabilities": "creditors_after_year",
    "TotalTurnover": "turnover",
    "WorkingCapital": "net_current_assets",
}
_RATIOS = {
    "AcidTest": "AcidTest",
    "CreditPeriod": "CreditPeriod",
    "Currentratio": "CurrentRatio",
    "DebtGearing": "DebtGearing",
    "EquityGearing": "EquityGearing",
    "PreTaxProfitMargin": "PreTaxProfitMargin",
    "ReturnOnAssets": "ReturnOnAssets",
    "ReturnOnCapital": "ReturnOnCapital",
    "TotAssetsEmp": "TotAssetsPerEmp",
    "TurnoverPerEmp": "TurnoverPerEmp",
}
_SHARES = {
    "CapitalEmployedPercentTotalAssets": ("total_assets_less_current_liabilities", "total_assets"),
    "CurrentLiabilitiesPercentTotalAssets": ("creditors_within_year", "total_assets"),
    "StocksWorkInProgressPercentCurrentAssets": ("stocks", "current_assets"),
    "TotalFixedAssetsPercentTotalAssets": ("fixed_assets", "total_assets"),
}
_CHANGES = {
    "PercentChangeCapitalEmployed": "PercentChangeCapitalEmployed",
    "PercentChangeCurrentRatio": "PercentChangeCurrentRatio",
    "PercentChangePreTaxProfitLoss": "PercentChangePreTaxProfitLoss",
    "PercentChangeShareholdersFunds": "PercentChangeShareholdersFunds",
    "PercentChangeTotalAssets": "PercentChangeGrossAsset",
}


def scoring_data(
    company: Company,
    years: tuple[Year, ...],
    events: tuple[Event, ...],
    group: Group,
    charges: legal_notices.Mortgages | None,
    today: dt.date,
) -> wire.ScoringData:
    """Return the member."""
    fields: dict[str, Any] = {}
    if company.register is not None:
        fields |= _register_fields(company.register.value, today)
    if company.accounts is not None:
        fields |= _accounts_fields(company, years)
    if events or company.notices is not None or company.insolvency is not None:
        fields |= _event_fields(company, events, today)
    return wire.ScoringData(
        HasSubsidiaries=flag(None if group.subsidiaries is None else bool(group.subsidiaries)),
        IsSubsidiary=flag(None if company.owners is None else parent(company) is not None),
        NumAppointmentsLast12=appointments_last_year(company, today),
        NumCurrDirs=_current_directors(company),
        TimeSinceLastDirAppt=_last_appointment(company, today),
        NumberDaysToFile=days_to_file(accounts_received(company)),
        TimeSinceLastAccsSubmitted=_last_filed(company, "accounts", today),
        TimeSinceLastRetsSubmitted=_last_filed(company, "confirmation-statement", today),
        NumSatMortgages=charges.NumSatMortgages if charges else None,
        NumUnsatPartSatMortgages=charges.NumUnsatMortgages if charges else None,
        **fields,
    )


def _register_fields(entry: RegisterEntry, today: dt.date) -> dict[str, Any]:
    form = codes.legal_form(entry.category)
    return {
        "CompanyAge": str(max(0, whole_years(entry.incorporated, today))) if entry.incorporated else None,
        "FiledAccsType": codes.accounts_type(entry.accounts.category),
        "LegalStatus": form.code if form else None,
        "SICInformation1992": wire.ActivityCode(entry.activities[0].code) if entry.activities else None,
    }


def _accounts_fields(company: Company, years: tuple[Year, ...]) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "CurrAccsAvailabe": flag(bool(years)),
        "PrevAccsAvailabile": flag(len(years) > 1),
        "NumYearsAccosAvailable": len(years),
    }
    if not years:
        return fields
    newest = years[0]
    ratios, changed = newest.ratios, changes(years)
    fields |= {name: newest.amount(of) for name, of in _AMOUNTS.items()}
    fields |= {name: rounded(ratios.get(of)) for name, of in _RATIOS.items()}
    fields |= {name: _per_cent(newest.amount(over), newest.amount(under)) for name, (over, under) in _SHARES.items()}
    fields |= {name: changed.get(of) for name, of in _CHANGES.items()}
    fields |= {
        "AccountingPeriod": period_weeks(newest),
        "CompanyClass": company_class(company, newest),
        "ConsAccounts": flag(newest.consolidated),
        "Currency": newest.currency or None,
        "DateOfAccounts": newest.end,
        "LatestAccountsType": method(newest),
        "NumYearsPreTaxProfitLessThan0Last4Years": _years_of_loss(years[:4]),
        "WorkingCapitalPercentCurrentPlusFixedAssets": _working_capital_share(newest),
    }
    if len(years) > 1:
        fields |= {"PrevAccsConsAccounts": flag(years[1].consolidated), "PrevAccsCurrency": years[1].currency or None}
    return fields


def _years_of_loss(years: tuple[Year, ...]) -> int | None:
    """Return the number of years with a loss; None if the result of a year is unknown."""
    results = [year.amount("profit_before_tax") for year in years]
    known = [each for each in results if each is not None]
    return sum(each < 0 for each in known) if len(known) == len(results) else None


def _working_capital_share(year: Year) -> float | None:
    current, fixed = year.amount("current_assets"), year.amount("fixed_assets")
    whole = None if current is None or fixed is None else current + fixed
    return _per_cent(year.amount("net_current_assets"), whole)


def _per_cent(part: float | None, whole: float | None) -> float | None:
    return rounded(quotient(part, whole, 100))


def _event_fields(company: Company, events: tuple[Event, ...], today: dt.date) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    counted = company.notices is not None and company.insolvency is not None
    by_letter: dict[str, list[Event]] = {}
    for event in events:
        by_letter.setdefault(event.letter, []).append(event)
    for letter, (number, since) in _COUNTED.items():
        found = by_letter.get(letter, [])
        # Without events the number is 0, but only if both sources are loaded.
        if found or counted:
            fields[number] = len(found)
        if found and found[0].day is not None:
            fields[since] = _months_since(found[0].day, today)
    return fields


def _last_filed(company: Company, category: str, today: dt.date) -> int | None:
    days = [each.date for each in (company.filings.value if company.filings else ()) if each.category == category]
    return _months_since(max(days, default=None), today)


def _months_since(day: dt.date | None, today: dt.date) -> int | None:
    return None if day is None or day > today else whole_months(day, today)


def _current_directors(company: Company) -> int | None:
    if company.officers is None:
        return None
    return sum(each.resigned is None and codes.is_director(each.role) for each in company.officers.value)


def _last_appointment(company: Company, today: dt.date) -> int | None:
    officers = company.officers.value if company.officers else ()
    days = [each.appointed for each in officers if each.appointed and codes.is_director(each.role)]
    return _months_since(max(days, default=None), today)
