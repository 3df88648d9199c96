"""The percentiles of the score and its ratios within the sector (member of `Assessment`, D21)."""

import datetime as dt

import msgspec


class RatioPosition(msgspec.Struct, frozen=True):
    """The percentile of a scored ratio within the section; equal values count half."""

    Code: str
    Words: str
    Value: float
    Percentile: int
    Companies: int


class SectorPosition(msgspec.Struct, frozen=True, omit_defaults=True):
    """The position within the section of SIC 2007, by the last scoring run."""

    Section: str
    Words: str
    AsOf: dt.date
    Companies: int
    ScorePercentile: int
    Ratios: tuple[RatioPosition, ...] = ()
