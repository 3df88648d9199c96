"""`Assessment`: our one addition to the report schema (D21, credit §9)."""

import datetime as dt

import msgspec

from credence.report.schema import published_models, score, score_change, sector_position


class Absence(msgspec.Struct, frozen=True):
    """A missing part of the report, and the reason."""

    Member: str
    Reason: str


class Origin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The source of one part of the facts, and the attribution that its licence demands (credit §10)."""

    Part: str
    Source: str
    AsOf: dt.date | None = None
    Retrieved: dt.date | None = None
    Licence: str | None = None


class FigureOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The origin of one figure: `Method` is reported, derived or repaired (credit §3.4).

    `Tag` is the tag of a filed figure or the arithmetic of a derived one. `Filed` is the filed value of a figure whose
    sign was repaired.
    """

    Figure: str
    Value: int | float
    Method: str
    Document: str
    Tag: str | None = None
    Filed: int | float | None = None


class YearFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures behind one year of accounts. `Balanced` is absent if too little is filed to check.

    `Consolidated` is true for a year of the group, which follows those of the company, and absent if no filing separates
    them.

    `Contradictions` names in words what must hold in any accounts and does not: such a year is not scored.
    """

    DateOfAccounts: dt.date
    Documents: tuple[str, ...]
    Consolidated: bool | None = None
    Balanced: bool | None = None
    Contradictions: tuple[str, ...] = ()
    Dormant: bool | None = None
    Figures: tuple[FigureOrigin, ...] = ()


class CaseStep(msgspec.Struct, frozen=True):
    """One dated step of an insolvency case."""

    Step: str
    Date: dt.date


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """One insolvency case in words. `Solvent` is true for a members' voluntary liquidation, which is not a failure, and
    absent for a type that the register does not document.
    """

    Type: str
    Solvent: bool | None = None
    Steps: tuple[CaseStep, ...] = ()


class FactsOf(msgspec.Struct, frozen=True, omit_defaults=True):
    """Of which day the facts are: of the register's snapshot, else of the newest source. `Age` is their age in words.

    `Newest` is the day of a notice, case or filing that is newer; `Warning` is there if the facts are over three months old.
    """

    Words: str
    Day: dt.date | None = None
    Age: str | None = None
    Newest: dt.date | None = None
    Warning: str | None = None


class InsolvencySource(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one source says of insolvency, and the day of that source."""

    Part: str
    Says: str
    AsOf: dt.date | None = None


class InsolvencyState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the company is insolvent, from every source that is held.

    `State` is `none known`, `petition`, `proceedings`, `failed`, `dissolved` or `unknown`. `failed` is what sets the score
    to 0; `proceedings` are open and not counted as a failure; `unknown` means that no source of it is held. `Since` is the
    first day of the state, absent if no source dates it. `NotHeld` names the sources that were not there to be read.
    """

    State: str
    Words: str
    Since: dt.date | None = None
    Sources: tuple[InsolvencySource, ...] = ()
    NotHeld: tuple[str, ...] = ()


class UntriedAlert(msgspec.Struct, frozen=True):
    """An alert rule that was not tried, or tried in part only (`Tried`): that it raised no alert does not mean "clean"."""

    AlertCode: str
    Tried: str
    Reason: str


class Practice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One statutory report on payments to suppliers. Times are in days, shares in per cent of invoices."""

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
    """Confidence in the facts: high, medium or low, with every reason against high."""

    Level: str
    Reasons: tuple[str, ...] = ()


class Assessment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Status, due dates, confidence, the score with every point or the reason for none, its change and sector position,
    published models, the source of each part of the facts, and the missing parts.

    The specimen has no sources; its member `Specimen` says so.
    """

    ReportDate: dt.date | None = None
    Facts: FactsOf | None = None
    Specimen: str | None = None
    CompanyStatus: str | None = None
    Insolvency: InsolvencyState | None = None
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
    AlertsNotTried: tuple[UntriedAlert, ...] = ()
    InsolvencyCases: tuple[Case, ...] = ()
    PaymentPractices: tuple[Practice, ...] = ()
    AccountsFigures: tuple[YearFigures, ...] = ()
    Provenance: tuple[Origin, ...] = ()
    Licences: tuple[str, ...] = ()
    Remarks: tuple[str, ...] = ()
    NotHeld: tuple[Absence, ...] = ()
