"""What moved the score since an earlier run, and where it stands in its section: ours, under `Assessment` (D21)."""

import datetime as dt

import msgspec


class PointsMoved(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line whose points moved; `Before` or `After` is absent where the line was not, or is no longer, counted."""

    Code: str
    Words: str
    Why: str
    Before: int | None = None
    After: int | None = None


class ScoreChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """The movement from the newest score that differs to the present one: what the lines moved adds up to it.

    `Remark` says when both were not found by one model.
    """

    Since: dt.date
    Before: int
    After: int
    Lines: tuple[PointsMoved, ...]
    Remark: str = ""


class RatioPosition(msgspec.Struct, frozen=True):
    """Where a scored ratio stands: `Percentile` of the companies of the section have a lower one, equal ones by half."""

    Code: str
    Words: str
    Value: float
    Percentile: int
    Companies: int


class SectorPosition(msgspec.Struct, frozen=True, omit_defaults=True):
    """The position within the section of SIC 2007, by the last run of ours."""

    Section: str
    Words: str
    AsOf: dt.date
    Companies: int
    ScorePercentile: int
    Ratios: tuple[RatioPosition, ...] = ()
