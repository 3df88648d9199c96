"""One director by number, `directordetails`: present and former appointments (report schema §1)."""

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

import msgspec

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.people import Officer, is_director_number
from credence.report.build.management import indicator, years_in_office
from credence.report.build.structure import company_name
from credence.report.schema import directors as wire
from credence.report.search.directors import Appointments, full_name

P = TypeVar("P")

MAX_APPOINTMENTS = 200
"""Maximum number of appointments of one director, the newest."""

_STATES = {
    "Current": (True, False),
    "Previous": (False, False),
    "CurrentDissolved": (True, True),
    "PreviousDissolved": (False, True),
}
"""Prefix of a list's name in the API -> whether its officers are in office, and whether its companies are dissolved."""

FindDirector = Callable[[str, dt.date], bytes | None]
"""Finds a director by number, as of a day, and returns the details as JSON; None for an unknown number."""


class AppointmentsAndCompanies(Appointments, Protocol):
    """Finds appointments and companies; `CreditData` implements it."""

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number."""


def director_data(known: AppointmentsAndCompanies, number: str, today: dt.date) -> wire.DirectorData | None:
    """Return one director by `DirectorNumber`, in upper or lower case; None for an unknown number."""
    number = number.upper()
    if not is_director_number(number):
        return None
    posts = sorted(known.appointments(number), key=_newest_first)[:MAX_APPOINTMENTS]
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
            Name=None if newest.corporate else full_name(newest),
            CommercialDetail=wire.BodyNamed(newest.surname) if newest.corporate else None,
            Nationality=newest.nationality or None,
        ),
        Directorships=wire.Posts(**_by_state(directors, _post, "Director", today)),
        Secretaryships=wire.SecretaryPosts(**_by_state(secretaries, _secretary_post, "Secretary", today)),
    )


def director_json(known: AppointmentsAndCompanies, number: str, today: dt.date) -> bytes | None:
    """Return one director as JSON; None for an unknown number."""
    found = director_data(known, number, today)
    return None if found is None else msgspec.json.encode(found)


def _by_state(
    described: Iterable[tuple[Officer, Company]],
    post: Callable[[Officer, Company, dt.date], P],
    suffix: str,
    today: dt.date,
) -> dict[str, tuple[P, ...]]:
    return {
        f"{prefix}{suffix}": tuple(post(*each, today) for each in described if _state(*each) == state)
        for prefix, state in _STATES.items()
    }


def _newest_first(post: tuple[str, Officer]) -> tuple[bool, int, str]:
    company, officer = post
    begun = officer.appointed or officer.appointed_before or dt.date.min
    return officer.resigned is not None, -begun.toordinal(), company


def _state(officer: Officer, company: Company) -> tuple[bool, bool]:
    """Return whether the officer is in office and whether the company is dissolved."""
    dissolved = company.register is not None and codes.is_dissolved(company.register.value)
    return officer.resigned is None, dissolved


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


def _secretary_post(officer: Officer, company: Company, today: dt.date) -> wire.SecretaryPost:
    members = msgspec.structs.asdict(_post(officer, company, today))
    length = members.pop("DirectorshipLength")
    common = {name: members[name] for name in wire.SecretaryPost.__struct_fields__ if name in members}
    return wire.SecretaryPost(SecretaryshipLength=length, **common)
