"""Builds the whole report, and encodes it as JSON."""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company
from credence.report.build.accounts import accounts, ratios
from credence.report.build.alerts import AlertFacts, notice_of_correction
from credence.report.build.assessment import assessment
from credence.report.build.commercial_delphi import commercial_delphi, history
from credence.report.build.events import Event, events
from credence.report.build.group import Group
from credence.report.build.headline import headline
from credence.report.build.identification import identification
from credence.report.build.insolvency import insolvency
from credence.report.build.legal_notices import legal_notices
from credence.report.build.management import management
from credence.report.build.mortgages import mortgages
from credence.report.build.percentage_change import percentage_change
from credence.report.build.score import not_scored, scored
from credence.report.build.scoring_data import scoring_data
from credence.report.build.structure import company_name, corporate_structure
from credence.report.build.years import MAX_YEARS, Year, years, years_of_group
from credence.report.schema.assessment import Assessment, InsolvencyState
from credence.report.schema.commercial_delphi import LtdCommercialDelphi
from credence.report.schema.headline import BandInWords
from credence.report.schema.report import FinancialStatements, LtdCompanyData
from credence.scoring.score import ScoringResult, score_company

encode = msgspec.json.Encoder().encode
"""Report -> JSON: dates as `yyyy-mm-dd`; absent members are left out and never null."""


MEMBERS = frozenset(LtdCompanyData.__struct_fields__)
INSOLVENCY, HEADLINE = "Assessment.Insolvency", "Assessment.Headline"
"""The names of two parts of the assessment in a list of members to build."""

SCORE_IN_BRIEF = frozenset({"Assessment.Score"})
"""In place of members: the score without its lines, reasons and inputs, for lists that show none."""

_SCORE_AND_STATE = SCORE_IN_BRIEF | {INSOLVENCY, HEADLINE}

NEED_GROUP = frozenset({"CorporateStructure", "ScoringData", "Assessment"})
"""The members that need the facts about the group."""


def build(company: Company, group: Group, today: dt.date, members: frozenset[str] = MEMBERS) -> LtdCompanyData:
    """Return the report on a company; `today` decides what is overdue, recent and old.

    With `members` only these are built, which saves time for lists of companies; `Assessment.Insolvency` and
    `Assessment.Headline` select these parts of the assessment. The company number and the score (`Assessment.Score` or
    `NotScored`) are always built, with SCORE_IN_BRIEF without its parts.
    """
    result = score_company(company, today)
    if members <= _SCORE_AND_STATE:
        return LtdCompanyData(company.number, Assessment=_score_alone(company, result, today, members))
    filed = years(company.accounts.value) if company.accounts else ()
    of_accounts = filed[:MAX_YEARS]
    consolidated = years_of_group(company.accounts.value) if company.accounts else ()
    happened = events(company)
    facts = AlertFacts(company, of_accounts, happened, today, result, filed[MAX_YEARS:], consolidated)
    charges = mortgages(company) if members & {"Mortgages", "ScoringData"} else None
    legal = legal_notices(company, happened) if members & {"LegalNotices", "Assessment"} else None

    assessed = (
        assessment(facts, group, with_notices=legal is not None)
        if "Assessment" in members
        else _score_alone(company, result, today, members)
    )

    # A conditional expression each: a function for each member would be two dozen calls in every report.
    return LtdCompanyData(
        RegNumber=company.number,
        CommercialName=company_name(company) if "CommercialName" in members else None,
        Identification=identification(company, of_accounts) if "Identification" in members else None,
        CorporateStructure=corporate_structure(company, group) if "CorporateStructure" in members else None,
        ManagementInfo=management(company, today) if "ManagementInfo" in members else None,
        CommercialDelphi=_commercial_delphi(facts, assessed.Headline) if "CommercialDelphi" in members else None,
        Financials=_financials(company, of_accounts, consolidated) if "Financials" in members and of_accounts else None,
        Mortgages=charges if "Mortgages" in members else None,
        LegalNotices=legal if "LegalNotices" in members else None,
        CommercialDelphiHistory=history(company, result) if "CommercialDelphiHistory" in members else None,
        ScoringData=scoring_data(company, of_accounts, happened, group, charges, today)
        if "ScoringData" in members
        else None,
        Alerts=(facts.alerts,) if "Alerts" in members else (),
        NoticeOfCorrection=notice_of_correction(company) if "NoticeOfCorrection" in members else None,
        Assessment=assessed,
    )


def _commercial_delphi(facts: AlertFacts, shown: BandInWords | None) -> LtdCommercialDelphi | None:
    score = facts.result.score
    if score is None:
        return None
    result, happened = facts.result, facts.events
    found = shown or headline(result, happened, _insolvency(facts.company, result, happened))
    return commercial_delphi(score, found.Words if found else score.band.words)


def _score_alone(company: Company, result: ScoringResult, today: dt.date, members: frozenset[str]) -> Assessment:
    """Return an assessment with only the score, in whole or in brief, and the parts that `members` name."""
    happened = events(company) if members & {INSOLVENCY, HEADLINE} else ()
    insolvent = _insolvency(company, result, happened) if members & {INSOLVENCY, HEADLINE} else None
    return Assessment(
        ReportDate=today,
        Insolvency=insolvent,
        Headline=headline(result, happened, insolvent) if insolvent and HEADLINE in members else None,
        Score=scored(result, whole=not members & SCORE_IN_BRIEF),
        NotScored=not_scored(result),
    )


def _insolvency(company: Company, result: ScoringResult, happened: tuple[Event, ...]) -> InsolvencyState:
    return insolvency(company, happened, result.model.legal, result.judged.days)


def _financials(company: Company, of_accounts: tuple[Year, ...], consolidated: tuple[Year, ...]) -> FinancialStatements:
    # The company's years come first, because clients read the first entry as its newest year.
    shown = (*of_accounts, *consolidated)
    return FinancialStatements(
        Accounts=tuple([accounts(company, year) for year in shown]),
        Ratios=tuple([found for year in shown if (found := ratios(company, year)) is not None]),
        PercentageChange=percentage_change(company, of_accounts),
    )
