"""Officers of companies, from the public register's API (credit §4.1). Residences and days of birth are not read."""

import datetime as dt
import re

import msgspec

from credence.companies.facts.people import Officer
from credence.datasets.fact_kinds import OFFICERS
from credence.datasets.sources.public_register.answers import Converted, answers_source
from credence.datasets.sources.values import Links, read_date

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


class _Verification(msgspec.Struct):
    identity_verified_on: str | None = None
    appointment_verification_statement_due_on: str | None = None


class _Item(msgspec.Struct):
    name: str = ""
    officer_role: str = ""
    appointed_on: dt.date | None = None
    appointed_before: dt.date | None = None
    resigned_on: dt.date | None = None
    date_of_birth: _Birth | None = None
    nationality: str | None = None
    occupation: str | None = None
    identity_verification_details: _Verification | None = None
    links: _OfficerLinks | None = None


_BODY = re.compile(r"\b(?:limited|ltd|plc|llp|inc|gmbh|s\.?a|b\.?v|company|nominees|services)\.?$", re.IGNORECASE)
"""The last word of a corporate officer's name; the register writes a person as `SURNAME, Forenames`."""

_PERSON = re.compile(r"/officers/([^/]+)/appointments")


def _officer(item: _Item, _company: str) -> Converted:
    links = item.links or _OfficerLinks()
    person = _PERSON.match(links.officer.appointments) if links.officer else None
    appointment = links.own.rpartition("/appointments/")[2]
    # An event of the stream names the appointment and not the person.
    id_ = person[1] if person else appointment
    if not id_:
        raise ValueError("id.missing")
    if not item.name or not item.officer_role:
        raise ValueError("name.missing" if item.officer_role else "role.missing")
    corporate = _is_body(item)
    surname, title, forenames = (item.name, "", "") if corporate else _split(item.name)
    born, verification = item.date_of_birth or _Birth(), item.identity_verification_details or _Verification()
    officer = Officer(
        id=id_,
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
        identity_verified=read_date(verification.identity_verified_on),
        verification_due=read_date(verification.appointment_verification_statement_due_on),
    )
    # One person may have two offices, or the same office twice.
    began = officer.appointed or officer.appointed_before
    return appointment or f"{id_} {officer.role} {began}", officer, ()


def _is_body(item: _Item) -> bool:
    """Return whether an officer is corporate: by its role, or as a nominee with a company's name, no comma and no birth."""
    if item.officer_role.startswith("corporate-"):
        return True
    named = "," not in item.name and item.date_of_birth is None and _BODY.search(item.name) is not None
    return item.officer_role.startswith("nominee-") and named


def _split(name: str) -> tuple[str, str, str]:
    """Return surname, title and forenames of a name as the register writes it, such as `SURNAME, Dr Forenames`."""
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


def _with_person(held: Officer, changed: Officer) -> Officer:
    return msgspec.structs.replace(changed, id=held.id)


SOURCE = msgspec.structs.replace(
    answers_source(OFFICERS, "officers", _Item, _officer, stream="appointments"), keeps=_with_person
)
