"""Directors across companies: `directortargeter` and `directordetails` (report schema §1).

Both answer from the officers that are loaded. A director is found by the whole surname; forenames narrow the search
and may be shortened.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Protocol

import msgspec

from credence.credit import codes
from credence.credit.director_number import director_number
from credence.credit.director_query import DirectorQuery
from credence.credit.facts.company import Company
from credence.credit.facts.people import Officer
from credence.credit.parts import surname_key
from credence.credit.report.management import indicator, person_name, years_in_office
from credence.credit.report.structure import company_name
from credence.credit.wire import directors as wire
from credence.credit.words import words

RESULTS = 50
"""The most results of one search; `NumberMatches` counts those returned."""

APPOINTMENTS = 200
"""The most appointments in the details of one director, the newest; nobody who runs companies has held more."""

encode = msgspec.json.Encoder().encode
"""Answer -> JSON."""


class Appointments(Protocol):
    """Who can be asked about officers: `holdings.Holdings`."""

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        """Yield company number and officer for everyone found by a key of `parts.OFFICERS.mentions`."""

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number."""


def search_directors(known: Appointments, query: DirectorQuery) -> wire.DirectorTargeterResponse:
    """Return the directors that match, best first; none when no officers are loaded."""
    found: dict[str, list[Officer]] = {}
    for _, officer in known.appointments(surname_key(query.surname)):
        if _matches(officer, query):
            found.setdefault(director_number(officer.id), []).append(officer)
    ranked = sorted(found.items(), key=lambda each: (*_rank(each[1][0], query), each[0]))
    return answer(query, tuple(_found(number, held) for number, held in ranked[:RESULTS]))


def answer(query: DirectorQuery, results: tuple[wire.DirectorFound, ...]) -> wire.DirectorTargeterResponse:
    """Return the results under a summary that repeats the query."""
    summary = wire.DirectorSummary(
        NumberMatches=len(results),
        Forename=query.forename or None,
        Surname=query.surname,
        PostTown=query.town or None,
        Postcode=query.postcode or None,
    )
    return wire.DirectorTargeterResponse(summary, results)


def director_data(known: Appointments, number: str, today: dt.date) -> wire.DirectorData | None:
    """Return one director by the number a report or a search gave, in any case of letters; None when unknown."""
    number = number.upper()
    posts = sorted(known.appointments(number), key=_newest_first)[:APPOINTMENTS]
    if not posts:
        return None
    newest = posts[0][1]
    described = [(officer, known.company(company) or Company(number=company)) for company, officer in posts]
    directors = [each for each in described if codes.is_director(each[0].role)]
    secretaries = [each for each in described if codes.is_secretary(each[0].role)]
    return wire.DirectorData(
        DirectorNumber=number,
        DirectorCompanyFlag="Y" if newest.corporate else "N",
        DirectorDetails=wire.WhoItIs(
            Name=None if newest.corporate else _name(newest),
            CommercialDetail=wire.BodyNamed(newest.surname) if newest.corporate else None,
            Nationality=newest.nationality or None,
        ),
        Directorships=wire.Posts(
            CurrentDirector=tuple(_post(*each, today) for each in directors if _state(*each) == (True, False)),
            PreviousDirector=tuple(_post(*each, today) for each in directors if _state(*each) == (False, False)),
            CurrentDissolvedDirector=tuple(_post(*each, today) for each in directors if _state(*each) == (True, True)),
            PreviousDissolvedDirector=tuple(
                _post(*each, today) for each in directors if _state(*each) == (False, True)
            ),
        ),
        Secretaryships=wire.SecretaryPosts(
            CurrentSecretary=tuple(_secretary(*each, today) for each in secretaries if _state(*each) == (True, False)),
            PreviousSecretary=tuple(
                _secretary(*each, today) for each in secretaries if _state(*each) == (False, False)
            ),
            CurrentDissolvedSecretary=tuple(
                _secretary(*each, today) for each in secretaries if _state(*each) == (True, True)
            ),
            PreviousDissolvedSecretary=tuple(
                _secretary(*each, today) for each in secretaries if _state(*each) == (False, True)
            ),
        ),
    )


def _matches(officer: Officer, query: DirectorQuery) -> bool:
    wanted = (query.directors and codes.is_director(officer.role)) or (
        query.secretaries and codes.is_secretary(officer.role)
    )
    if not wanted:
        return False
    if query.born is not None and query.born != (officer.birth_year, officer.birth_month):
        return False
    held = words(officer.forenames)
    return _begins(held[:1], words(query.forename)[:1]) and all(
        any(name.startswith(each) for name in held[1:]) for each in words(query.middle_names)
    )


def _begins(held: list[str], wanted: list[str]) -> bool:
    return not wanted or bool(held and held[0].startswith(wanted[0]))


def _rank(officer: Officer, query: DirectorQuery) -> tuple[bool, bool, str]:
    """Return what sorts the best match first: the whole forename, then one in office, then by name."""
    held = words(officer.forenames)
    return words(query.forename)[:1] != held[:1], officer.resigned is not None, " ".join(held)


def _found(number: str, held: list[Officer]) -> wire.DirectorFound:
    return wire.DirectorFound(
        DirectorNumber=number,
        DirectorFlag="Y" if any(codes.is_director(each.role) for each in held) else "N",
        SecretaryFlag="Y" if any(codes.is_secretary(each.role) for each in held) else "N",
        CurrPrevName="C",
        DirectorDetails=wire.DirectorSelection(_name(held[0])),
    )


def _name(officer: Officer) -> wire.FullName:
    name = person_name(officer)
    if name is None:
        return wire.FullName(officer.surname)
    return wire.FullName(name.Surname, name.Forename, name.MiddleNames, name.Prefix)


def _newest_first(post: tuple[str, Officer]) -> tuple[bool, int, str]:
    company, officer = post
    begun = officer.appointed or officer.appointed_before or dt.date.min
    return officer.resigned is not None, -begun.toordinal(), company


def _state(officer: Officer, company: Company) -> tuple[bool, bool]:
    """Return whether the officer is in office and whether the company is dissolved."""
    gone = company.register is not None and codes.is_dissolved(company.register.value)
    return officer.resigned is None, gone


def _post(officer: Officer, company: Company, today: dt.date) -> wire.Post:
    entry = company.register.value if company.register else None
    ended = entry.dissolved if entry else None
    length = years_in_office(officer, ended or today)
    return wire.Post(
        CommercialDetail=wire.CompanyNamed(company.number, company_name(company)),
        AppointmentDate=officer.appointed or officer.appointed_before,
        AppointmentIndicator=indicator(officer),
        ResignationDate=officer.resigned,
        ResignationIndicator="E" if officer.resigned else None,
        DissolutionDate=ended,
        DirectorshipLength=None if length is None else str(length),
        LatestReturns=entry.confirmation_last_made_up if entry else None,
        Occupation=officer.occupation or None,
        Position=codes.role_words(officer.role),
    )


def _secretary(officer: Officer, company: Company, today: dt.date) -> wire.SecretaryPost:
    post = _post(officer, company, today)
    return wire.SecretaryPost(
        CommercialDetail=post.CommercialDetail,
        AppointmentDate=post.AppointmentDate,
        AppointmentIndicator=post.AppointmentIndicator,
        ResignationDate=post.ResignationDate,
        ResignationIndicator=post.ResignationIndicator,
        DissolutionDate=post.DissolutionDate,
        SecretaryshipLength=post.DirectorshipLength,
        LatestReturns=post.LatestReturns,
    )
