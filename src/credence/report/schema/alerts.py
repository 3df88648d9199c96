"""Alerts and open disputes (report schema, field tables, Alerts and NoticeOfCorrection)."""

import msgspec


class Note(msgspec.Struct, frozen=True):
    """`Notes`: one alert. docs/report.md lists the codes, which are our own."""

    AlertCode: str
    AlertHeader: str
    AlertNote: str


class Alerts(msgspec.Struct, frozen=True, omit_defaults=True):
    """All alerts. A count of 0 means that no rule applied; `Assessment.AlertsNotTried` has those that were not tried."""

    NotesCount: int
    NotesLength: str
    """Number of characters of all notes."""
    Notes: tuple[Note, ...] = ()


class Correction(msgspec.Struct, frozen=True):
    """`NOCDetail`."""

    Reference: str
    Text: str


class NoticeOfCorrection(msgspec.Struct, frozen=True, omit_defaults=True):
    """The open disputes about this report (credit §10)."""

    NumCorrections: int
    NOCDetail: tuple[Correction, ...] = ()
