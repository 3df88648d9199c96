"""The parameters of a director search, checked (report schema §1).

Addresses of people are not stored, so address parameters are checked and have no effect.
"""

import re
from collections.abc import Mapping

import msgspec

from credence.companies.words import words
from credence.datasets.search.query import NAME, POSTCODE, TOWN, TextForm, flag, malformed
from credence.refusals.credit import SEARCH_MALFORMED
from credence.refusals.refusal import Refused, because

DATE = TextForm(re.compile(r"([0-9]{4}-(0[1-9]|1[0-2])(-[0-9]{2})?)?"), "a month or a day, as 1970-01 or 1970-01-31")
_CRITERIA = {
    "surname": NAME,
    "forename": NAME,
    "middlenames": NAME,
    "title": NAME,
    "suffix": NAME,
    "dateofbirth": DATE,
    "flat": NAME,
    "housename": NAME,
    "housenumber": NAME,
    "street": NAME,
    "district": NAME,
    "county": NAME,
    "postcode": POSTCODE,
    "town": TOWN,
}

_NO_SURNAME = because(SEARCH_MALFORMED, "The parameter 'surname' is required, with a letter or digit.")


class DirectorQuery(msgspec.Struct, frozen=True):
    """A search by surname, narrowed by the other fields."""

    surname: str
    forename: str = ""
    middle_names: str = ""
    born: tuple[int, int] | None = None
    """Year and month of birth; days are not stored."""
    town: str = ""
    postcode: str = ""
    directors: bool = True
    secretaries: bool = False


def director_query(parameters: Mapping[str, str]) -> DirectorQuery:
    """Return the query in the parameters of a URL; unknown parameters are ignored.

    Raises Refused(SEARCH_MALFORMED) without a surname or if a parameter is malformed.
    """
    given = {name: _checked(name, parameters.get(name, "").strip()) for name in _CRITERIA}
    if not words(given["surname"]):
        raise Refused(_NO_SURNAME, "director_search.surname")
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
    form = _CRITERIA[name]
    if not form.pattern.fullmatch(text):
        raise Refused(malformed(name, form.words), f"director_search.{name}")
    return text


def _month(text: str) -> tuple[int, int] | None:
    return (int(text[:4]), int(text[5:7])) if text else None
