"""One director by number, `directordetails`: where they hold or held office (report schema §1)."""

import datetime as dt
from collections.abc import Callable
from typing import Protocol

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.people import DIRECTOR_NUMBER_LENGTH, Officer
from credence.report.build.management import indicator, years_in_office
from credence.report.build.structure import company_name
from credence.report.schema import directors as wire
from credence.report.search.directors import Appointments, full_name

APPOINTMENTS = 200
"""The most appointments in the details of one director, the newest; nobody who runs companies has held more."""

_STATES = {
    "Current": (True, False),
    "Previous": (False, False),
    "CurrentDissolved": (True, True),
    "PreviousDissolved": (False, True),
}
"""Beginning of a list's name on the wire -> whether its officers are in office, and its companies dissolved."""


FindDirector = Callable[[str, dt.date], wire.DirectorData | None]
"""Finds a director by number, as of a day in UTC; None when the number is unknown."""


class AppointmentsAndCompanies(Appointments, Protocol):
    """Who can be asked about officers and their companies: `CreditData`."""

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number."""


def director_data(known: AppointmentsAndCompanies, number: str, today: dt.date) -> wire.DirectorData | None:
    """Return one director by the number a report or a search gave, in any case of letters; None when unknown."""
    if len(number) != DIRECTOR_NUMBER_LENGTH:
        return None
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
            Name=None if newest.corporate else full_name(newest),
            CommercialDetail=wire.BodyNamed(newest.surname) if newest.corporate else None,
            Nationality=newest.nationality or None,
        ),
        Directorships=wire.Posts(
            **{
                f"{beginning}Director": tuple(_post(*each, today) for each in directors if _state(*each) == state)
                for beginning, state in _STATES.items()
            }
        ),
        Secretaryships=wire.SecretaryPosts(
            **{
                f"{beginning}Secretary": tuple(
                    _secretary(*each, today) for each in secretaries if _state(*each) == state
                )
                for beginning, state in _STATES.items()
            }
        ),
    )


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
