"""Alerts and open disputes (report schema, field tables, Alerts and NoticeOfCorrection)."""

from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.report.schema.codes import ALERTS


class Note(msgspec.Struct, frozen=True):
    """`Notes`: one alert. docs/report.md lists the codes, which are our own."""

    AlertCode: Annotated[str, meaning("Which rule applied.", values=ALERTS)]
    AlertHeader: Annotated[str, meaning("The alert in a few words.")]
    AlertNote: Annotated[str, meaning("The alert in a sentence.")]


class Alerts(msgspec.Struct, frozen=True, omit_defaults=True):
    """All alerts. A count of 0 means that no rule applied; `Assessment.AlertsNotTried` has those that were not tried."""

    NotesCount: Annotated[
        int,
        meaning(
            "Number of alerts; 0 means that no rule applied. `Assessment.AlertsNotTried` names the rules without facts.",
            unit="alerts",
        ),
    ]
    NotesLength: Annotated[str, meaning("Number of characters of all notes, as text.", unit="characters")]
    """Number of characters of all notes."""
    Notes: Annotated[tuple[Note, ...], meaning("The alerts, in the order of the rules.")] = ()


class Correction(msgspec.Struct, frozen=True):
    """`NOCDetail`."""

    Reference: Annotated[str, meaning("The disputed member, or plain words.", example="NumberOfEmployees")]
    Text: Annotated[
        str, meaning("The claim.", example="The company says that it has 24 employees (open since 2026-05-04)")
    ]


class NoticeOfCorrection(msgspec.Struct, frozen=True, omit_defaults=True):
    """The open disputes about this report (credit §10)."""

    NumCorrections: Annotated[int, meaning("Number of open disputes about this report.", unit="disputes")]
    NOCDetail: Annotated[tuple[Correction, ...], meaning("The disputes.")] = ()
