"""`Identification`: who the company is, from the register, its filings and its accounts (report schema §8, row 3)."""

import datetime as dt

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.events import Filing
from credence.companies.facts.register import AccountsFiling, FormerName, RegisterEntry
from credence.report.build.office import location
from credence.report.build.years import Year
from credence.report.schema import identification as models
from credence.report.schema.report import LtdIdentification

_NO_CHANGE = frozenset({"accounts", "confirmation-statement", "annual-return"})
"""Categories of filings that repeat every year and change nothing."""

_MOST_CHANGES = 50


def identification(company: Company, years: tuple[Year, ...]) -> LtdIdentification:
    """Return the member; what no source says is left out of it."""
    entry = company.register.value if company.register else None
    capital = years[0].amount("share_capital") if years else None
    form = codes.legal_form(entry.category) if entry else None
    return LtdIdentification(
        LegalStatus=form.code if form else None,
        IncorporationDate=entry.incorporated if entry else None,
        DissolutionDate=entry.dissolved if entry else None,
        RegisteredOffice=location(entry.office) if entry else None,
        Currency=years[0].currency if capital is not None else None,
        IssuedCapital=capital,
        SICInformation1992=_activities(entry) if entry else (),
        PreviousNames=_previous_names(entry.former_names) if entry else None,
        FilingDetails=_filing_details(company, entry),
        CROChanges=_changes(company),
    )


def accounts_received(company: Company) -> Filing | None:
    """Return the newest accounts in the filing history, with the day they were made up to; None without any."""
    filings = company.filings.value if company.filings else ()
    found = [each for each in filings if each.category == "accounts" and each.made_up is not None]
    return max(found, key=lambda each: (each.made_up or dt.date.min, each.date), default=None)


def days_to_file(filing: Filing | None) -> int | None:
    """Return the days from the end of the year to the receipt of its accounts."""
    return None if filing is None or filing.made_up is None else (filing.date - filing.made_up).days


def _activities(entry: RegisterEntry) -> tuple[models.SICInfo92, ...]:
    return tuple(models.SICInfo92(each.code, each.description) for each in entry.activities)


def _previous_names(former: tuple[FormerName, ...]) -> models.PreviousNames:
    return models.PreviousNames(len(former), tuple(models.PrevName(each.name, each.changed) for each in former))


def _filing_details(company: Company, entry: RegisterEntry | None) -> models.FilingDetails:
    received = accounts_received(company)
    return models.FilingDetails(
        LatestAccounts=_latest_accounts(company, entry),
        # The confirmation statement took the place of the annual return in 2016.
        LatestReturns=(entry.confirmation_last_made_up or entry.annual_return_last_made_up) if entry else None,
        LatestAccountsReceived=received.date if received else None,
        NumAccountsOnFile=_accounts_on_file(company),
        LatestAccountType=codes.accounts_type(entry.accounts.category) if entry else None,
        AccountsRefDate=_reference_date(entry.accounts) if entry else None,
        NumberDaysToFileAccounts=days_to_file(received),
    )


def _latest_accounts(company: Company, entry: RegisterEntry | None) -> dt.date | None:
    known = [entry.accounts.last_made_up if entry else None, company.accounts_made_up]
    return max((each for each in known if each), default=None)


def _accounts_on_file(company: Company) -> int | None:
    if company.filings is None:
        return None
    return len({each.made_up or each.id for each in company.filings.value if each.category == "accounts"})


def _reference_date(accounts: AccountsFiling) -> models.MMDD | None:
    if accounts.reference_day is None or accounts.reference_month is None:
        return None
    return models.MMDD(MM=f"{accounts.reference_month:02}", DD=f"{accounts.reference_day:02}")


def _changes(company: Company) -> models.RegisterChanges | None:
    if company.filings is None:
        return None
    changes = [each for each in company.filings.value if each.category not in _NO_CHANGE]
    newest = sorted(changes, key=lambda each: (each.date, each.id), reverse=True)[:_MOST_CHANGES]
    return models.RegisterChanges(len(changes), tuple(models.RegisterChange(each.date, each.type) for each in newest))
