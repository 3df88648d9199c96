"""The percentiles of the score, its ratios and its payments within the sector (members of `Assessment`, D21)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import PER_CENT, meaning


class RatioPosition(msgspec.Struct, frozen=True):
    """The percentile of a scored ratio within the section; equal values count half."""

    Code: Annotated[str, meaning("Code of the ratio.", example="quick-ratio")]
    Words: Annotated[str, meaning("The ratio in words.", example="Debtors and cash / creditors due within one year")]
    Value: Annotated[float, meaning("Its value.", example=2.5)]
    Percentile: Annotated[
        int, meaning("Share of the section with a lower value, equal ones counting half.", unit=PER_CENT, example=81)
    ]
    Companies: Annotated[int, meaning("Companies of the section with this ratio.", unit="companies", example=310)]


class SectorPosition(msgspec.Struct, frozen=True, omit_defaults=True):
    """The position within the section of SIC 2007 in the last scoring run; `AsOf` is the day of its register."""

    Section: Annotated[str, meaning("Letter of the section of SIC 2007.", example="J")]
    Words: Annotated[str, meaning("The section in words.", example="Information and communication")]
    AsOf: Annotated[dt.date, meaning("Day of the last scoring run.", example=dt.date(2026, 5, 1))]
    Companies: Annotated[int, meaning("Scored companies of the section.", unit="companies", example=310)]
    ScorePercentile: Annotated[
        int, meaning("Share of the section with a lower score, equal ones counting half.", unit=PER_CENT, example=75)
    ]
    Ratios: Annotated[tuple[RatioPosition, ...], meaning("The position of each scored ratio.")] = ()


class PaymentComparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """The newest statutory report on payments next to those of all companies of the section that reported.

    Companies of all sections where fewer than 20 of the section reported before the last scoring run.
    """

    Among: Annotated[str, meaning("The section in words, or `all sections`.", example="Construction")]
    AsOf: Annotated[dt.date, meaning("Day of the register in the last scoring run.", example=dt.date(2026, 5, 1))]
    Reporters: Annotated[int, meaning("Companies that reported.", unit="companies", example=412)]
    AverageDaysToPay: Annotated[float, meaning("Days of this company.", unit="days", example=71.0)]
    MedianDaysToPay: Annotated[float, meaning("Days of the median reporter.", unit="days", example=34.0)]
    PercentThatPaySooner: Annotated[
        int, meaning("Reporters that pay sooner, equal ones counting half.", unit=PER_CENT, example=93)
    ]
    PercentNotWithinTerms: Annotated[
        float | None, meaning("Invoices of this company not paid within terms.", unit=PER_CENT, example=58.0)
    ] = None
    MedianPercentNotWithinTerms: Annotated[
        float | None, meaning("The same of the median reporter.", unit=PER_CENT, example=24.0)
    ] = None
