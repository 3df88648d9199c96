"""The percentiles of the score and its ratios within the sector (member of `Assessment`, D21)."""

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
