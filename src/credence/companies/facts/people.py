"""Officers and owners, as far as a credit report needs them (credit §4.1, §4.2, §10).

Home addresses and days of birth are not stored, only year and month. Names of people stay out of logs, and nothing about
a person is scored.
"""

import base64
import datetime as dt
import hashlib
import re

import msgspec

_DIRECTOR_NUMBER = re.compile(r"D[A-Z2-7]{16}")
_INVENTED_NUMBER = re.compile(r"D9999[0-9]{4}")
"""The numbers of the sandbox's invented people (report schema §1); no id of the register has this form."""


def director_number(officer_id: str) -> str:
    """Return the `DirectorNumber` of the API: `D` and sixteen letters and digits (report schema §1).

    An officer has the same number at every company and after every load. The register's own id is case-sensitive; the
    number is not. The id of an invented person is the number itself.
    """
    if _INVENTED_NUMBER.fullmatch(officer_id):
        return officer_id
    return "D" + base64.b32encode(hashlib.sha256(officer_id.encode()).digest()[:10]).decode()


def is_director_number(text: str) -> bool:
    """Return whether a text in upper case has the form of a director number."""
    return bool(_DIRECTOR_NUMBER.fullmatch(text) or _INVENTED_NUMBER.fullmatch(text))


class Officer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One appointment to one company, present or past."""

    id: str
    """The register's identifier of the person or body (from the appointments link), the same at each company.

    It is the id of the appointment if only an event of the stream is known, which does not name the person.
    """
    role: str
    """The register's word: `director`, `secretary`, `corporate-director`, `llp-member` and so on."""
    surname: str
    forenames: str = ""
    title: str = ""
    corporate: bool = False
    """Whether the officer is a body and not a person; the body's name is in `surname`."""
    appointed: dt.date | None = None
    appointed_before: dt.date | None = None
    """A day before which the officer was appointed; set instead of `appointed` if the register does not know the day."""
    resigned: dt.date | None = None
    birth_year: int | None = None
    birth_month: int | None = None
    nationality: str = ""
    occupation: str = ""
    identity_verified: dt.date | None = None
    """The day on which the officer's identity was verified (Companies Act 2006, section 1110A)."""
    verification_due: dt.date | None = None
    """The last day for the statement that the identity is verified; None if the register has no such day."""
    appointment: str = ""
    """The id of the appointment, which an answer and an event of the stream both have; the id of the stored fact."""


class Owner(msgspec.Struct, frozen=True):
    """A person or body with significant control."""

    id: str
    kind: str
    """The register's word, such as `individual-person-with-significant-control`."""
    name: str
    natures: tuple[str, ...]
    """The register's words, such as `ownership-of-shares-75-to-100-percent`."""
    corporate: bool = False
    registration_number: str = ""
    """The number of a body in its register; a UK company number if `country` is in the United Kingdom."""
    country: str = ""
    notified: dt.date | None = None
    ceased: dt.date | None = None
