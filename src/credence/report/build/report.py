"""Builds the whole report, and encodes it as JSON."""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company
from credence.report.build.accounts import accounts
from credence.report.build.alerts import AlertFacts, alerts, notice_of_correction
from credence.report.build.assessment import assessment
from credence.report.build.commercial_delphi import commercial_delphi, history
from credence.report.build.events import events
from credence.report.build.group import Group
from credence.report.build.identification import identification
from credence.report.build.legal_notices import legal_notices
from credence.report.build.management import management
from credence.report.build.mortgages import mortgages
from credence.report.build.percentage_change import percentage_change
from credence.report.build.ratios import ratios
from credence.report.build.scoring_data import scoring_data
from credence.report.build.structure import company_name, corporate_structure
from credence.report.build.years import Year, years, years_of_group
from credence.report.schema.report import FinancialStatements, LtdCompanyData
from credence.scoring.score import score_company

encode = msgspec.json.Encoder().encode
"""Report -> JSON: dates as `yyyy-mm-dd`; absent members are left out and never null."""


def build(company: Company, group: Group, today: dt.date) -> LtdCompanyData:
    """Return the report on a company; `today` decides what is overdue, recent and old."""
    result = score_company(company, today)
    of_accounts = years(company.accounts.value) if company.accounts else ()
    consolidated = years_of_group(company.accounts.value) if company.accounts else ()
    happened = events(company)
    charges = mortgages(company)
    legal = legal_notices(company, happened)
    facts = AlertFacts(company, of_accounts, happened, today, consolidated)
    return LtdCompanyData(
        RegNumber=company.number,
        CommercialName=company_name(company),
        Identification=identification(company, of_accounts),
        CorporateStructure=corporate_structure(company, group),
        ManagementInfo=management(company, today),
        CommercialDelphi=commercial_delphi(result.score) if result.score else None,
        Financials=_financials(company, of_accounts, consolidated) if of_accounts else None,
        Mortgages=charges,
        LegalNotices=legal,
        CommercialDelphiHistory=history(company, result),
        ScoringData=scoring_data(company, of_accounts, happened, group, charges, today),
        Alerts=(alerts(facts),),
        NoticeOfCorrection=notice_of_correction(company),
        Assessment=assessment(facts, group, result, with_notices=legal is not None),
    )


def _financials(company: Company, of_accounts: tuple[Year, ...], consolidated: tuple[Year, ...]) -> FinancialStatements:
    # The company's years come first: clients read the first entry as the company's newest year.
    shown = (*of_accounts, *consolidated)
    return FinancialStatements(
        Accounts=tuple(accounts(company, year) for year in shown),
        Ratios=tuple(found for year in shown if (found := ratios(company, year)) is not None),
        PercentageChange=percentage_change(company, of_accounts),
    )
