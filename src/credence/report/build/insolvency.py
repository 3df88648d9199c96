"""`Assessment.Insolvency`: one answer to whether the company is insolvent, from all available sources (docs/report.md).

The answer agrees with the score: `failed` if a failure rule of `scoring.legal` applies, `petition` if only the rule for
petitions does. `proceedings` is what the score does not count as a failure: a moratorium, a type of case that the register
does not document, or a resolution to wind up of which no source says whether it is solvent.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Literal, NamedTuple

from credence.clock import day_in_words
from credence.companies import codes
from credence.companies.facts.company import Company, Provenance
from credence.companies.facts.events import PETITIONED, SOLVENT
from credence.companies.gazette import MORATORIUM, kind_of
from credence.report.build.events import ENDS, FAILURES, WORDS, Event, dissolved, notice_event
from credence.report.schema import assessment as wire
from credence.scoring.basis.day import Days
from credence.scoring.legal import (
    LegalRules,
    ceilings_of,
    failure_of,
    in_solvent_liquidation,
    notices_in_force,
    past_steps,
    running_cases,
)

State = Literal["none known", "petition", "proceedings", "failed", "dissolved", "unknown"]

_PETITION_LETTER = "E"

_PARTS = (("Register", "register"), ("Insolvency", "insolvency"), ("Notices", "notices"))
"""Name in `Provenance` -> field of `Company`, for the sources that report insolvency."""


class _Evidence(NamedTuple):
    """One open case or one notice in force that is not part of a solvent liquidation."""

    begun: dt.date | None
    petition: bool


def insolvency(company: Company, events: tuple[Event, ...], rules: LegalRules, days: Days) -> wire.InsolvencyState:
    """Return the member."""
    state, since, words = _answer(company, events, rules, days)
    return wire.InsolvencyState(
        State=state,
        Words=words,
        Since=since,
        Sources=tuple(_sources(company, events)),
        NotHeld=tuple(part for part, field in _PARTS if getattr(company, field) is None),
    )


def _answer(
    company: Company, events: tuple[Event, ...], rules: LegalRules, days: Days
) -> tuple[State, dt.date | None, str]:
    gone = dissolved(events)
    if gone is not None:
        return "dissolved", gone.day, _told("dissolved", gone.day)
    evidence = tuple(_evidence(company, days))
    beyond_petition = tuple(each for each in evidence if not each.petition)
    if failure_of(company, rules, days) is not None:
        return "failed", *_newest("failed", beyond_petition, events)
    if beyond_petition:
        return "proceedings", *_newest("insolvency proceedings", beyond_petition, events)
    if any(rule.petitioned for rule in ceilings_of(company, rules, days)):
        since = min((each.begun for each in evidence if each.begun), default=None)
        return "petition", since, _told(WORDS[_PETITION_LETTER], since, "of")
    if in_solvent_liquidation(company, days):
        return "none known", None, "in a solvent liquidation by its members"
    if "insolvency" in company.unreadable:
        return "unknown", None, "insolvency unknown: a case of the register cannot be read"
    history = company.remarks.insolvency_history and not (company.insolvency and company.insolvency.value)
    if not _answers(company):
        return "unknown", None, f"insolvency unknown: {'only a history' if history else 'no source'} of it is on record"
    last = next((each for each in events if each.letter in FAILURES + ENDS and not each.solvent), None)
    if last is not None:
        return "none known", None, f"no insolvency known now, last event: {_told(WORDS[last.letter], last.day)}"
    if history:
        return "none known", None, "an insolvency history without known cases, and no insolvency known now"
    return "none known", None, "no insolvency known"


def _answers(company: Company) -> bool:
    """Return whether a source that reports insolvency is loaded: a list of cases or notices, or a known status."""
    if company.insolvency is not None or company.notices is not None:
        return True
    if company.remarks.insolvency_history is False:
        return True
    return company.register is not None and company.register.value.status.lower() in codes.KNOWN_STATUSES


def _evidence(company: Company, days: Days) -> Iterator[_Evidence]:
    for case in running_cases(company, days):
        if case.type != SOLVENT:
            steps = past_steps(case, days)
            petition = {step.type for step in steps} == {PETITIONED}
            begun = (step.date for step in steps if petition or step.type != PETITIONED)
            yield _Evidence(min(begun, default=None), petition)
    cases = company.insolvency.value if company.insolvency else ()
    for notice in notices_in_force(company, days):
        event = notice_event(notice, cases)
        if kind_of(notice) == MORATORIUM:
            yield _Evidence(notice.published, petition=False)
        if event is not None and not event.solvent and event.letter in FAILURES:
            yield _Evidence(notice.published, event.letter == _PETITION_LETTER)


def _newest(words: str, evidence: tuple[_Evidence, ...], events: tuple[Event, ...]) -> tuple[dt.date | None, str]:
    """Return the day on which the state began, and its newest event as text."""
    since = min((each.begun for each in evidence if each.begun), default=None)
    for event in events:
        if event.letter in ENDS or (since and event.day and event.day < since):
            break  # older events belong to another case
        if event.letter in FAILURES and event.letter != _PETITION_LETTER and not event.solvent and event.day:
            return since or event.day, _told(WORDS[event.letter], event.day)
    return since, _told(words, since, "since")


def _told(words: str, day: dt.date | None, preposition: str = "on") -> str:
    return words if day is None else f"{words} {preposition} {day_in_words(day)}"


def _sources(company: Company, events: tuple[Event, ...]) -> Iterator[wire.InsolvencySource]:
    if company.register is not None:
        yield _source("Register", company.register.provenance, company.register.value.status or "no status")
    if company.insolvency is not None:
        cases = ", ".join(dict.fromkeys(case.type.replace("-", " ") for case in company.insolvency.value))
        yield _source("Insolvency", company.insolvency.provenance, cases or "no case")
    if company.notices is not None:
        cases_held = company.insolvency.value if company.insolvency else ()
        told = (notice_event(each, cases_held) for each in company.notices.value)
        found = ", ".join(_told(WORDS[event.letter], event.day, "of") for event in told if event)
        yield _source("Notices", company.notices.provenance, found or "no notice")
    if company.profile is not None and (history := company.remarks.insolvency_history) is not None:
        yield _source("Profile", company.profile.provenance, f"{'an' if history else 'no'} insolvency history")
    gone = dissolved(events)
    if gone and company.filings and not (company.register and codes.is_dissolved(company.register.value)):
        yield _source("Filings", company.filings.provenance, _told("dissolved", gone.day))


def _source(part: str, provenance: Provenance, says: str) -> wire.InsolvencySource:
    return wire.InsolvencySource(part, says, provenance.as_of)
