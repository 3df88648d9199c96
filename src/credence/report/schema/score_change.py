"""The points that moved the score since an earlier run (D21), and facts that publishers have corrected or withdrawn."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning

REASONS = {
    "withdrawn": "the publisher withdrew it",
    "corrected": "the publisher says that it is about another company",
    "unreadable": "the publisher replaced it by a version that cannot be read",
}


class WithdrawnFact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One notice, insolvency case or filing that counted, and does not count any more."""

    Part: Annotated[str, meaning("The part of the facts, as in `Provenance`.", example="Notices")]
    Words: Annotated[str, meaning("What it said, in words.", example="Winding-up order")]
    Id: Annotated[str, meaning("Its id in the source.", example="3534076")]
    WithdrawnOn: Annotated[dt.date, meaning("The day from which it is no longer valid.", example=dt.date(2026, 3, 9))]
    Reason: Annotated[str, meaning("Why:", values=REASONS)]
    Day: Annotated[
        dt.date | None,
        meaning("Its own day, such as that of publication; absent if it has none.", example=dt.date(2026, 3, 2)),
    ] = None
    KnownSince: Annotated[
        dt.date | None,
        meaning("The day since which it was known; absent if no source says it.", example=dt.date(2026, 3, 2)),
    ] = None


class PointsMoved(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line with changed points; `Before` or `After` is absent if the line was not, or is no longer, counted."""

    Code: Annotated[str, meaning("Code of the line.", example="charges")]
    Words: Annotated[str, meaning("The line in words.", example="Charges registered")]
    Why: Annotated[str, meaning("What changed.", example="A charge was registered.")]
    Before: Annotated[
        int | None, meaning("Points before; absent if the line was not counted.", unit="points", example=1)
    ] = None
    After: Annotated[
        int | None, meaning("Points now; absent if the line is no longer counted.", unit="points", example=-2)
    ] = None


class ScoreChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """The change from the last different score to the present one; the changes of the lines add up to it.

    `Remark` is present if the two scores come from different models.
    """

    Since: Annotated[dt.date, meaning("Day of the earlier score.", example=dt.date(2026, 4, 1))]
    Before: Annotated[int, meaning("The earlier score.", unit="points", example=76)]
    After: Annotated[int, meaning("The present score.", unit="points", example=73)]
    Lines: Annotated[tuple[PointsMoved, ...], meaning("The lines with changed points, which add up to the change.")]
    Remark: Annotated[
        str,
        meaning(
            "Present if the two scores come from different models.",
            example="The two scores come from different versions of the model.",
        ),
    ] = ""
