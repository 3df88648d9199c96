"""Legal events (report schema, field tables, LegalNotices)."""

import datetime as dt

import msgspec


class EventLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SummaryLine`: one kind of event (report schema §4), how often, and when last."""

    EventType: str
    EventCount: int
    EventDate: dt.date | None = None


class PetitionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Petition`: a claim that a company cannot pay, which a court has not decided (credit §4.3)."""

    PresentationDate: dt.date | None = None
    PublicationDate: dt.date | None = None


class OrderNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Order`: a court winds a company up."""

    OrderDate: dt.date | None = None
    PublicationDate: dt.date | None = None


class ResolutionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Resolution`: the members wind a company up, solvent or insolvent."""

    ResolutionDate: dt.date | None = None
    PublicationDate: dt.date | None = None


class WindingUp(msgspec.Struct, frozen=True, omit_defaults=True):
    """`WindUp`."""

    Petition: tuple[PetitionNotice, ...] = ()
    Order: tuple[OrderNotice, ...] = ()
    Resolution: tuple[ResolutionNotice, ...] = ()


class LegalNotices(msgspec.Struct, frozen=True, omit_defaults=True):
    """The events by kind, newest first; a count of 0 means that the loaded sources have no event of the company."""

    SummaryCount: int
    SummaryLine: tuple[EventLine, ...] = ()
    WindUp: WindingUp | None = None
