"""`LegalNotices`: the events by kind, and the winding up in detail (report schema §8, row 16)."""

import datetime as dt
from collections.abc import Iterator

from credence.companies.facts.company import Company
from credence.companies.gazette import DISMISSAL, PETITION
from credence.report.build.events import Event
from credence.report.schema import legal_notices as wire


def legal_notices(company: Company, events: tuple[Event, ...]) -> wire.LegalNotices | None:
    """Return the member; None if no notices, cases or other legal events are known."""
    if not events and company.notices is None and company.insolvency is None:
        return None
    lines = tuple(_lines(events))
    return wire.LegalNotices(SummaryCount=len(lines), SummaryLine=lines, WindUp=_winding_up(company))


def _lines(events: tuple[Event, ...]) -> Iterator[wire.EventLine]:
    """Yield one line for each kind of event, the most recent kind first; `events` are newest first."""
    for letter in dict.fromkeys(event.letter for event in events):
        days = [event.day for event in events if event.letter == letter]
        yield wire.EventLine(letter, len(days), days[0])


def _winding_up(company: Company) -> wire.WindingUp | None:
    cases, notices = company.insolvency, company.notices
    if not (cases and cases.value) and not (notices and notices.value):  # as of nearly every company
        return None
    found = wire.WindingUp(
        Dismissal=tuple(
            wire.DismissalNotice(PublicationDate=published) for _, published in _dated(company, "", DISMISSAL)
        ),
        Petition=tuple(
            wire.PetitionNotice(PresentationDate=day, PublicationDate=published)
            for day, published in _dated(company, "petitioned-on", PETITION)
        ),
        Order=tuple(
            wire.OrderNotice(OrderDate=day, PublicationDate=published)
            for day, published in _dated(company, "ordered-to-wind-up-on", "2452")
        ),
        Resolution=tuple(
            wire.ResolutionNotice(ResolutionDate=day, PublicationDate=published)
            for day, published in _dated(company, "wound-up-on", "2441")
        ),
    )
    return found if found != wire.WindingUp() else None


def _dated(company: Company, step: str, code: str) -> Iterator[tuple[dt.date | None, dt.date | None]]:
    """Yield date and publication date of each step of one kind: a notice belongs to the last step before it."""
    days = sorted(
        each.date
        for case in (company.insolvency.value if company.insolvency else ())
        # In a compulsory liquidation this step is the order of the court, not a resolution.
        if not (step == "wound-up-on" and case.type == "compulsory-liquidation")
        for each in case.dates
        if each.type == step
    )
    published = sorted(
        each.published for each in (company.notices.value if company.notices else ()) if each.code == code
    )
    for day in reversed(days):
        notice = next((each for each in published if day <= each <= day + _MAX_DELAY), None)
        if notice is not None:
            published.remove(notice)
        yield day, notice
    for notice in reversed(published):
        yield None, notice


_MAX_DELAY = dt.timedelta(days=60)
"""A notice that is later than this after a step belongs to another step."""
