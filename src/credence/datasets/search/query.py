"""What a company search asks for: its parameters, checked and read into one value (report schema §1)."""

import re
from collections.abc import Mapping

import msgspec

from credence.companies.number import normalise
from credence.companies.words import words
from credence.refusals import SEARCH_MALFORMED, Refused

_CRITERIA = {
    # The register knows no longer name than 160 characters; the guide gives neither name nor telephone a pattern.
    "name": re.compile(r".{1,160}", re.DOTALL),
    "postcode": re.compile(r"[a-zA-Z0-9 ]{1,8}"),
    "town": re.compile(r"([^\W_]|['\- ]){1,35}"),
    "phonenumber": re.compile(r"[0-9 ()+\-]{1,20}"),
    "businessref": re.compile(r".{1,20}"),
}


class CompanyQuery(msgspec.Struct, frozen=True):
    """A search: at least one of the first five is given, each an empty text otherwise."""

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
    """Return the query that the parameters of the URL state; parameters the search does not know are ignored.

    Raises Refused(SEARCH_MALFORMED) when none of name, postcode, town, phonenumber and businessref is given or one of
    all the parameters has the wrong form.
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
    # Signs alone, such as "&-", are no words to search by.
    if not _CRITERIA[name].fullmatch(text) or not words(text):
        raise Refused(SEARCH_MALFORMED, f"search.{name}")
    return text


def _number(businessref: str) -> str:
    try:
        return normalise(businessref) if businessref else ""
    except Refused as refused:
        raise Refused(SEARCH_MALFORMED, "search.businessref") from refused


def flag(parameters: Mapping[str, str], name: str, *, default: bool) -> bool:
    """Return a parameter that is true or false; Refused(SEARCH_MALFORMED) for any other text."""
    text = parameters.get(name, "").strip().lower()
    if text not in ("", "true", "false"):
        raise Refused(SEARCH_MALFORMED, f"search.{name}")
    return text == "true" if text else default
