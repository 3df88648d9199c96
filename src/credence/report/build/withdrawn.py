"""`Assessment.Withdrawn`: legal facts that their publishers have corrected or withdrawn, with their days."""

import datetime as dt
from collections.abc import Iterator

from credence.companies.facts.company import Company, Sourced
from credence.companies.facts.events import Filing, InsolvencyCase, Notice
from credence.companies.gazette import words_of
from credence.report.build.events import FILINGS, WORDS, letter_of
from credence.report.schema.score_change import WithdrawnFact

_PARTS = (("notices", "Notices"), ("insolvency", "Insolvency"), ("filings", "Filings"))
"""Field of `Company` -> its name in the report."""


def withdrawn(company: Company, today: dt.date) -> tuple[WithdrawnFact, ...]:
    """Return the member, the newest first. Filings are listed if they were legal events."""
    found = [each for field, part in _PARTS for each in _of_part(getattr(company, field), part)]
    known = (each for each in found if each.WithdrawnOn <= today)
    return tuple(sorted(known, key=lambda each: each.WithdrawnOn, reverse=True))


def _of_part(sourced: Sourced[object] | None, part: str) -> Iterator[WithdrawnFact]:
    for each in sourced.withdrawn if sourced else ():
        words, id_, day = _about(each.fact)
        if words:
            yield WithdrawnFact(part, words, id_, each.until, each.reason, day, each.since)


def _about(fact: Notice | InsolvencyCase | Filing) -> tuple[str, str, dt.date | None]:
    """Return words, id and day of a fact; without words if it was no legal event."""
    if isinstance(fact, Notice):
        letter = letter_of(fact)
        return WORDS[letter].capitalize() if letter else words_of(fact), fact.id, fact.published
    if isinstance(fact, Filing):
        letter = FILINGS.get(fact.description)
        return WORDS[letter].capitalize() if letter else "", fact.id, fact.date
    words = fact.type.replace("-", " ").capitalize()
    return words, fact.number, min((step.date for step in fact.dates), default=None)
