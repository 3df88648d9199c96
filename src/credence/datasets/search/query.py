"""The parameters of a company search, checked (report schema §1)."""

import re
from collections.abc import Mapping

import msgspec

from credence.companies.number import normalise
from credence.companies.words import words
from credence.refusals import SEARCH_MALFORMED, Refused

_CRITERIA = {
    # No name in the register has more than 160 characters; the guide has no pattern for name and telephone.
    "name": re.compile(r".{1,160}", re.DOTALL),
    "postcode": re.compile(r"[a-zA-Z0-9 ]{1,8}"),
    "town": re.compile(r"([^\W_]|['\- ]){1,35}"),
    "phonenumber": re.compile(r"[0-9 ()+\-]{1,20}"),
    "businessref": re.compile(r".{1,20}"),
}


class CompanyQuery(msgspec.Struct, frozen=True):
    """A company search; at least one of the first five fields is not empty."""

    name: str = ""
    postcode: str = ""
    town: str = ""
    phone: str = ""
    number: str = ""
    """A normalised company number, from `businessref`."""
    corporates: bool = True
    non_corporates: bool = False
    exclude_dissolved: bool = True


def company_query(parameters: Mapping[str, str]) -> CompanyQuery:
    """Return the query in the parameters of a URL; unknown parameters are ignored.

    Raises Refused(SEARCH_MALFORMED) if name, postcode, town, phonenumber and businessref are all absent, or if a parameter
    is malformed.
    """
    given = {name: _criterion(name, parameters.get(name, "").strip()) for name in _CRITERIA}
    if not any(given.values()):
        raise Refused(SEARCH_MALFORMED, "search.empty")
    return CompanyQuery(
        name=given["name"],
        postcode=given["postcode"],
        town=given["town"],
        phone=given["phonenumber"],
        number=_number(given["businessref"]),
        corporates=flag(parameters, "searchcorporates", default=True),
        non_corporates=flag(parameters, "searchnoncorps", default=False),
        exclude_dissolved=flag(parameters, "excludedissolved", default=True),
    )


def _criterion(name: str, text: str) -> str:
    if not text:
        return ""
    # Punctuation alone, such as "&-", has no word to search for.
    if not _CRITERIA[name].fullmatch(text) or not words(text):
        raise Refused(SEARCH_MALFORMED, f"search.{name}")
    return text


def _number(businessref: str) -> str:
    try:
        return normalise(businessref) if businessref else ""
    except Refused as refused:
        raise Refused(SEARCH_MALFORMED, "search.businessref") from refused


def flag(parameters: Mapping[str, str], name: str, *, default: bool) -> bool:
    """Return the value of a parameter, true or false. Raises Refused(SEARCH_MALFORMED) for another text."""
    text = parameters.get(name, "").strip().lower()
    if text not in ("", "true", "false"):
        raise Refused(SEARCH_MALFORMED, f"search.{name}")
    return text == "true" if text else default
