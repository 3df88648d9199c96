"""The report and its largest members (report schema, field tables, LtdCompanyData).

The models inside a member stand in modules of their own. Where a member has the name of its model, that model has a
name in our own words here, because it would be hidden otherwise; its docstring gives the name in the tables.
"""

import datetime as dt

import msgspec

from credence.report.schema import (
    accounts,
    alerts,
    assessment,
    management,
    mortgages,
    ratios,
    structure,
)
from credence.report.schema import (
    identification as models,
)
from credence.report.schema import (
    legal_notices as notices,
)
from credence.report.schema.commercial_delphi import LtdCommercialDelphi
from credence.report.schema.history import LtdCommercialDelphiHistory
from credence.report.schema.scoring_data import ScoringData as Inputs


class LtdIdentification(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who the company is. The issued capital is that of the newest accounts."""

    LegalStatus: str | None = None
    IncorporationDate: dt.date | None = None
    DissolutionDate: dt.date | None = None
    RegisteredOffice: models.LtdBusinessLocation | None = None
    Currency: str | None = None
    IssuedCapital: accounts.Amount | None = None
    SICInformation1992: tuple[models.SICInfo92, ...] = ()
    PreviousNames: models.PreviousNames | None = None
    FilingDetails: models.FilingDetails | None = None
    CROChanges: models.RegisterChanges | None = None


class FinancialStatements(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's Financials: years of accounts, newest first, and what is computed from them."""

    Accounts: tuple[accounts.Accounts, ...] = ()
    Ratios: tuple[ratios.Ratios, ...] = ()
    PercentageChange: ratios.PercentageChange | None = None


class LtdCompanyData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The report on one registered company; these members have the same names in v1 and v2 (report schema §5)."""

    RegNumber: str
    CommercialName: str | None = None
    Identification: LtdIdentification | None = None
    CorporateStructure: structure.CorporateStructure | None = None
    ManagementInfo: management.ManagementInfo | None = None
    CommercialDelphi: LtdCommercialDelphi | None = None
    Financials: FinancialStatements | None = None
    Mortgages: mortgages.Mortgages | None = None
    LegalNotices: notices.LegalNotices | None = None
    CommercialDelphiHistory: LtdCommercialDelphiHistory | None = None
    ScoringData: Inputs | None = None
    Alerts: tuple[alerts.Alerts, ...] = ()
    NoticeOfCorrection: alerts.NoticeOfCorrection | None = None
    Assessment: assessment.Assessment | None = None
