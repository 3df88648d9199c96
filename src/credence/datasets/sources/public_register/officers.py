"""Officers of companies, from the public register's API (credit §4.1). Residences and days of birth are not read."""

import datetime as dt
import re

import msgspec

from credence.companies.facts.people import Officer
from credence.datasets.fact_kinds import OFFICERS
from credence.datasets.sources.public_register.answers import Converted, answers_source
from credence.datasets.sources.values import Links

_TITLES = frozenset(
    {"mr", "mrs", "miss", "ms", "mx", "dr", "sir", "dame", "lord", "lady", "professor", "prof", "reverend", "rev"}
)


class _Appointments(msgspec.Struct):
    appointments: str = ""


class _OfficerLinks(Links):
    officer: _Appointments | None = None


class _Birth(msgspec.Struct):
    year: int | None = None
    month: int | None = None


class _Item(msgspec.Struct):
    name: str = ""
    officer_role: str = ""
    appointed_on: dt.date | None = None
    appointed_before: dt.date | None = None
    resigned_on: dt.date | None = None
    date_of_birth: _Birth | None = None
    nationality: str | None = None
    occupation: str | None = None
    links: _OfficerLinks | None = None


_PERSON = re.compile(r"/officers/([^/]+)/appointments")


def _officer(item: _Item, _company: str) -> Converted:
    links = item.links or _OfficerLinks()
    person = _PERSON.match(links.officer.appointments) if links.officer else None
    if person is None:
        raise ValueError("id.missing")
    if not item.name or not item.officer_role:
        raise ValueError("name.missing" if item.officer_role else "role.missing")
    corporate = item.officer_role.startswith("corporate-")
    surname, title, forenames = (item.name, "", "") if corporate else _split(item.name)
    born = item.date_of_birth or _Birth()
    officer = Officer(
        id=person[1],
        role=item.officer_role,
        surname=surname,
        forenames=forenames,
        title=title,
        corporate=corporate,
        appointed=item.appointed_on,
        appointed_before=None if item.appointed_on else item.appointed_before,
        resigned=item.resigned_on,
        birth_year=born.year,
        birth_month=born.month,
        nationality=item.nationality or "",
        occupation=item.occupation or "",
    )
    # One person may have two offices, or the same office twice.
    began = officer.appointed or officer.appointed_before
    appointment = links.own.rpartition("/appointments/")[2] or f"{person[1]} {officer.role} {began}"
    return appointment, officer, ()


def _split(name: str) -> tuple[str, str, str]:
    """Return surname, title and forenames of a name in the register's form, such as `SURNAME, Dr Forenames`."""
    surname, comma, rest = name.partition(",")
    if not comma:
        return name.strip(), "", ""
    # The title is before or after the forenames: `SURNAME, Dr Ann` and `SURNAME, Ann, Dr` both occur.
    words = rest.replace(",", " ").split()
    for place in (0, -1):
        if len(words) > 1 and words[place].rstrip(".").lower() in _TITLES:
            title = words.pop(place)
            return surname.strip(), title, " ".join(words)
    return surname.strip(), "", " ".join(words)


SOURCE = answers_source(OFFICERS, "officers", _Item, _officer)
