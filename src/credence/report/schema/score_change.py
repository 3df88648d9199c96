"""The points that moved the score since an earlier run (member of `Assessment`, D21)."""

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
