"""The report and its largest member (report schema, field tables, LtdCompanyData).

The smaller models have modules of their own, because a member often has the name of its model and would hide it.
"""

import datetime as dt

import msgspec

from credence.credit.wire import assessment, models


class LtdIdentification(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who the company is."""

    LegalStatus: str | None = None
    IncorporationDate: dt.date | None = None
    DissolutionDate: dt.date | None = None
    RegisteredOffice: models.LtdBusinessLocation | None = None
    SICInformation1992: tuple[models.SICInfo92, ...] = ()
    PreviousNames: models.PreviousNames | None = None
    FilingDetails: models.FilingDetails | None = None


class LtdCompanyData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The report on one registered company; these members have the same names in v1 and v2 (report schema §5)."""

    RegNumber: str
    CommercialName: str
    Identification: LtdIdentification
    Mortgages: models.Mortgages | None = None
    Assessment: assessment.Assessment | None = None
