"""`Assessment`: our one addition to the report schema (D21, credit §9)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import CURRENCY, meaning
from credence.report.schema import (
    connections,
    headline,
    payment,
    published_models,
    score,
    score_change,
    sector_position,
)
from credence.report.schema.codes import ALERTS, CONFIDENCE, INSOLVENCY, METHODS, TRIED
from credence.report.schema.legal_notices import GazetteNotice
from credence.report.schema.score_change import WithdrawnFact


class Absence(msgspec.Struct, frozen=True):
    """A missing part of the report, and the reason."""

    Member: Annotated[str, meaning("The member that is missing, or part of it.")]
    Reason: Annotated[str, meaning("Why it is missing. A missing member is unknown, never zero.")]


class Origin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The source of one part of the facts, and the attribution that its licence demands (credit §10)."""

    Part: Annotated[str, meaning("The part of the facts.")]
    Source: Annotated[str, meaning("Publisher and product.")]
    AsOf: Annotated[dt.date | None, meaning("Day of the snapshot, or of the newest document.")] = None
    Retrieved: Annotated[dt.date | None, meaning("Day on which it was loaded, in London.")] = None
    Licence: Annotated[
        str | None,
        meaning(
            "The attribution that its licence demands.",
            example="Contains public register information from Companies House",
        ),
    ] = None


class FigureOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The origin of one figure: `Method` is reported, derived, repaired (credit §3.4) or impossible.

    An impossible figure, such as 0.03 employees, is as filed and in no other member.

    `Tag` is the tag of a filed figure or the arithmetic of a derived one. `Filed` is the filed value of a figure whose
    sign was repaired.
    """

    Figure: Annotated[str, meaning("The figure in words.")]
    Value: Annotated[int | float, meaning("Its value.", unit=CURRENCY)]
    Method: Annotated[str, meaning("How it was found.", values=METHODS)]
    Document: Annotated[str, meaning("The filing that has it.")]
    Tag: Annotated[
        str | None, meaning("Tag of a filed figure, or the arithmetic of a derived one.", example="CurrentAssets")
    ] = None
    Filed: Annotated[
        int | float | None, meaning("The value as filed, if its sign was repaired.", unit=CURRENCY, example=-1200)
    ] = None


class YearFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures behind one year of accounts. `Balanced` is absent if too little is filed to check.

    `Consolidated` is true for a year of the group, which follows those of the company, and absent if no filing separates
    them.

    `Contradictions` names in words what must hold in any accounts and does not: such a year is not scored.
    """

    DateOfAccounts: Annotated[dt.date, meaning("The balance sheet date.")]
    Documents: Annotated[tuple[str, ...], meaning("The filings with figures of this year.")]
    Consolidated: Annotated[
        bool | None,
        meaning(
            "True for a year of the group, which follows those of the company; absent if no filing separates them."
        ),
    ] = None
    Balanced: Annotated[
        bool | None,
        meaning("Whether the balance sheet balances after repairs; absent if too little is filed to check."),
    ] = None
    Contradictions: Annotated[
        tuple[str, ...],
        meaning(
            "What must hold in any accounts and does not, in words; such a year is not scored.",
            example=("Net assets and equity differ by 1,200.",),
        ),
    ] = ()
    Dormant: Annotated[bool | None, meaning("Whether the filing calls the company dormant.")] = None
    Days: Annotated[int | None, meaning("Length of the period; absent if its first day is unknown.", unit="days")] = (
        None
    )
    CreditorDays: Annotated[
        float | None, meaning("Trade creditors / cost of sales x 365.", unit="days", example=87.35)
    ] = None
    OwedToHmrc: Annotated[
        int | float | None,
        meaning(
            "Corporation tax, other taxes and social security owed, as far as notes give them.",
            unit=CURRENCY,
            example=34_000,
        ),
    ] = None
    Figures: Annotated[tuple[FigureOrigin, ...], meaning("Every figure of the year with its origin.")] = ()


class TextFinding(msgspec.Struct, frozen=True):
    """A sentence of the text of filed accounts, as filed, and its place in them.

    `Kind` is `going-concern` (a material uncertainty about the company itself), `adverse-opinion`, `disclaimer-of-opinion`,
    `qualified-opinion`, `emphasis-of-matter`, `events-after-the-year` or `audit-exempt`.
    """

    DateOfAccounts: Annotated[dt.date, meaning("The balance sheet date of the accounts.", example="2025-12-31")]
    Kind: Annotated[str, meaning("What the sentence is about.", example="qualified-opinion")]
    Sentence: Annotated[
        str, meaning("The sentence as filed, at most 600 characters.", example="We could not count the stocks.")
    ]
    Where: Annotated[
        str,
        meaning("Part of the accounts and nearest heading.", example="auditor's report, Basis for qualified opinion"),
    ]
    Document: Annotated[str, meaning("The filing with the sentence.", example="Prod223_0001_00000001_20251231")]


class CaseStep(msgspec.Struct, frozen=True):
    """One dated step of an insolvency case."""

    Step: Annotated[str, meaning("The step in words.")]
    Date: Annotated[dt.date, meaning("Its day.")]


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """One insolvency case in words. `Solvent` is true for a members' voluntary liquidation, which is not a failure, and
    absent for a type that the register does not document.
    """

    Type: Annotated[str, meaning("Kind of case in words.")]
    Solvent: Annotated[
        bool | None,
        meaning(
            "True for a members' voluntary liquidation, where the company pays its debts; absent for an undocumented kind."
        ),
    ] = None
    Charge: Annotated[
        str | None, meaning("The register's id of the charge under which a receiver acts.", example="Ab1-cd2Ef3")
    ] = None
    Steps: Annotated[tuple[CaseStep, ...], meaning("The dated steps, the earliest first.")] = ()


class FactsOf(msgspec.Struct, frozen=True, omit_defaults=True):
    """The day of the facts: that of the register's snapshot, or else of the newest source. `Age` is their age in words.

    `Newest` is the day of a notice, case or filing that is newer; `Warning` is there if the facts are over three months
    old.
    """

    Words: Annotated[str, meaning("Day and age of the facts in a sentence.")]
    Day: Annotated[dt.date | None, meaning("Day of the register's snapshot, else of the newest source.")] = None
    Age: Annotated[str | None, meaning("Age of the facts in words.")] = None
    Newest: Annotated[
        dt.date | None,
        meaning("Day of a notice, case or filing that is newer than `Day`.", example=dt.date(2026, 5, 20)),
    ] = None
    Warning: Annotated[
        str | None,
        meaning(
            "Present if the facts are more than three months old: ask for newer ones before deciding.",
            example="The facts are six months old.",
        ),
    ] = None


class InsolvencySource(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of insolvency according to one source, and the day of that source."""

    Part: Annotated[str, meaning("The part of the facts.")]
    Says: Annotated[str, meaning("What it says of insolvency.")]
    AsOf: Annotated[dt.date | None, meaning("Day of that source.")] = None


class InsolvencyState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the company is insolvent, from every source that is on record.

    `State` is `none known`, `petition`, `proceedings`, `failed`, `dissolved` or `unknown`. `failed` is what sets the score
    to 0; `proceedings` are open and not counted as a failure; `unknown` means that no source is on record. `Since` is the
    first day of the state, absent if no source dates it. `NotHeld` names the sources that were not there to be read.
    """

    State: Annotated[str, meaning("The answer.", values=INSOLVENCY)]
    Words: Annotated[str, meaning("The answer in a sentence.")]
    Since: Annotated[dt.date | None, meaning("First day of the state; absent if no source dates it.")] = None
    Sources: Annotated[tuple[InsolvencySource, ...], meaning("What each source says.")] = ()
    NotHeld: Annotated[tuple[str, ...], meaning("The sources that were not there to be read.")] = ()


class UntriedAlert(msgspec.Struct, frozen=True):
    """An alert rule that was not tried, or tried in part only (`Tried`): that it raised no alert does not mean "clean"."""

    AlertCode: Annotated[str, meaning("The rule.", values=ALERTS)]
    Tried: Annotated[str, meaning("How much of the rule was tried.", values=TRIED)]
    Reason: Annotated[str, meaning("Which facts are not on record.", example="No charges are on record.")]


class OfficersVerified(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of present officers whom the register marks as verified; absent if it marks none."""

    Officers: Annotated[int, meaning("Present officers.", example=3)]
    Verified: Annotated[int, meaning("Those whose identity is verified.", example=2)]
    NextDue: Annotated[
        dt.date | None,
        meaning("First day by which an unverified officer must be verified.", example=dt.date(2026, 11, 17)),
    ] = None


class ProfileRemarks(msgspec.Struct, frozen=True, omit_defaults=True):
    """Remarks of the company's profile at the register, which the snapshot does not have; an absent one is unknown."""

    InsolvencyHistory: Annotated[
        bool | None,
        meaning("Whether it is or ever was in an insolvency procedure, a solvent liquidation included.", example=False),
    ] = None
    OfficeUndeliverable: Annotated[
        bool | None, meaning("Whether post to the registered office comes back.", example=False)
    ] = None
    OfficeInDispute: Annotated[
        bool | None, meaning("Whether the company's use of its registered office is contested.", example=False)
    ] = None


class Trust(msgspec.Struct, frozen=True, omit_defaults=True):
    """Confidence in the facts: high, medium or low, with every reason against high."""

    Level: Annotated[str, meaning("Confidence in the facts.", values=CONFIDENCE)]
    Reasons: Annotated[tuple[str, ...], meaning("Every reason against `high`.")] = ()


class Assessment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Status, due dates, confidence, the score with every point or the reason for none, its change and sector position,
    published models, the source of each part of the facts, and the missing parts.

    The specimen has no sources; its member `Specimen` says so.
    """

    ReportDate: Annotated[dt.date | None, meaning("The day for which the report judges ages and due dates (UTC).")] = (
        None
    )
    Facts: Annotated[FactsOf | None, meaning("Of which day the facts are.")] = None
    Specimen: Annotated[str | None, meaning("Present if the company is invented, and says so.")] = None
    CompanyStatus: Annotated[
        str | None,
        meaning("Status in the register's words, such as Active or Liquidation; the report has no coded status."),
    ] = None
    Insolvency: Annotated[
        InsolvencyState | None, meaning("Whether the company is insolvent, from every source that is on record.")
    ] = None
    LegalForm: Annotated[str | None, meaning("Legal form in words.")] = None
    CountryOfOrigin: Annotated[str | None, meaning("Country of origin in the register's words.")] = None
    ActivityClassification: Annotated[
        str | None,
        meaning("Edition of the activity codes: SIC 2007, or SIC 2003 for a company that kept an older code."),
    ] = None
    AccountsNextDue: Annotated[dt.date | None, meaning("Day by which the next accounts are due.")] = None
    ConfirmationStatementNextDue: Annotated[
        dt.date | None, meaning("Day by which the next confirmation statement is due.")
    ] = None
    Confidence: Annotated[Trust | None, meaning("How far the facts can be relied on.")] = None
    Headline: Annotated[
        headline.BandInWords | None, meaning("The band in words, with what speaks against it; absent without a score.")
    ] = None
    Score: Annotated[
        score.Scored | None, meaning("The score with every point; absent if the company is not scored.")
    ] = None
    NotScored: Annotated[score.NotScored | None, meaning("Why there is no score; absent with a score.")] = None
    ScoreChange: Annotated[
        score_change.ScoreChange | None, meaning("The points that moved the score since the last different one.")
    ] = None
    SectorPosition: Annotated[
        sector_position.SectorPosition | None, meaning("Position of the score and its ratios within the sector.")
    ] = None
    PublishedModels: Annotated[
        tuple[published_models.PublishedModel, ...],
        meaning("Models from the literature, for comparison; never part of the score."),
    ] = ()
    Disagreement: Annotated[
        headline.DisagreementOfModels | None,
        meaning("Published models that indicate distress while the score says low risk."),
    ] = None
    AlertsNotTried: Annotated[tuple[UntriedAlert, ...], meaning("Alert rules whose facts are not on record.")] = ()
    IdentityVerification: Annotated[
        OfficersVerified | None,
        meaning("Verification of the officers' identity; absent if the register says nothing of it."),
    ] = None
    RegisterRemarks: Annotated[
        ProfileRemarks | None, meaning("Remarks of the company's profile; absent if no profile is on record.")
    ] = None
    InsolvencyCases: Annotated[tuple[Case, ...], meaning("Insolvency cases in words.")] = ()
    Notices: Annotated[
        tuple[GazetteNotice, ...], meaning("Every notice of corporate insolvency in the Gazette, newest first.")
    ] = ()
    Withdrawn: Annotated[
        tuple[WithdrawnFact, ...], meaning("Legal facts that their publishers withdrew or corrected, newest first.")
    ] = ()
    PaymentPractices: Annotated[
        tuple[payment.Practice, ...], meaning("Statutory reports on payments to suppliers, newest first.")
    ] = ()
    PaymentComparison: Annotated[
        sector_position.PaymentComparison | None,
        meaning("How the newest statutory report on payments compares with those of the section."),
    ] = None
    Connections: Annotated[
        connections.Connections | None,
        meaning("Failures and late filings around the company; never part of the score."),
    ] = None
    AccountsFigures: Annotated[tuple[YearFigures, ...], meaning("Every figure of each year with its origin.")] = ()
    AccountsText: Annotated[
        tuple[TextFinding, ...],
        meaning(
            "Sentences of the last five accounts on going concern, the audit and later events, newest accounts first."
        ),
    ] = ()
    Provenance: Annotated[tuple[Origin, ...], meaning("The source of each part of the facts.")] = ()
    Licences: Annotated[
        tuple[str, ...],
        meaning(
            "The attributions that must be shown with the report.",
            example=("Contains public register information from Companies House",),
        ),
    ] = ()
    Remarks: Annotated[tuple[str, ...], meaning("Remarks that apply to the whole report.")] = ()
    NotHeld: Annotated[tuple[Absence, ...], meaning("The missing members with the reason. Missing means unknown.")] = ()
