"""Legal events (report schema, field tables, LegalNotices)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.report.schema.codes import EVENTS


class EventLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SummaryLine`: one kind of event (report schema §4), how often, and when last."""

    EventType: Annotated[str, meaning("Kind of event.", values=EVENTS)]
    EventCount: Annotated[int, meaning("Number of events of this kind.", unit="events")]
    EventDate: Annotated[dt.date | None, meaning("Day of the newest; absent if no source dates it.")] = None


class PetitionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Petition`: a claim that a company cannot pay, which a court has not decided (credit §4.3)."""

    PresentationDate: Annotated[dt.date | None, meaning("Day on which the petition was presented to the court.")] = None
    PublicationDate: Annotated[dt.date | None, meaning("Day of its notice in the Gazette.")] = None


class OrderNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Order`: a court winds a company up."""

    OrderDate: Annotated[dt.date | None, meaning("Day of the winding-up order.", example=dt.date(2026, 4, 22))] = None
    PublicationDate: Annotated[
        dt.date | None, meaning("Day of its notice in the Gazette.", example=dt.date(2026, 4, 29))
    ] = None


class ResolutionNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Resolution`: the members wind a company up, solvent or insolvent."""

    ResolutionDate: Annotated[dt.date | None, meaning("Day of the resolution.")] = None
    PublicationDate: Annotated[dt.date | None, meaning("Day of its notice in the Gazette.")] = None


class DismissalNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Dismissal`: a court dismissed a petition."""

    PublicationDate: Annotated[
        dt.date | None, meaning("Day of its notice in the Gazette.", example=dt.date(2026, 5, 20))
    ] = None


class WindingUp(msgspec.Struct, frozen=True, omit_defaults=True):
    """`WindUp`."""

    Dismissal: Annotated[tuple[DismissalNotice, ...], meaning("Dismissals of petitions, newest first.")] = ()
    Petition: Annotated[
        tuple[PetitionNotice, ...], meaning("Petitions, also those that a court dismissed; newest first.")
    ] = ()
    Order: Annotated[tuple[OrderNotice, ...], meaning("Orders of a court, newest first.")] = ()
    Resolution: Annotated[tuple[ResolutionNotice, ...], meaning("Resolutions of the members, newest first.")] = ()


class LegalNotices(msgspec.Struct, frozen=True, omit_defaults=True):
    """The events by kind, newest first; a count of 0 means that the loaded sources have no event of the company."""

    SummaryCount: Annotated[
        int, meaning("Number of kinds of events; 0 means that the loaded sources have none.", unit="kinds")
    ]
    SummaryLine: Annotated[tuple[EventLine, ...], meaning("One line for each kind, newest first.")] = ()
    WindUp: Annotated[WindingUp | None, meaning("Petitions, orders and resolutions.")] = None


class GazetteNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One notice of the Gazette about the insolvency of the company, also if no event follows from it."""

    Published: Annotated[dt.date, meaning("The day of publication.")]
    Kind: Annotated[str, meaning("The kind of notice in words.", example="Meetings of Creditors")]
    Code: Annotated[str, meaning("The code of the Gazette for this kind.", example="2442")]
    Id: Annotated[str, meaning("The number of the notice at the Gazette.", example="3534076")]
    Event: Annotated[
        str | None, meaning("The event that follows from it; absent if none does.", example="meeting of creditors")
    ] = None
