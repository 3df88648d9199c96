"""Legal events of a company, by the letters of the report schema (§4 and §9).

Notices, insolvency cases, filings and the register's status report the same events in different words. Two reports with one
letter within sixty days are one event, unless only one of them is about a solvent company or what ends it lies between them.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.events import PLANNED, SOLVENT, InsolvencyCase, Notice
from credence.companies.gazette import CREDITORS, DISMISSAL, PETITION, RECEIVER, kind_of

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
"""Event letter -> description."""

FAILURES = "CEGHIJQSU"
"""Letters of insolvency events, without those of the ends of cases."""

ENDS = "DFRT"
"""Letters of the ends of cases."""

_NOTICES = {PETITION: "E", DISMISSAL: "F", "2452": "G", "2454": "U", "2441": "J", "2443": "H", "2410": "Q", "2411": "Q"}
_KINDS = {CREDITORS: "I", RECEIVER: "C"}
"""Code and kind of a notice -> letter; other notices are no events, and the report lists them by their kind."""

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
"""Step of an insolvency case with a date -> letter.

The letters of other steps depend on the type of case, or they are no events.
"""

_CASES = {
    "compulsory-liquidation": "G",
    "creditors-voluntary-liquidation": "J",
    SOLVENT: "J",
    "in-administration": "Q",
    "administration-order": "Q",
    "corporate-voluntary-arrangement": "S",
    "administrative-receiver": "C",
    "receiver-manager": "C",
    "receivership": "C",
}
"""Type of an insolvency case without a date -> letter of the event that began it."""

FILINGS = {
    "gazette-notice-compulsory": "K",
    "gazette-notice-compulsary": "K",  # the spelling of old entries
    "gazette-notice-voluntary": "K",
    "gazette-filings-brought-up-to-date": "X",
    "dissolution-voluntary-strike-off-discontinued": "X",
    "gazette-dissolved-compulsory": "L",
    "gazette-dissolved-voluntary": "L",
    "gazette-dissolved-liquidation": "L",
    "restoration-order-of-court": "M",
    "administrative-restoration-company": "M",
}
"""The register's description key of a filing -> letter."""

_SAME_EVENT = dt.timedelta(days=60)

_OPPOSITE = dict(zip("CDEFKXLMQRST", "DCFEXKMLRQTS", strict=True))
"""Letter -> that of the event that ends it, or that it ends."""


class Event(NamedTuple):
    """One legal event. It has no day if only the register's status or an undated case reports it."""

    letter: str
    day: dt.date | None
    solvent: bool = False
    """Whether it is part of a members' voluntary liquidation, which is not a failure."""


def events(company: Company) -> tuple[Event, ...]:
    """Return the events, newest first; events without a day are in force and come first."""
    found: list[Event] = []
    every = sorted(_dated(company), key=lambda event: (event.letter, event.solvent, event.day or dt.date.min))
    for event in every:
        if not (found and _same(found[-1], event, every)):
            found.append(event)
    dated = sorted(found, key=lambda event: (event.day or dt.date.min, event.letter), reverse=True)
    undated = tuple(_undated(company))
    known = {event.letter for event in (*undated, *dated)}
    return (*(Event(letter, None) for letter in _status_letters(company) if letter not in known), *undated, *dated)


def dissolved(events: tuple[Event, ...]) -> Event | None:
    """Return the dissolution; None without one, and if the company was restored since."""
    last = next((event for event in events if event.letter in "LM"), None)
    return last if last and last.letter == "L" else None


def last_failure(happened: Sequence[Event]) -> Event | None:
    """Return the newest insolvency event that is not part of a solvent liquidation; None without one."""
    return next((event for event in happened if event.letter in FAILURES and not event.solvent), None)


def _same(earlier: Event, later: Event, every: list[Event]) -> bool:
    if (earlier.letter, earlier.solvent) != (later.letter, later.solvent) or earlier.day is None or later.day is None:
        return False
    if later.day - earlier.day > _SAME_EVENT:
        return False
    opposite = _OPPOSITE.get(earlier.letter)
    return not any(each.letter == opposite and each.day and earlier.day < each.day < later.day for each in every)


def _dated(company: Company) -> Iterator[Event]:
    cases = company.insolvency.value if company.insolvency else ()
    for case in cases:
        yield from _case_events(case)
    for notice in company.notices.value if company.notices else ():
        if event := notice_event(notice, cases):
            yield event
    for ended in company.notices.withdrawn if company.notices else ():
        if ended.fact.code == PETITION and ended.reason == "withdrawn":
            yield Event("F", ended.until)
    for filing in company.filings.value if company.filings else ():
        if letter := FILINGS.get(filing.description):
            yield Event(letter, filing.date)
    if company.register and company.register.value.dissolved:
        yield Event("L", company.register.value.dissolved)


def _undated(company: Company) -> Iterator[Event]:
    """Yield the first event of each undated case, unless a notice dates it."""
    cases = company.insolvency.value if company.insolvency else ()
    notices = company.notices.value if company.notices else ()
    noticed = {(event.letter, event.solvent) for each in notices if (event := notice_event(each, cases))}
    begun = (Event(_CASES[case.type], None, case.type == SOLVENT) for case in cases if _is_undated(case))
    yield from (event for event in dict.fromkeys(begun) if (event.letter, event.solvent) not in noticed)


def _is_undated(case: InsolvencyCase) -> bool:
    return case.type in _CASES and all(step.type == PLANNED for step in case.dates)


def _case_events(case: InsolvencyCase) -> Iterator[Event]:
    ordered = any(step.type == "ordered-to-wind-up-on" for step in case.dates)
    for step in case.dates:
        if step.type == "wound-up-on":
            # A compulsory winding up begins with a court order, any other with a resolution of the members.
            if case.type != "compulsory-liquidation":
                yield Event("J", step.date, case.type == SOLVENT)
            elif not ordered:
                yield Event("G", step.date)
        elif step.type == "case-end-on":
            if "receiver" in case.type:
                yield Event("D", step.date)
        elif letter := _STEPS.get(step.type):
            yield Event(letter, step.date)


def notice_event(notice: Notice, cases: tuple[InsolvencyCase, ...]) -> Event | None:
    """Return the event of a notice; None for other kinds of notice. The nearest case determines whether it is solvent."""
    letter = letter_of(notice)
    if letter is None:
        return None
    nearest = _nearest(notice.published, cases) if letter in "HJ" else None
    if letter == "H" and nearest == "compulsory-liquidation":
        letter = "U"
    return Event(letter, notice.published, nearest == SOLVENT)


def letter_of(notice: Notice) -> str | None:
    """Return the letter of a notice by its code and kind; None for a notice that is no event."""
    return _NOTICES.get(notice.code) or _KINDS.get(kind_of(notice))


def _nearest(day: dt.date, cases: tuple[InsolvencyCase, ...]) -> str | None:
    """Return the type of the liquidation that began nearest to a day; None if none is known.

    An undated liquidation is preferred to dated ones that began more than sixty days away.
    """
    liquidations = [case for case in cases if case.type.endswith("-liquidation")]
    begun = [
        (abs(step.date - day), case.type)
        for case in liquidations
        for step in case.dates
        if step.type in {"declaration-solvent-on", "ordered-to-wind-up-on", "wound-up-on"}
    ]
    begun += [(_SAME_EVENT, case.type) for case in liquidations if _is_undated(case)]
    return min(begun)[1] if begun else None


def _status_letters(company: Company) -> tuple[str, ...]:
    if company.register is None:
        return ()
    entry = company.register.value
    return codes.STATUS_EVENTS.get("dissolved" if codes.is_dissolved(entry) else entry.status.lower(), ())
