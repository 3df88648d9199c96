"""Sources, missing parts, and how to dispute the report (credit §10)."""

import re
from collections.abc import Iterator

import msgspec

from credence.blocks.text import day
from credence.blocks.values import Block, Note, Section, Table, capped
from credence.report.build.alerts import RULES
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.score import ScoringModel

CORRECTIONS = "https://www.gov.uk/guidance/correcting-mistakes-on-the-companies-house-register"

_PARTS = {
    "PaymentPractices": "Payment practices",
    "CommercialDelphi": "Score",
    "CommercialDelphi.CreditLimit": "Suggested limit",
    "CommercialDelphiHistory": "Earlier scores",
    "Identification.LegalStatus": "Register entry",
    "Identification.CROChanges": "Filing history",
    "Identification.RegisteredOffice": "Registered office",
    "Identification.IncorporationDate": "Day of incorporation",
    "Identification.SICInformation1992": "Activity",
    "Identification.PreviousNames": "Former names",
    "Assessment.CompanyStatus": "Status",
    "Assessment.AccountsNextDue": "Due dates",
    "Financials": "Accounts",
    "Financials.Accounts[0].BalanceSheet": "Balance sheet",
    "Financials.Accounts[0].ProfitLoss": "Profit and loss account",
    "Financials.Ratios": "Ratios of profit",
    "ManagementInfo": "Officers",
    "CorporateStructure": "Owners and subsidiaries",
    "CorporateStructure.CompanyOwnership": "Owners",
    "Mortgages.MortgageDetail": "Charges, one by one",
    "LegalNotices": "Legal events",
    "LegalNotices (Gazette)": "Notices of the Gazette",
    "LegalNotices (cases)": "Insolvency cases",
    "Insolvency": "Insolvency cases",
    "Notices": "Notices of the Gazette",
    "Assessment.PaymentPractices": "Payment practices",
    "Assessment.RegisterRemarks": "Remarks of the register",
    "Profile": "Remarks of the register",
    "Shareholders": "Shareholders",
    "CCJs": "County court judgments",
    "PaymentPerformance": "Payment experiences of suppliers",
    "LimitedCompanyCIFAS": "Fraud records",
    "LtdCompanyCAIS": "Credit account records",
}
"""Member of the report -> its name on the page; other members keep their names."""

_NUMBER = re.compile(r"\[\d+\]")

_ALERTS = {rule.code: rule.header for rule in RULES}


class Contact(msgspec.Struct, frozen=True):
    """The contact shown on a page: a mail address, and the URL of the model card."""

    email: str
    model_card: str


def closing_sections(report: LtdCompanyData, contact: Contact) -> Iterator[Section]:
    """Yield the sources, the missing parts, and the rights of the reader and of the company."""
    origins = tuple(_origins(report))
    if origins:
        yield Section("sources", "Sources", origins)
    missing = tuple(_missing(report))
    if missing:
        yield Section("not-held", "Missing data", missing)
    yield Section("rights", "Questions, errors and disputes", tuple(_rights(report, contact)))


def _origins(report: LtdCompanyData) -> Iterator[Block]:
    assessment = report.Assessment
    if assessment is None:
        return
    rows = tuple(
        (_PARTS.get(each.Part, each.Part), each.Source, day(each.AsOf), day(each.Retrieved))
        for each in assessment.Provenance
    )
    if rows:
        yield Table("Where each part comes from", ("Part", "Source", "As of", "Retrieved"), rows)
    for licence in assessment.Licences:
        yield Note(licence)
    if assessment.Confidence is not None:
        reasons = " ".join(assessment.Confidence.Reasons)
        yield Note(f"What the facts cover: {assessment.Confidence.Level}. {reasons}".strip())


def _missing(report: LtdCompanyData) -> Iterator[Block]:
    absent = report.Assessment.NotHeld if report.Assessment else ()
    rows, more = capped(absent, lambda each: (_PARTS.get(_NUMBER.sub("[0]", each.Member), each.Member), each.Reason))
    if rows:
        yield Note("Missing data is unknown, not zero. Nothing on this page was guessed.")
        yield Table("Parts of the report without data, and why", ("Part", "Why"), rows, more=more)
    rules = report.Assessment.AlertsNotTried if report.Assessment else ()
    if rules:
        yield Note("If an alert could not be checked, there may or may not be a problem.")
        tried = tuple((_ALERTS.get(each.AlertCode, each.AlertCode), each.Tried, each.Reason) for each in rules)
        yield Table("Alerts that could not be checked in full", ("Alert", "Checked", "Why"), tried)


def _rights(report: LtdCompanyData, contact: Contact) -> Iterator[Block]:
    yield Note(
        "This report supports a decision; it is not one. Anyone refused credit because of it may ask for a person to "
        "review the case, hear their side and explain the outcome. Every reason is given above."
    )
    yield Note(
        "To have a person look at this report, or to dispute anything in it, write to",
        link=(contact.email, f"mailto:{contact.email}"),
    )
    yield Note("While a dispute is open, the report says so.")
    yield Note(
        "An error on the register itself is corrected at Companies House:", link=("correcting mistakes", CORRECTIONS)
    )
    model = _model(report)
    if model is not None:
        yield Note(f"Model: {model.Name}, version {model.Version}, hash {model.Hash[:16]}.")
    yield Note("How the score is made, tested and limited:", link=("model card", contact.model_card))


def _model(report: LtdCompanyData) -> ScoringModel | None:
    assessment = report.Assessment
    outcome = assessment.Score or assessment.NotScored if assessment else None
    return outcome.Model if outcome else None
