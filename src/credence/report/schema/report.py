"""The report (report schema, field tables, LtdCompanyData).

Each member is in the module of its name. A model with the name of its member has another name here, which the member
would hide otherwise; the docstring of the model gives the name in the field tables.
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import CURRENCY, meaning
from credence.report.schema import (
    accounts,
    alerts,
    assessment,
    identification,
    legal_notices,
    management,
    payment,
    percentage_change,
    structure,
)
from credence.report.schema.codes import LEGAL_STATUS
from credence.report.schema.commercial_delphi import LtdCommercialDelphi, LtdCommercialDelphiHistory
from credence.report.schema.scoring_data import ScoringData as Inputs


class LtdIdentification(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who the company is. The issued capital is that of the newest accounts."""

    LegalStatus: Annotated[str | None, meaning("Legal form.", values=LEGAL_STATUS)] = None
    IncorporationDate: Annotated[dt.date | None, meaning("Day of incorporation.")] = None
    DissolutionDate: Annotated[dt.date | None, meaning("Day of dissolution; absent while the company exists.")] = None
    RegisteredOffice: Annotated[identification.LtdBusinessLocation | None, meaning("The registered office.")] = None
    Currency: Annotated[str | None, meaning("Currency of the issued capital (ISO 4217).")] = None
    IssuedCapital: Annotated[
        accounts.Amount | None, meaning("Called up share capital of the newest accounts.", unit=CURRENCY)
    ] = None
    SICInformation1992: Annotated[tuple[identification.SICInfo92, ...], meaning("The activities, by SIC 2007.")] = ()
    PreviousNames: Annotated[identification.PreviousNames | None, meaning("Former names.")] = None
    FilingDetails: Annotated[
        identification.FilingDetails | None, meaning("The last filings and the end of the company's year.")
    ] = None
    CROChanges: Annotated[
        identification.RegisterChanges | None, meaning("Filings that changed the register entry.")
    ] = None


class FinancialStatements(msgspec.Struct, frozen=True, omit_defaults=True):
    """Financials: years of accounts and the figures computed from them.

    The company's years come first, the newest of them first; then those of the group, marked by `ConsolidatedAccounts`.
    """

    Accounts: Annotated[
        tuple[accounts.Accounts, ...],
        meaning("Years of accounts: those of the company, newest first, at most five; then those of the group."),
    ] = ()
    Ratios: Annotated[tuple[accounts.Ratios, ...], meaning("Ratios of the same years.")] = ()
    PercentageChange: Annotated[
        percentage_change.PercentageChange | None, meaning("Changes of the newest year against the one before.")
    ] = None


class LtdCompanyData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The report on one registered company; these members have the same names in v1 and v2 (report schema §5)."""

    RegNumber: Annotated[str, meaning("Company number, eight characters; a text, because zeros may lead.")]
    CommercialName: Annotated[
        str | None, meaning("Name of the company in the register, else in its newest accounts.")
    ] = None
    Identification: Annotated[LtdIdentification | None, meaning("Who the company is.")] = None
    CorporateStructure: Annotated[
        structure.CorporateStructure | None, meaning("Who owns the company, and what it owns.")
    ] = None
    ManagementInfo: Annotated[management.ManagementInfo | None, meaning("The officers, counted and listed.")] = None
    CommercialDelphi: Annotated[
        LtdCommercialDelphi | None,
        meaning("Score, band, limit and reasons as text; absent if the company is not scored."),
    ] = None
    PaymentPerformance: Annotated[
        payment.PaymentPerformance | None,
        meaning(
            "How the company pays its suppliers. In the sandbox only, for invented companies: no open source has it."
        ),
    ] = None
    Financials: Annotated[
        FinancialStatements | None, meaning("Filed accounts, and the figures computed from them.")
    ] = None
    CCJs: Annotated[
        legal_notices.Judgments | None,
        meaning("Judgments against the company. In the sandbox only, for invented companies: no open source has them."),
    ] = None
    Mortgages: Annotated[legal_notices.Mortgages | None, meaning("Registered charges, counted and listed.")] = None
    LegalNotices: Annotated[legal_notices.LegalNotices | None, meaning("Legal events by kind.")] = None
    CommercialDelphiHistory: Annotated[
        LtdCommercialDelphiHistory | None, meaning("Earlier scores, rank and averages, from our own scoring runs.")
    ] = None
    ScoringData: Annotated[Inputs | None, meaning("The known inputs of a score.")] = None
    Alerts: Annotated[tuple[alerts.Alerts, ...], meaning("Exactly one element: the alerts.")] = ()
    NoticeOfCorrection: Annotated[alerts.NoticeOfCorrection | None, meaning("Open disputes about this report.")] = None
    Assessment: Annotated[
        assessment.Assessment | None,
        meaning(
            "Our addition: status in words, confidence, every point of the score, sources, and what is not on record."
        ),
    ] = None
