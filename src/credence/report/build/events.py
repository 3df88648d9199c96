"""What happened to a company in law, as the wire's event letters (report schema §4 and §9).

Notices, insolvency cases, filings and the register's status tell of the same events in their own words. What two of
them say within sixty days under one letter is one event.
"""

import datetime as dt
from collections.abc import Iterator
from typing import NamedTuple

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.events import SOLVENT, InsolvencyCase, Notice

WORDS = {
    "C": "receiver appointed",
    "D": "receiver ceased to act",
    "E": "winding-up petition",
    "F": "winding-up petition dismissed",
    "G": "winding-up order",
    "H": "liquidator appointed in a voluntary liquidation",
    "I": "meeting of creditors",
    "J": "resolution to wind up",
    "K": "intention to strike off",
    "L": "dissolved",
    "M": "restored to the register",
    "Q": "administrator appointed",
    "R": "administrator discharged",
    "S": "voluntary arrangement approved",
    "T": "voluntary arrangement completed or ended",
    "U": "liquidator appointed in a compulsory liquidation",
    "X": "striking off discontinued",
}
"""Each letter in words."""

_NOTICES = {"2450": "E", "2452": "G", "2441": "J", "2443": "H", "2410": "Q", "2411": "Q"}
"""Notice code of the Gazette -> letter; every other notice is left aside."""

_STEPS = {
    "petitioned-on": "E",
    "ordered-to-wind-up-on": "G",
    "administration-started-on": "Q",
    "administration-ended-on": "R",
    "administration-discharged-on": "R",
    "voluntary-arrangement-started-on": "S",
    "voluntary-arrangement-ended-on": "T",
    "instrumented-on": "C",
    "dissolved-on": "L",
}
"""Dated step of an insolvency case -> letter, whatever the case; the others depend on it or are no events."""

_FILINGS = {
    "gazette-notice-compulsory": "K",
    "gazette-notice-compulsary": "K",  # so spelt in old entries
    "gazette-notice-voluntary": "K",
    "gazette-filings-brought-up-to-date": "X",
    "dissolution-voluntary-strike-off-discontinued": "X",
    "gazette-dissolved-compulsory": "L",
    "gazette-dissolved-voluntary": "L",
    "gazette-dissolved-liquidation": "L",
    "restoration-order-of-court": "M",
    "administrative-restoration-company": "M",
}
"""Description of a filing, in the register's own key -> letter."""

_SAME_EVENT = dt.timedelta(days=60)


class Event(NamedTuple):
    """One event; without a day where only the register's status tells of it."""

    letter: str
    day: dt.date | None
    solvent: bool = False
    """Part of a members' voluntary liquidation, which is no failure."""


def events(company: Company) -> tuple[Event, ...]:
    """Return what happened, newest first; what has no day is so today and comes first."""
    found: list[Event] = []
    for event in sorted(_dated(company), key=lambda event: (event.letter, event.day or dt.date.min)):
        if not (found and _same(found[-1], event)):
            found.append(event)
    dated = sorted(found, key=lambda event: (event.day or dt.date.min, event.letter), reverse=True)
    known = {event.letter for event in dated}
    return (*(Event(letter, None) for letter in _status_letters(company) if letter not in known), *dated)


def _same(earlier: Event, later: Event) -> bool:
    if earlier.letter != later.letter or earlier.day is None or later.day is None:
        return False
    return later.day - earlier.day <= _SAME_EVENT


def _dated(company: Company) -> Iterator[Event]:
    cases = company.insolvency.value if company.insolvency else ()
    for case in cases:
        yield from _case_events(case)
    for notice in company.notices.value if company.notices else ():
        if letter := _notice_letter(notice, cases):
            yield Event(letter, notice.published, letter in "HJ" and _is_solvent(notice.published, cases))
    for filing in company.filings.value if company.filings else ():
        if letter := _FILINGS.get(filing.description):
            yield Event(letter, filing.date)
    if company.register and company.register.value.dissolved:
        yield Event("L", company.register.value.dissolved)


def _case_events(case: InsolvencyCase) -> Iterator[Event]:
    ordered = any(step.type == "ordered-to-wind-up-on" for step in case.dates)
    for step in case.dates:
        if step.type == "wound-up-on":
            # A court orders a compulsory winding up; members resolve upon any other.
            if case.type != "compulsory-liquidation":
                yield Event("J", step.date, case.type == SOLVENT)
            elif not ordered:
                yield Event("G", step.date)
        elif step.type == "case-end-on":
            if "receiver" in case.type:
                yield Event("D", step.date)
        elif letter := _STEPS.get(step.type):
            yield Event(letter, step.date)


def _notice_letter(notice: Notice, cases: tuple[InsolvencyCase, ...]) -> str | None:
    letter = _NOTICES.get(notice.code)
    if letter == "H" and _nearest(notice.published, cases) == "compulsory-liquidation":
        return "U"
    return letter


def _is_solvent(day: dt.date, cases: tuple[InsolvencyCase, ...]) -> bool:
    return _nearest(day, cases) == SOLVENT


def _nearest(day: dt.date, cases: tuple[InsolvencyCase, ...]) -> str | None:
    """Return the type of the liquidation that began nearest to a day; None when none is known."""
    begun = [
        (abs(step.date - day), case.type)
        for case in cases
        if case.type.endswith("-liquidation")
        for step in case.dates
        if step.type in {"wound-up-on", "ordered-to-wind-up-on"}
    ]
    return min(begun)[1] if begun else None


def _status_letters(company: Company) -> tuple[str, ...]:
    if company.register is None:
        return ()
    entry = company.register.value
    return codes.STATUS_EVENTS.get("dissolved" if codes.is_dissolved(entry) else entry.status.lower(), ())
