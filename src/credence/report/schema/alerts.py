"""What a reader should look at first, and what the company disputes (report schema, Alerts and NoticeOfCorrection)."""

import msgspec


class Note(msgspec.Struct, frozen=True):
    """The wire's Notes: one alert. The codes are ours; `docs/report.md` lists them."""

    AlertCode: str
    AlertHeader: str
    AlertNote: str


class Alerts(msgspec.Struct, frozen=True, omit_defaults=True):
    """All alerts together; a count of 0 says that every rule was tried and none applied."""

    NotesCount: int
    NotesLength: str
    """The characters of all notes together."""
    Notes: tuple[Note, ...] = ()


class Correction(msgspec.Struct, frozen=True):
    """The wire's NOCDetail."""

    Reference: str
    Text: str


class NoticeOfCorrection(msgspec.Struct, frozen=True, omit_defaults=True):
    """The open disputes about this report (credit §10)."""

    NumCorrections: int
    NOCDetail: tuple[Correction, ...] = ()
