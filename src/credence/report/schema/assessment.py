"""Our one addition to the report, under the member `Assessment`: what the wire has no place for (D21, credit §9)."""

import datetime as dt

import msgspec

from credence.report.schema import published_models, score, score_change, sector_position


class Absence(msgspec.Struct, frozen=True):
    """A part of the report that is absent, and why."""

    Member: str
    Reason: str


class Origin(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where one part of the facts comes from, and the line its readers are owed (credit §10)."""

    Part: str
    Source: str
    AsOf: dt.date | None = None
    Retrieved: dt.date | None = None
    Licence: str | None = None


class FigureOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one figure came about: `Method` is reported, derived or repaired (credit §3.4).

    `Tag` is the tag it was filed under or, of a derived figure, the arithmetic. `Filed` is what the filing says where
    an evident fault of sign was repaired.
    """

    Figure: str
    Value: int | float
    Method: str
    Document: str
    Tag: str | None = None
    Filed: int | float | None = None


class YearFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures behind one year of accounts. `Balanced` is absent where too little is filed to check."""

    DateOfAccounts: dt.date
    Documents: tuple[str, ...]
    Balanced: bool | None = None
    Dormant: bool | None = None
    Figures: tuple[FigureOrigin, ...] = ()


class CaseStep(msgspec.Struct, frozen=True):
    """One dated step of an insolvency case."""

    Step: str
    Date: dt.date


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """One insolvency case in words. A solvent one, a members' voluntary liquidation, is no failure.

    `Solvent` is absent where the type is none that the register documents.
    """

    Type: str
    Solvent: bool | None = None
    Steps: tuple[CaseStep, ...] = ()


class Practice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One statutory report of how the company pays its suppliers. Times are in days, shares in per cent of invoices."""

    PeriodStart: dt.date | None = None
    PeriodEnd: dt.date | None = None
    Filed: dt.date | None = None
    AverageDaysToPay: float | None = None
    PercentWithin30Days: float | None = None
    Percent31To60Days: float | None = None
    PercentAfter60Days: float | None = None
    PercentNotWithinTerms: float | None = None
    ShortestTermsDays: float | None = None
    LongestTermsDays: float | None = None


class Trust(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far the facts carry: high, medium or low, with every reason why it is not high."""

    Level: str
    Reasons: tuple[str, ...] = ()


class Assessment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Status in words, what is due, how far the facts carry, every point of the score or why there is none, what moved
    it, where it stands in its section, published models beside it, where each part of the facts comes from and which
    are not held.

    The specimen has no source and says `Specimen` instead.
    """

    ReportDate: dt.date | None = None
    Specimen: str | None = None
    CompanyStatus: str | None = None
    LegalForm: str | None = None
    CountryOfOrigin: str | None = None
    ActivityClassification: str | None = None
    AccountsNextDue: dt.date | None = None
    ConfirmationStatementNextDue: dt.date | None = None
    Confidence: Trust | None = None
    Score: score.Scored | None = None
    NotScored: score.NotScored | None = None
    ScoreChange: score_change.ScoreChange | None = None
    SectorPosition: sector_position.SectorPosition | None = None
    PublishedModels: tuple[published_models.PublishedModel, ...] = ()
    InsolvencyCases: tuple[Case, ...] = ()
    PaymentPractices: tuple[Practice, ...] = ()
    AccountsFigures: tuple[YearFigures, ...] = ()
    Provenance: tuple[Origin, ...] = ()
    Licences: tuple[str, ...] = ()
    Remarks: tuple[str, ...] = ()
    NotHeld: tuple[Absence, ...] = ()
