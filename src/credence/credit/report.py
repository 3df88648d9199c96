"""The report on a registered company, built from facts alone (D21, report schema §8 and §9).

A member without a source is left out; `Assessment.NotHeld` says which and why. The same report answers v1 and v2.
"""

import msgspec

from credence.credit import codes
from credence.credit.facts.company import Company, Held
from credence.credit.facts.register import AccountsFiling, Activity, Charges, FormerName, RegisterEntry
from credence.credit.office import location
from credence.credit.wire import models
from credence.credit.wire.assessment import Assessment, NotHeld
from credence.credit.wire.report import LtdCompanyData, LtdIdentification

NOT_HELD = (
    NotHeld("CommercialDelphi", "No score or credit limit is computed: no filed accounts are held."),
    NotHeld("Financials", "No filed accounts are held."),
    NotHeld("ManagementInfo", "No officers are held."),
    NotHeld("CorporateStructure", "No persons with significant control are held."),
    NotHeld("Shareholders", "Names and holdings are in scanned filings."),
    NotHeld("LegalNotices", "No notices of the Gazette are held; see CompanyStatus."),
    NotHeld("CCJs", "County court judgments are not open data; their absence here does not mean there are none."),
    NotHeld("PaymentPerformance", "Payment experiences come from suppliers' ledgers, which are not open data."),
    NotHeld("LimitedCompanyCIFAS", "Fraud records are shared in a closed scheme."),
    NotHeld("LtdCompanyCAIS", "Credit account records are shared in a closed scheme."),
)
"""What no report holds yet. Unknown is not zero, and the reader is told so (credit §13.4)."""

encode = msgspec.json.Encoder().encode
"""Report -> JSON: dates as `yyyy-mm-dd`, absent members left out, never null."""


def build(company: Company) -> LtdCompanyData:
    """Return the report on a company."""
    if company.register is None:
        raise LookupError(company.number)
    entry = company.register.value
    return LtdCompanyData(
        RegNumber=entry.number,
        CommercialName=entry.name,
        Identification=_identification(entry),
        Mortgages=_mortgages(entry.charges),
        Assessment=_assessment(company.register),
    )


def _identification(entry: RegisterEntry) -> LtdIdentification:
    form = codes.legal_form(entry.category)
    return LtdIdentification(
        LegalStatus=form.code if form else None,
        IncorporationDate=entry.incorporated,
        DissolutionDate=entry.dissolved,
        RegisteredOffice=location(entry.office),
        SICInformation1992=tuple(models.SICInfo92(each.code, each.description) for each in entry.activities),
        PreviousNames=_previous_names(entry.former_names),
        FilingDetails=_filing_details(entry),
    )


def _previous_names(former: tuple[FormerName, ...]) -> models.PreviousNames:
    return models.PreviousNames(len(former), tuple(models.PrevName(each.name, each.changed) for each in former))


def _filing_details(entry: RegisterEntry) -> models.FilingDetails:
    return models.FilingDetails(
        LatestAccounts=entry.accounts.last_made_up,
        # The confirmation statement took the place of the annual return in 2016.
        LatestReturns=entry.confirmation_last_made_up or entry.annual_return_last_made_up,
        LatestAccountType=codes.accounts_type(entry.accounts.category),
        AccountsRefDate=_reference_date(entry.accounts),
    )


def _reference_date(accounts: AccountsFiling) -> models.MMDD | None:
    if accounts.reference_day is None or accounts.reference_month is None:
        return None
    return models.MMDD(MM=f"{accounts.reference_month:02}", DD=f"{accounts.reference_day:02}")


def _mortgages(charges: Charges) -> models.Mortgages | None:
    if charges.total is None:
        return None
    unsatisfied = (
        charges.outstanding + charges.part_satisfied
        if charges.outstanding is not None and charges.part_satisfied is not None
        else None
    )
    return models.Mortgages(charges.total, charges.satisfied, unsatisfied)


def _assessment(held: Held[RegisterEntry]) -> Assessment:
    entry, provenance = held.value, held.provenance
    form = codes.legal_form(entry.category)
    return Assessment(
        Source=provenance.source,
        SnapshotDate=provenance.as_of,
        Attribution=provenance.licence or None,
        CompanyStatus=entry.status or None,
        LegalForm=form.words if form else None,
        CountryOfOrigin=entry.country_of_origin or None,
        ActivityClassification=_classification(entry.activities),
        AccountsNextDue=entry.accounts.next_due,
        ConfirmationStatementNextDue=entry.confirmation_next_due,
        NotHeld=NOT_HELD,
    )


def _classification(activities: tuple[Activity, ...]) -> str | None:
    # The register still carries codes of the older edition, four digits long (credit §2.2).
    editions = {"SIC 2007" if len(each.code) == 5 else "SIC 2003" for each in activities}
    return " and ".join(sorted(editions, reverse=True)) or None
