"""`Assessment.NotHeld`: the parts that a report lacks, and why (credit §13.4, report schema §8)."""

import datetime as dt
from collections.abc import Iterator

from credence.companies.facts.company import Company, Profile, Sourced
from credence.companies.facts.register import RegisterEntry
from credence.companies.invariants import RESULT
from credence.report.build.group import Group
from credence.report.build.identification import location
from credence.report.build.years import Year
from credence.report.schema.assessment import Absence
from credence.scoring.eligibility import Unscored
from credence.scoring.score import Score

_OF_RESULT = ("turnover", "profit_before_tax", "profit")

_LISTS = {
    "ManagementInfo": "officers",
    "Mortgages.MortgageDetail": "charges",
    "LegalNotices (cases)": "insolvency",
    "LegalNotices (notices)": "notices",
    "Identification.CROChanges": "filings",
    "CorporateStructure.CompanyOwnership": "owners",
    "Financials.Accounts": "accounts",
    "Assessment.PaymentPractices": "payment_practices",
}
"""Member -> field of `Company` with the list of a source for it."""

_CLOSED = (
    Absence("Shareholders", "Names and holdings are in scanned filings."),
    Absence("CCJs", "County court judgments are not open data; their absence here does not mean there are none."),
    Absence("PaymentPerformance", "Payment experiences come from suppliers' ledgers, which are not open data."),
    Absence("LimitedCompanyCIFAS", "Fraud records are shared in a closed scheme."),
    Absence("LtdCompanyCAIS", "Credit account records are shared in a closed scheme."),
)
"""Parts that no report has, because there is no open source."""


def absences(
    company: Company,
    years: tuple[Year, ...],
    consolidated: tuple[Year, ...],
    group: Group,
    outcome: Score | Unscored,
    *,
    with_notices: bool,
) -> tuple[Absence, ...]:
    """Return the missing parts; the report lists them because unknown does not mean none."""
    return (
        *_missing_score(outcome),
        *_missing(company, years, consolidated, group, with_notices=with_notices),
        *_CLOSED,
    )


def _missing_score(outcome: Score | Unscored) -> Iterator[Absence]:
    if isinstance(outcome, Unscored):
        yield Absence("CommercialDelphi", f"Not scored: {outcome.sentence}")
    elif outcome.limit.amount is None:
        yield Absence("CommercialDelphi.CreditLimit", outcome.limit.reason)


def _missing(
    company: Company, years: tuple[Year, ...], consolidated: tuple[Year, ...], group: Group, *, with_notices: bool
) -> Iterator[Absence]:
    if company.register is None:
        yield Absence("Identification.LegalStatus", "No register entry is available.")
    elif not company.register.value.status:
        yield from _missing_from_entry(company.register.value)
    yield from _missing_from_accounts(company.accounts_made_up, years)
    yield from _missing_from_statements(years, consolidated)
    yield from _impossible(years)
    if company.officers is None:
        yield Absence("ManagementInfo", "No officers are on record.")
    if company.owners is None and group.subsidiaries is None:
        yield Absence("CorporateStructure", "No persons with significant control are on record.")
    elif company.owners is None and "owners" not in company.unreadable:
        yield Absence("CorporateStructure.CompanyOwnership", "No persons with significant control are on record.")
    if group.subsidiaries_cut:
        yield Absence(
            "CorporateStructure.Subsidiaries",
            f"Too many companies name this one as owner to count all; there are at least {group.subsidiaries_in_all}.",
        )
    if company.charges is None:
        yield Absence("Mortgages.MortgageDetail", "The charges themselves are not held.")
    yield from _cut(company)
    yield from _missing_events(company, with_notices=with_notices)
    if company.filings is None:
        yield Absence("Identification.CROChanges", "No filing history is available.")
    if company.remarks == Profile():
        without = "No profile of the company at the register is available."
        empty = "The available profile has none of these remarks."
        yield Absence("Assessment.RegisterRemarks", without if company.profile is None else empty)
    if company.payment_practices is None:
        yield Absence("Assessment.PaymentPractices", "No statutory payment report of this company is available.")
    if company.scores is None:
        yield Absence(
            "CommercialDelphiHistory", "No scoring run of ours has scored this company, so there is no earlier score."
        )


def _cut(company: Company) -> Iterator[Absence]:
    """Yield the lists that are or may be incomplete."""
    for member, field in _LISTS.items():
        part: Sourced[object] | None = getattr(company, field)
        if field in company.unreadable:
            yield Absence(member, "An entry of the source cannot be read: there may be more than are listed.")
        elif part is not None and part.cut:
            yield Absence(member, "The register's answer was cut: there are more than are listed.")


def _missing_from_entry(entry: RegisterEntry) -> Iterator[Absence]:
    """Yield the fields that a register entry lacks because it was made from another document than the register."""
    yield Absence("Assessment.CompanyStatus", "The entry is not the register's own: no status is available.")
    if not entry.category:
        yield Absence("Identification.LegalStatus", "No legal form is on record.")
    if location(entry.office) is None:
        yield Absence("Identification.RegisteredOffice", "No registered office is on record.")
    if entry.incorporated is None:
        yield Absence("Identification.IncorporationDate", "No date of incorporation is on record.")
    if not entry.activities:
        yield Absence("Identification.SICInformation1992", "No activity is on record.")
    if not entry.former_names:
        yield Absence("Identification.PreviousNames", "No former names are on record.")
    if entry.accounts.next_due is None:
        yield Absence("Assessment.AccountsNextDue", "No due dates of filings are on record.")
    if entry.charges.total is None:
        yield Absence("Mortgages", "The number of charges is not held.")


def _missing_from_accounts(made_up: dt.date | None, years: tuple[Year, ...]) -> Iterator[Absence]:
    if made_up is None:
        yield Absence("Financials", "No filed accounts are on record.")
    elif not years:
        yield Absence("Financials", f"The accounts of {made_up} tell no figure.")
    elif made_up > years[0].end:
        yield Absence(
            "Financials.Accounts", f"The accounts of {made_up} tell no figure of that day, only earlier ones."
        )
    if years and years[0].amount("fixed_assets") is None:
        yield Absence(
            "Financials.Accounts[0].BalanceSheet",
            "The total of fixed assets does not follow from the filing; see AccountsFigures for what does.",
        )


def _missing_from_statements(years: tuple[Year, ...], consolidated: tuple[Year, ...]) -> Iterator[Absence]:
    for year in years:
        if RESULT in year.contradictions:
            yield Absence(
                "Financials.Ratios",
                f"Profit before tax less tax is not the profit filed for the year to {year.end}: its ratios of profit "
                "are withheld.",
            )
    if years and years[0].amount("turnover") is None and years[0].amount("profit") is None:
        yield Absence("Financials.Accounts[0].ProfitLoss", _no_profit_and_loss(years, consolidated))
    if consolidated and consolidated[0].amount("net_assets") is None:
        yield Absence(
            f"Financials.Accounts[{len(years)}].BalanceSheet",
            "The filing has figures of the group, but the tags of no balance sheet are the group's.",
        )


def _no_profit_and_loss(years: tuple[Year, ...], consolidated: tuple[Year, ...]) -> str:
    """Return why the newest year has no profit and loss account of the company."""
    for place, year in enumerate(consolidated, len(years)):
        if year.end == years[0].end and any(year.amount(name) is not None for name in _OF_RESULT):
            return (
                "The profit and loss account in the filing is the group's, which Financials.Accounts"
                f"[{place}] has; it has none of the company alone."
            )
    return "No profit and loss account was filed."


def _impossible(years: tuple[Year, ...]) -> Iterator[Absence]:
    for number, year in enumerate(years):
        for name, figure in year.impossible.items():
            yield Absence(
                _MEMBERS[name].format(number),
                f"The {name} of {year.end} are filed as {figure.value:g}, which is impossible; see AccountsFigures.",
            )


_MEMBERS = {"employees": "Financials.Accounts[{}].DisclosureItems.NumberEmployees"}
"""Figure -> its member of the report; `{}` is the place of the year's index."""


def _missing_events(company: Company, *, with_notices: bool) -> Iterator[Absence]:
    if not with_notices:
        pointer = "; see CompanyStatus" if company.register and company.register.value.status else ""
        yield Absence("LegalNotices", f"No Gazette notices and no insolvency cases are on record{pointer}.")
        return
    if company.notices is None:
        yield Absence("LegalNotices (Gazette)", "No notices of the Gazette are on record.")
    if company.insolvency is None and "insolvency" not in company.unreadable:
        yield Absence("LegalNotices (cases)", "No insolvency cases are on record.")
