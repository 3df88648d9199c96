"""Judgments against a company (report schema, field tables, CCJs).

Only invented companies have them: judgments are not open data.
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import YES_NO, meaning

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
    """`CCJLtd`: judgments of the last six years, counted by age and listed. Zero means counted and none found."""

    NumberCCJs0To72: Annotated[int, meaning("Judgments of the last 72 months.")]
    ValueCCJs0To72: Annotated[int | float, meaning("Sum of the judgments of the last 72 months.", unit=_POUNDS)]
    NumberCCJsLast12Months: Annotated[int, meaning("Judgments of the last 12 months.")]
    ValueCCJsLast12Months: Annotated[int | float, meaning("Sum of the judgments of the last 12 months.", unit=_POUNDS)]
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
