"""The points that moved the score since an earlier run (member of `Assessment`, D21)."""

import datetime as dt

import msgspec


class PointsMoved(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line with changed points; `Before` or `After` is absent if the line was not, or is no longer, counted."""

    Code: str
    Words: str
    Why: str
    Before: int | None = None
    After: int | None = None


class ScoreChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """The change from the last different score to the present one; the changes of the lines add up to it.

    `Remark` is present if the two scores come from different models.
    """

    Since: dt.date
    Before: int
    After: int
    Lines: tuple[PointsMoved, ...]
    Remark: str = ""
