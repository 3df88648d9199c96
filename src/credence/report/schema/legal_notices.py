"""What the Gazette and the insolvency register say (report schema, field tables, LegalNotices)."""

import datetime as dt

import msgspec


class EventLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's SummaryLine: one kind of event (report schema §4), how often, and when last."""

    EventType: str
    EventCount: int
    EventDate: dt.date | None = None


class PetitionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's Petition: a claim that a company cannot pay, not an outcome (credit §4.3)."""

    PresentationDate: dt.date | None = None
    PublicationDate: dt.date | None = None


class OrderNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's Order, by which a court winds a company up."""

    OrderDate: dt.date | None = None
    PublicationDate: dt.date | None = None


class ResolutionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's Resolution, by which its members wind a company up, solvent or not."""

    ResolutionDate: dt.date | None = None
    PublicationDate: dt.date | None = None


class WindingUp(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's WindUp."""

    Petition: tuple[PetitionNotice, ...] = ()
    Order: tuple[OrderNotice, ...] = ()
    Resolution: tuple[ResolutionNotice, ...] = ()


class LegalNotices(msgspec.Struct, frozen=True, omit_defaults=True):
    """The events by kind, newest first; a count of 0 says that notices are held and none is about the company."""

    SummaryCount: int
    SummaryLine: tuple[EventLine, ...] = ()
    WindUp: WindingUp | None = None
