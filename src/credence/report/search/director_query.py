"""The parameters of a director search, checked (report schema §1).

Addresses of people are not stored, so address parameters are checked and have no effect.
"""

import re
from collections.abc import Mapping

import msgspec

from credence.companies.words import words
from credence.datasets.search.query import flag
from credence.refusals import SEARCH_MALFORMED, Refused

_NAME = re.compile(r".{1,160}", re.DOTALL)
_ADDRESS = re.compile(r".{0,160}", re.DOTALL)
_PARAMETERS = {
    "surname": _NAME,
    "forename": _NAME,
    "middlenames": _NAME,
    "title": _ADDRESS,
    "suffix": _ADDRESS,
    "dateofbirth": re.compile(r"(?P<year>[0-9]{4})-(?P<month>0[1-9]|1[0-2])(-[0-9]{2})?"),
    "flat": _ADDRESS,
    "housename": _ADDRESS,
    "housenumber": _ADDRESS,
    "street": _ADDRESS,
    "district": _ADDRESS,
    "county": _ADDRESS,
    "postcode": re.compile(r"[a-zA-Z0-9 ]{1,8}"),
    "town": re.compile(r"([^\W_]|['\- ]){1,35}"),
}


class DirectorQuery(msgspec.Struct, frozen=True):
    """A search by surname, narrowed by the other fields."""

    surname: str
    forename: str = ""
    middle_names: str = ""
    born: tuple[int, int] | None = None
    """Year and month; days are not stored."""
    town: str = ""
    postcode: str = ""
    directors: bool = True
    secretaries: bool = False


def director_query(parameters: Mapping[str, str]) -> DirectorQuery:
    """Return the query in the parameters of a URL; unknown parameters are ignored.

    Raises Refused(SEARCH_MALFORMED) without a surname or if a parameter is malformed.
    """
    given = {name: _checked(name, parameters.get(name, "").strip()) for name in _PARAMETERS}
    if not words(given["surname"]):
        raise Refused(SEARCH_MALFORMED, "director_search.surname")
    return DirectorQuery(
        surname=given["surname"],
        forename=given["forename"],
        middle_names=given["middlenames"],
        born=_month(given["dateofbirth"]),
        town=given["town"],
        postcode=given["postcode"],
        directors=flag(parameters, "directorsflag", default=True),
        secretaries=flag(parameters, "secretariesflag", default=False),
    )


def _checked(name: str, text: str) -> str:
    if text and not _PARAMETERS[name].fullmatch(text):
        raise Refused(SEARCH_MALFORMED, f"director_search.{name}")
    return text


def _month(text: str) -> tuple[int, int] | None:
    return (int(text[:4]), int(text[5:7])) if text else None
