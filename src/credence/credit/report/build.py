"""The whole report, and its JSON."""

import datetime as dt

import msgspec

from credence.credit.facts.company import Company
from credence.credit.report.accounts import accounts
from credence.credit.report.alerts import Findings, alerts
from credence.credit.report.assessment import assessment
from credence.credit.report.changes import percentage_change
from credence.credit.report.commercial_delphi import commercial_delphi
from credence.credit.report.correction import notice_of_correction
from credence.credit.report.events import events
from credence.credit.report.group import Group
from credence.credit.report.history import history
from credence.credit.report.identification import identification
from credence.credit.report.judged import judge
from credence.credit.report.management import management
from credence.credit.report.mortgages import mortgages
from credence.credit.report.notices import legal_notices
from credence.credit.report.ratios import ratios
from credence.credit.report.scoring import scoring_data
from credence.credit.report.structure import company_name, corporate_structure
from credence.credit.report.years import Year, years
from credence.credit.wire.report import FinancialStatements, LtdCompanyData

encode = msgspec.json.Encoder().encode
"""Report -> JSON: dates as `yyyy-mm-dd`, absent members left out, never null."""


def build(company: Company, group: Group, today: dt.date) -> LtdCompanyData:
    """Return the report on a company as of a day: overdue, recent and old are judged by it."""
    judged = judge(company, today)
    of_accounts = years(company.accounts.value) if company.accounts else ()
    happened = events(company)
    charges = mortgages(company)
    legal = legal_notices(company, happened)
    return LtdCompanyData(
        RegNumber=company.number,
        CommercialName=company_name(company),
        Identification=identification(company, of_accounts),
        CorporateStructure=corporate_structure(company, group),
        ManagementInfo=management(company, today),
        CommercialDelphi=commercial_delphi(judged.score) if judged.score else None,
        Financials=_financials(company, of_accounts) if of_accounts else None,
        Mortgages=charges,
        LegalNotices=legal,
        CommercialDelphiHistory=history(company, judged),
        ScoringData=scoring_data(company, of_accounts, happened, group, charges, today),
        Alerts=(alerts(Findings(company, of_accounts, happened, today)),),
        NoticeOfCorrection=notice_of_correction(company),
        Assessment=assessment(company, of_accounts, group, judged, today, with_notices=legal is not None),
    )


def _financials(company: Company, of_accounts: tuple[Year, ...]) -> FinancialStatements:
    return FinancialStatements(
        Accounts=tuple(accounts(company, year) for year in of_accounts),
        Ratios=tuple(found for year in of_accounts if (found := ratios(company, year)) is not None),
        PercentageChange=percentage_change(company, of_accounts),
    )
