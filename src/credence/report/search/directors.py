"""The director search, `directortargeter` (report schema §1).

A search requires the whole surname; forenames, which may be abbreviated, narrow the results.
"""

from collections.abc import Iterator
from typing import Protocol

from credence.companies import codes
from credence.companies.facts.people import Officer, director_number
from credence.companies.words import words
from credence.datasets.fact_kinds import initial_key, surname_key
from credence.report.build.management import person_name
from credence.report.schema import directors as wire
from credence.report.search.director_query import DirectorQuery

MAX_RESULTS = 50
"""Maximum results of one search; `NumberMatches` counts those returned."""


class Appointments(Protocol):
    """Finds appointments; `CreditData` implements it."""

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        """Yield company number and officer for each appointment with a key of `fact_kinds.OFFICERS.mentions`."""


def search_directors(known: Appointments, query: DirectorQuery) -> wire.DirectorTargeterResponse:
    """Return the matching directors, best first; empty if no officers are loaded."""
    found: dict[str, list[Officer]] = {}
    (key,) = initial_key(query.surname, query.forename) or (surname_key(query.surname),)
    for _, officer in known.appointments(key):
        if _matches(officer, query):
            found.setdefault(director_number(officer.id), []).append(officer)
    ranked = sorted(found.items(), key=lambda each: (*_rank(each[1][0], query), each[0]))
    return answer(query, tuple(_found(number, appointments) for number, appointments in ranked[:MAX_RESULTS]))


def answer(query: DirectorQuery, results: tuple[wire.DirectorFound, ...]) -> wire.DirectorTargeterResponse:
    """Return the results with a summary that repeats the query."""
    summary = wire.DirectorSummary(
        NumberMatches=len(results),
        Forename=query.forename or None,
        Surname=query.surname,
        PostTown=query.town or None,
        Postcode=query.postcode or None,
    )
    return wire.DirectorTargeterResponse(summary, results)


def _matches(officer: Officer, query: DirectorQuery) -> bool:
    wanted = (query.directors and codes.is_director(officer.role)) or (
        query.secretaries and codes.is_secretary(officer.role)
    )
    if not wanted:
        return False
    if query.born is not None and query.born != (officer.birth_year, officer.birth_month):
        return False
    forenames = words(officer.forenames)
    return _begins(forenames[:1], words(query.forename)[:1]) and all(
        any(name.startswith(each) for name in forenames[1:]) for each in words(query.middle_names)
    )


def _begins(names: list[str], wanted: list[str]) -> bool:
    return not wanted or bool(names and names[0].startswith(wanted[0]))


def _rank(officer: Officer, query: DirectorQuery) -> tuple[bool, bool, str]:
    """Return the sort key: matches of the whole forename first, then officers in office, then by name."""
    forenames = words(officer.forenames)
    return words(query.forename)[:1] != forenames[:1], officer.resigned is not None, " ".join(forenames)


def _found(number: str, appointments: list[Officer]) -> wire.DirectorFound:
    return wire.DirectorFound(
        DirectorNumber=number,
        DirectorFlag="Y" if any(codes.is_director(each.role) for each in appointments) else "N",
        SecretaryFlag="Y" if any(codes.is_secretary(each.role) for each in appointments) else "N",
        CurrPrevName="C",
        DirectorDetails=wire.DirectorSelection(full_name(appointments[0])),
    )


def full_name(officer: Officer) -> wire.FullName:
    """Return the parts of a name; a corporate officer's name is the surname."""
    name = person_name(officer)
    if name is None:
        return wire.FullName(officer.surname)
    return wire.FullName(name.Surname, name.Forename, name.MiddleNames, name.Prefix)
