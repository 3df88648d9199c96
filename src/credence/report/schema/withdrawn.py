"""Facts that their publishers have corrected or withdrawn (`Assessment.Withdrawn`)."""

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
