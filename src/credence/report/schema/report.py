"""The report (report schema, field tables, LtdCompanyData).

Each member is in the module of its name. A model with the name of its member has another name here, which the member
would hide otherwise; the docstring of the model gives the name in the field tables.
"""

import datetime as dt

import msgspec

from credence.report.schema import (
    accounts,
    alerts,
    assessment,
    identification,
    judgments,
    legal_notices,
    management,
    mortgages,
    payment,
    percentage_change,
    ratios,
    structure,
)
from credence.report.schema.commercial_delphi import LtdCommercialDelphi, LtdCommercialDelphiHistory
from credence.report.schema.scoring_data import ScoringData as Inputs


class LtdIdentification(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who the company is. The issued capital is that of the newest accounts."""

    LegalStatus: str | None = None
    IncorporationDate: dt.date | None = None
    DissolutionDate: dt.date | None = None
    RegisteredOffice: identification.LtdBusinessLocation | None = None
    Currency: str | None = None
    IssuedCapital: accounts.Amount | None = None
    SICInformation1992: tuple[identification.SICInfo92, ...] = ()
    PreviousNames: identification.PreviousNames | None = None
    FilingDetails: identification.FilingDetails | None = None
    CROChanges: identification.RegisterChanges | None = None


class FinancialStatements(msgspec.Struct, frozen=True, omit_defaults=True):
    """Financials: years of accounts and the figures computed from them.

    The company's years come first, the newest of them first; then those of the group, marked by `ConsolidatedAccounts`.
    """

    Accounts: tuple[accounts.Accounts, ...] = ()
    Ratios: tuple[ratios.Ratios, ...] = ()
    PercentageChange: percentage_change.PercentageChange | None = None


class LtdCompanyData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The report on one registered company; these members have the same names in v1 and v2 (report schema §5)."""

    RegNumber: str
    CommercialName: str | None = None
    Identification: LtdIdentification | None = None
    CorporateStructure: structure.CorporateStructure | None = None
    ManagementInfo: management.ManagementInfo | None = None
    CommercialDelphi: LtdCommercialDelphi | None = None
    PaymentPerformance: payment.PaymentPerformance | None = None
    Financials: FinancialStatements | None = None
    CCJs: judgments.Judgments | None = None
    Mortgages: mortgages.Mortgages | None = None
    LegalNotices: legal_notices.LegalNotices | None = None
    CommercialDelphiHistory: LtdCommercialDelphiHistory | None = None
    ScoringData: Inputs | None = None
    Alerts: tuple[alerts.Alerts, ...] = ()
    NoticeOfCorrection: alerts.NoticeOfCorrection | None = None
    Assessment: assessment.Assessment | None = None
