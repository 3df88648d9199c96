"""The parameters of a company search, checked (report schema §1)."""

import re
from collections.abc import Mapping

import msgspec

from credence.companies.number import normalise
from credence.companies.words import words
from credence.refusals.credit import SEARCH_MALFORMED
from credence.refusals.refusal import Refusal, Refused, because


class TextForm(msgspec.Struct, frozen=True):
    """The pattern of a text parameter, and its description in a refusal."""

    pattern: re.Pattern[str]
    words: str

    @property
    def shape(self) -> msgspec.Meta:
        """The annotation of a parameter, for a pattern that every language of regular expressions has."""
        return msgspec.Meta(pattern=f"^{self.pattern.pattern}$")


POSTCODE = TextForm(re.compile(r"[a-zA-Z0-9 ]{0,8}"), "up to 8 letters, digits and spaces")
TOWN = TextForm(re.compile(r"([^\W_]|['\- ]){0,35}"), "up to 35 letters, digits, spaces, apostrophes and hyphens")
PHONE = TextForm(re.compile(r"[0-9 ()+\-]{0,20}"), "up to 20 digits, spaces and ( ) + -")
NAME = TextForm(re.compile(r".{0,160}", re.DOTALL), "up to 160 characters")  # the longest name in the register

_CRITERIA = {  # the guide defines no pattern for name and telephone
    "name": NAME,
    "postcode": POSTCODE,
    "town": TOWN,
    "phonenumber": PHONE,
    "businessref": TextForm(re.compile(r".{0,20}", re.DOTALL), "a company number, such as 01234567 or SC123456"),
}

_EMPTY = because(SEARCH_MALFORMED, f"One of the parameters {', '.join(map(repr, _CRITERIA))} is required.")


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
    """Return the query from the parameters of a URL; unknown parameters are ignored.

    Raises Refused(SEARCH_MALFORMED) if name, postcode, town, phonenumber and businessref are all absent, or if a parameter
    is malformed.
    """
    given = {name: _criterion(name, parameters.get(name, "").strip()) for name in _CRITERIA}
    if not any(given.values()):
        raise Refused(_EMPTY, "search.empty")
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


def malformed(name: str, form: str) -> Refusal:
    """Return the refusal that names a parameter and its form."""
    return because(SEARCH_MALFORMED, f"The parameter '{name}' must be {form}.")


def _criterion(name: str, text: str) -> str:
    if not text:
        return ""
    form = _CRITERIA[name]
    if not form.pattern.fullmatch(text):
        raise Refused(malformed(name, form.words), f"search.{name}")
    if not words(text):  # punctuation alone, such as "&-", contains no word to search for
        raise Refused(malformed(name, f"{form.words}, with a letter or digit among them"), f"search.{name}")
    return text


def _number(businessref: str) -> str:
    try:
        return normalise(businessref) if businessref else ""
    except Refused as refused:
        raise Refused(malformed("businessref", _CRITERIA["businessref"].words), "search.businessref") from refused


def flag(parameters: Mapping[str, str], name: str, *, default: bool) -> bool:
    """Return the value of a parameter, true or false. Raises Refused(SEARCH_MALFORMED) for another text."""
    text = parameters.get(name, "").strip().lower()
    if text not in ("", "true", "false"):
        raise Refused(malformed(name, "true or false"), f"search.{name}")
    return text == "true" if text else default
