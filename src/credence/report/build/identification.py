"""`Identification`: from the register, the filings and the accounts (report schema §8, row 3)."""

import datetime as dt

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.events import Filing
from credence.companies.facts.register import AccountsFiling, FormerName, Office, RegisterEntry
from credence.report.build.years import Year
from credence.report.schema import identification as wire
from credence.report.schema.report import LtdIdentification

_NO_CHANGE = frozenset({"accounts", "confirmation-statement", "annual-return"})
"""Categories of periodic filings that do not change the register entry."""

_MAX_CHANGES = 50
_ADDRESS_LINES = 5


def identification(company: Company, years: tuple[Year, ...]) -> LtdIdentification:
    """Return the member; unknown fields are left out."""
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
        PreviousNames=_previous_names(entry.former_names) if entry and entry.status else None,
        FilingDetails=_filing_details(company, entry),
        CROChanges=_changes(company),
    )


def location(office: Office) -> wire.LtdBusinessLocation | None:
    """Return the office in up to five lines without blank ones; None if the register has no office.

    The register's address has up to seven parts; surplus parts share the first line.
    """
    parts = [part for part in _parts(office) if part]
    if len(parts) > _ADDRESS_LINES:
        surplus = len(parts) - _ADDRESS_LINES + 1
        parts = [", ".join(parts[:surplus]), *parts[surplus:]]
    if not parts and not office.postcode:
        return None
    lines = {f"LocationLine{n}": part for n, part in enumerate(parts, 1)}
    return wire.LtdBusinessLocation(**lines, Postcode=office.postcode or None)


def _parts(office: Office) -> tuple[str, ...]:
    named = not office.care_of or office.care_of.upper().startswith("C/O")
    care_of = office.care_of if named else f"c/o {office.care_of}"
    po_box = f"PO Box {office.po_box}" if office.po_box else ""
    return care_of, po_box, office.line_1, office.line_2, office.town, office.county, office.country


def accounts_received(company: Company) -> Filing | None:
    """Return the newest accounts in the filing history that have a made-up date; None without any."""
    filings = company.filings.value if company.filings else ()
    found = [each for each in filings if each.category == "accounts" and each.made_up is not None]
    return max(found, key=lambda each: (each.made_up or dt.date.min, each.date), default=None)


def days_to_file(filing: Filing | None) -> int | None:
    """Return the days from the end of the year to the receipt of its accounts."""
    return None if filing is None or filing.made_up is None else (filing.date - filing.made_up).days


def _activities(entry: RegisterEntry) -> tuple[wire.SICInfo92, ...]:
    return tuple(wire.SICInfo92(each.code, each.description) for each in entry.activities)


def _previous_names(former: tuple[FormerName, ...]) -> wire.PreviousNames:
    return wire.PreviousNames(len(former), tuple(wire.PrevName(each.name, each.changed) for each in former))


def _filing_details(company: Company, entry: RegisterEntry | None) -> wire.FilingDetails:
    received = accounts_received(company)
    return wire.FilingDetails(
        LatestAccounts=_latest_accounts(company, entry),
        # The confirmation statement replaced the annual return in 2016.
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


def _reference_date(accounts: AccountsFiling) -> wire.MMDD | None:
    if accounts.reference_day is None or accounts.reference_month is None:
        return None
    return wire.MMDD(MM=f"{accounts.reference_month:02}", DD=f"{accounts.reference_day:02}")


def _changes(company: Company) -> wire.RegisterChanges | None:
    if company.filings is None:
        return None
    changes = [each for each in company.filings.value if each.category not in _NO_CHANGE]
    newest = sorted(changes, key=lambda each: (each.date, each.id), reverse=True)[:_MAX_CHANGES]
    return wire.RegisterChanges(len(changes), tuple(wire.RegisterChange(each.date, each.type) for each in newest))
