"""`ManagementInfo`: officers, their roles and tenure (report schema §8, row 5; credit §10).

Addresses, dates of birth, convictions and disqualifications are never sent. An age is in whole years and is left out in the
month of birth, because a change within that month would disclose the day of birth.
"""

import datetime as dt

from credence.companies import codes
from credence.companies.durations import whole_years, within_last
from credence.companies.facts.company import Company
from credence.companies.facts.people import Officer, director_number
from credence.report.schema import management as wire

_MAX_AGE_YEARS = 120


def management(company: Company, today: dt.date) -> wire.ManagementInfo | None:
    """Return the member; None if no officers are loaded."""
    if company.officers is None:
        return None
    directors = [each for each in company.officers.value if codes.is_director(each.role)]
    secretaries = [each for each in company.officers.value if codes.is_secretary(each.role)]
    current = [each for each in directors if each.resigned is None]
    previous = [each for each in directors if each.resigned is not None]
    entry = company.register.value if company.register else None
    return wire.ManagementInfo(
        NumDirs=len(directors),
        NumSecs=len(secretaries),
        NumCurrDirs=len(current),
        NumPrevDirs=len(previous),
        LatestReturns=entry.confirmation_last_made_up if entry else None,
        DirectorAvgAge=_average([age(each, today) for each in current if not each.corporate]),
        DirectorAvgLength=_average([years_in_office(each, today) for each in current]),
        NumAppointmentsLast12=appointments_last_year(company, today),
        NumResignationsLast12=sum(within_last(each.resigned, 12, today) for each in directors),
        Directors=wire.DirectorList(
            CurrentDirector=tuple(_directorship(each, today) for each in current),
            PreviousDirector=tuple(_directorship(each, today) for each in previous),
        ),
        Secretaries=wire.SecretaryList(
            CurrentSecretary=tuple(_secretaryship(each) for each in secretaries if each.resigned is None),
            PreviousSecretary=tuple(_secretaryship(each) for each in secretaries if each.resigned is not None),
        ),
    )


def appointments_last_year(company: Company, today: dt.date) -> int | None:
    """Return the number of directors appointed in the last twelve months; None if no officers are loaded."""
    if company.officers is None:
        return None
    return sum(
        within_last(each.appointed, 12, today) for each in company.officers.value if codes.is_director(each.role)
    )


def age(officer: Officer, today: dt.date) -> int | None:
    """Return the age in whole years; None if unknown, impossible, or in the month of birth, to hide the day of birth."""
    if officer.birth_year is None or officer.birth_month is None or officer.birth_month == today.month:
        return None
    years = today.year - officer.birth_year - (today.month < officer.birth_month)
    return years if 0 <= years <= _MAX_AGE_YEARS else None


def person_name(officer: Officer) -> wire.PersonName | None:
    """Return the parts of a person's name; None for a corporate officer."""
    if officer.corporate:
        return None
    first, _, middle = officer.forenames.partition(" ")
    return wire.PersonName(officer.surname, first or None, middle.strip() or None, officer.title or None)


def _average(numbers: list[int | None]) -> int | None:
    """Return the rounded mean; None if the list is empty or a number is unknown."""
    known = [each for each in numbers if each is not None]
    return round(sum(known) / len(known)) if known and len(known) == len(numbers) else None


def years_in_office(officer: Officer, until: dt.date) -> int | None:
    """Return the completed years in office up to the resignation or `until`; None without a day of appointment."""
    return None if officer.appointed is None else max(0, whole_years(officer.appointed, officer.resigned or until))


def _directorship(officer: Officer, today: dt.date) -> wire.Directorship:
    years = age(officer, today)
    return wire.Directorship(
        DirectorNumber=director_number(officer.id),
        DirectorCompanyFlag="Y" if officer.corporate else "N",
        DirectorDetails=wire.DirectorDetail(
            Name=person_name(officer),
            CommercialDetail=wire.Body(officer.surname) if officer.corporate else None,
            DirectorAge=None if years is None else str(years),
            Title=officer.title or None,
            Position=codes.role_words(officer.role),
            Occupation=officer.occupation or None,
            Nationality=officer.nationality or None,
        ),
        AppointmentDate=officer.appointed or officer.appointed_before,
        AppointmentIndicator=indicator(officer),
        ResignationDate=officer.resigned,
        ResignationIndicator="E" if officer.resigned else None,
        DirectorshipLength=years_in_office(officer, today),
    )


def _secretaryship(officer: Officer) -> wire.Secretaryship:
    return wire.Secretaryship(
        DirectorNumber=director_number(officer.id),
        SecretaryCompanyFlag="Y" if officer.corporate else "N",
        SecretaryDetails=wire.SecretaryDetail(
            Name=person_name(officer),
            CommercialDetail=wire.Body(officer.surname) if officer.corporate else None,
            Title=officer.title or None,
        ),
        AppointmentDate=officer.appointed or officer.appointed_before,
        AppointmentIndicator=indicator(officer),
        ResignationDate=officer.resigned,
        ResignationIndicator="E" if officer.resigned else None,
    )


def indicator(officer: Officer) -> str | None:
    """Return E for an exact day of appointment, P for a day before which it was, None if unknown (report schema §4)."""
    if officer.appointed is not None:
        return "E"
    return "P" if officer.appointed_before is not None else None
