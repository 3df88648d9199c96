"""Legal events, registered charges and judgments (report schema, field tables, LegalNotices, Mortgages and CCJs).

Only invented companies have judgments: they are not open data.
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import YES_NO, meaning
from credence.report.schema.codes import CHARGE_DAY, EVENTS, SATISFIED

_POUNDS = "pounds"


class Judgment(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CCJLtdDetail`: one judgment, decree or certificate of a court."""

    CaseNumber: Annotated[str, meaning("Number of the case at the court.")]
    CourtName: Annotated[str, meaning("Name of the court.")]
    JudgmentAgainst: Annotated[str, meaning("Name under which the company was sued.")]
    JudgmentAmount: Annotated[int | float, meaning("Amount of the judgment.", unit=_POUNDS)]
    JudgmentDate: Annotated[dt.date, meaning("Day of the judgment.")]
    JudgmentSource: Annotated[
        str,
        meaning(
            "Register or paper that published it.",
            values={
                "RTLS": "Registry Trust, county courts of England and Wales",
                "RTLN": "Registry Trust, Northern Ireland",
                "LCH": "a high court",
                "NICS": "courts of Northern Ireland",
                "SGEI": "Scottish gazette",
                "SGNI": "gazette of Northern Ireland",
                "SGSC": "sheriff courts of Scotland",
            },
        ),
    ]
    JudgmentType: Annotated[
        str,
        meaning(
            "State of the judgment.",
            values={
                "JG": "judgment",
                "SS": "satisfied",
                "SA": "set aside",
                "CU": "certificate of unenforceability",
                "DO": "discovery",
            },
        ),
    ]
    RegisteredOfficeIndicator: Annotated[
        str | None, meaning("Whether the address of the judgment is the registered office.", values=YES_NO)
    ] = None
    SatisfactionDate: Annotated[dt.date | None, meaning("Day on which it was paid; absent while it is not.")] = None


class Judgments(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CCJLtd`: judgments in the last six years, counted by age and listed. Zero means counted and none found."""

    NumberCCJs0To72: Annotated[int, meaning("Judgments in the last 72 months.")]
    ValueCCJs0To72: Annotated[int | float, meaning("Sum of the judgments in the last 72 months.", unit=_POUNDS)]
    NumberCCJsLast12Months: Annotated[int, meaning("Judgments in the last 12 months.")]
    ValueCCJsLast12Months: Annotated[int | float, meaning("Sum of the judgments in the last 12 months.", unit=_POUNDS)]
    NumberCCJs13To24: Annotated[int, meaning("Judgments 13 to 24 months old.")]
    ValueCCJs13To24: Annotated[int | float, meaning("Sum of the judgments 13 to 24 months old.", unit=_POUNDS)]
    NumberCCJs25To36: Annotated[int, meaning("Judgments 25 to 36 months old.")]
    ValueCCJs25To36: Annotated[int | float, meaning("Sum of the judgments 25 to 36 months old.", unit=_POUNDS)]
    NumberCCJs37To48: Annotated[int, meaning("Judgments 37 to 48 months old.")]
    ValueCCJs37To48: Annotated[int | float, meaning("Sum of the judgments 37 to 48 months old.", unit=_POUNDS)]
    NumberCCJs49To60: Annotated[int, meaning("Judgments 49 to 60 months old.")]
    ValueCCJs49To60: Annotated[int | float, meaning("Sum of the judgments 49 to 60 months old.", unit=_POUNDS)]
    NumberCCJs61To72: Annotated[int, meaning("Judgments 61 to 72 months old.")]
    ValueCCJs61To72: Annotated[int | float, meaning("Sum of the judgments 61 to 72 months old.", unit=_POUNDS)]
    AgeMostRecentCCJ: Annotated[
        int | None, meaning("Age of the newest judgment; absent without one.", unit="months")
    ] = None
    CCJDetail: Annotated[tuple[Judgment, ...], meaning("The judgments, newest first.")] = ()


class Lender(msgspec.Struct, frozen=True, omit_defaults=True):
    """`LenderDetails`: a person entitled to the charge."""

    LenderName: Annotated[str, meaning("A person entitled to the charge, usually a lender.")]


class ChargeDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """`MortgageDetail`. `FullySatisfiedIndicator` is F (fully satisfied) or N (not)."""

    ChargeNumber: Annotated[str, meaning("The register's number of the charge.")]
    ChargeType: Annotated[str | None, meaning("Kind of charge in words.")] = None
    CreationDate: Annotated[dt.date | None, meaning("Day of creation.")] = None
    RegistrationDate: Annotated[dt.date | None, meaning("Day on which it was delivered to the register.")] = None
    DateFullySatisfied: Annotated[dt.date | None, meaning("Day on which it was fully satisfied.")] = None
    FullySatisfiedIndicator: Annotated[str | None, meaning("Whether the debt is paid.", values=SATISFIED)] = None
    AmountSecured: Annotated[
        str | None, meaning("The debt secured, in the register's words.", example="All monies due or to become due")
    ] = None
    LenderDetails: Annotated[tuple[Lender, ...], meaning("The persons entitled.")] = ()
    NumberLenders: Annotated[int | None, meaning("Number of persons entitled.", unit="persons")] = None


class Mortgages(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of charges: all, satisfied, and outstanding or satisfied in part; and each charge (report schema §9)."""

    NumMortgages: Annotated[int | None, meaning("All charges ever registered.", unit="charges")] = None
    NumSatMortgages: Annotated[int | None, meaning("Charges that are fully satisfied.", unit="charges")] = None
    NumUnsatMortgages: Annotated[
        int | None, meaning("Charges that are outstanding or satisfied in part.", unit="charges")
    ] = None
    DateMostRecentMort: Annotated[dt.date | None, meaning("Day of the newest charge.")] = None
    RecMortDateFlag: Annotated[str | None, meaning("Which day that is.", values=CHARGE_DAY)] = None
    DateMostRecentSat: Annotated[dt.date | None, meaning("Day of the newest satisfaction.")] = None
    MortgageDetail: Annotated[tuple[ChargeDetail, ...], meaning("The charges, newest first.")] = ()


class EventLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SummaryLine`: one kind of event (report schema §4), how often, and when last."""

    EventType: Annotated[str, meaning("Kind of event.", values=EVENTS)]
    EventCount: Annotated[int, meaning("Number of events of this kind.", unit="events")]
    EventDate: Annotated[dt.date | None, meaning("Day of the newest; absent if no source dates it.")] = None


class PetitionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Petition`: a claim that a company cannot pay, which a court has not decided (credit §4.3)."""

    PresentationDate: Annotated[dt.date | None, meaning("Day on which the petition was presented to the court.")] = None
    PublicationDate: Annotated[dt.date | None, meaning("Day of its notice in the Gazette.")] = None


class OrderNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Order`: a court winds a company up."""

    OrderDate: Annotated[dt.date | None, meaning("Day of the winding-up order.", example=dt.date(2026, 4, 22))] = None
    PublicationDate: Annotated[
        dt.date | None, meaning("Day of its notice in the Gazette.", example=dt.date(2026, 4, 29))
    ] = None


class ResolutionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Resolution`: the members wind a company up, solvent or insolvent."""

    ResolutionDate: Annotated[dt.date | None, meaning("Day of the resolution.")] = None
    PublicationDate: Annotated[dt.date | None, meaning("Day of its notice in the Gazette.")] = None


class DismissalNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Dismissal`: a court dismissed a petition."""

    PublicationDate: Annotated[
        dt.date | None, meaning("Day of its notice in the Gazette.", example=dt.date(2026, 5, 20))
    ] = None


class WindingUp(msgspec.Struct, frozen=True, omit_defaults=True):
    """`WindUp`."""

    Dismissal: Annotated[tuple[DismissalNotice, ...], meaning("Dismissals of petitions, newest first.")] = ()
    Petition: Annotated[
        tuple[PetitionNotice, ...], meaning("Petitions, also those that a court dismissed; newest first.")
    ] = ()
    Order: Annotated[tuple[OrderNotice, ...], meaning("Orders of a court, newest first.")] = ()
    Resolution: Annotated[tuple[ResolutionNotice, ...], meaning("Resolutions of the members, newest first.")] = ()


class LegalNotices(msgspec.Struct, frozen=True, omit_defaults=True):
    """The events by kind, newest first; a count of 0 means that the loaded sources have no event of the company."""

    SummaryCount: Annotated[
        int, meaning("Number of kinds of events; 0 means that the loaded sources have none.", unit="kinds")
    ]
    SummaryLine: Annotated[tuple[EventLine, ...], meaning("One line for each kind, newest first.")] = ()
    WindUp: Annotated[WindingUp | None, meaning("Petitions, orders and resolutions.")] = None


class GazetteNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One notice of the Gazette about the insolvency of the company, also if no event follows from it."""

    Published: Annotated[dt.date, meaning("The day of publication.")]
    Kind: Annotated[str, meaning("The kind of notice in words.", example="Meetings of Creditors")]
    Code: Annotated[str, meaning("The code of the Gazette for this kind.", example="2442")]
    Id: Annotated[str, meaning("The number of the notice at the Gazette.", example="3534076")]
    Event: Annotated[
        str | None, meaning("The event that follows from it; absent if none does.", example="meeting of creditors")
    ] = None
