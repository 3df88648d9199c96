"""The company number: eight characters, upper case, stored as text and never as an integer (D19, credit §2.1)."""

import re

from credence.refusals.credit import COMPANY_NUMBER_MALFORMED
from credence.refusals.refusal import Refused, because

LENGTH = 8

_PREFIXES = (
    *("SC", "NI", "R0"),  # companies of Scotland and Northern Ireland, the last from before partition
    *("OC", "SO", "NC"),  # limited liability partnerships
    *("LP", "SL", "NL", "SG"),  # limited and Scottish partnerships
    *("FC", "SF", "NF", "BR", "OE"),  # overseas companies, their establishments, overseas entities
    *("SE", "ES", "EN", "GE", "GS", "GN"),  # societas and economic interest groupings
    *("IP", "SP", "NP", "NO", "RS"),  # registered societies and credit unions
    *("RC", "SR", "NR", "CE", "CS"),  # royal charters, charitable incorporated organisations
    *("IC", "SI", "NV", "PC"),  # investment companies with variable capital, protected cell companies
    *("AC", "SA", "NA", "ZC", "SZ", "NZ"),  # assurance and unregistered companies
    "FE",  # further education corporations
)
_PREFIXED = re.compile(f"({'|'.join(_PREFIXES)})([0-9]+)([A-Z]{{0,2}})")
"""A prefix for the kind of entity and its country, the digits, a suffix (credit §2.1), as IP00261C has one."""

_IN_EITHER_CASE = (re.sub("[A-Z]", lambda letter: f"[{letter[0]}{letter[0].lower()}]", each) for each in _PREFIXES)
SCHEMA = {
    "type": "string",
    "pattern": f"^([0-9]+|({'|'.join(_IN_EITHER_CASE)})[0-9]+[A-Za-z]{{0,2}})$",
    "minLength": 1,
    "maxLength": LENGTH,
}
"""The JSON Schema of a company number in any case and without leading zeros."""


_CHARACTERS = because(
    COMPANY_NUMBER_MALFORMED, "The company number must have letters and digits only, such as 01234567 or SC123456."
)
_LENGTH = because(
    COMPANY_NUMBER_MALFORMED, f"The company number must have at most {LENGTH} characters, such as 01234567 or SC123456."
)


_PARTNERSHIPS = ("LP", "SL", "NL", "SG")


def is_partnership(number: str) -> bool:
    """Return whether a normalised number is of a partnership that is no body corporate, unlike an LLP."""
    return number.startswith(_PARTNERSHIPS)


def normalise(text: str) -> str:
    """Return the number as the register writes it: `1234567` is `01234567`, `sc1234` is `SC001234` (D19).

    White space is ignored everywhere. Raises Refused(COMPANY_NUMBER_MALFORMED) for any other form; the
    message says what is wrong with it.
    """
    if len(text) == LENGTH and text.isascii() and text.isdigit():
        return text  # already in normal form, as nearly every number is; a load reads millions
    number = "".join(text.split())
    if not number:
        raise Refused(COMPANY_NUMBER_MALFORMED, "company_number.empty")
    # Checked before upper(), which turns some non-ASCII letters into ASCII ones.
    if not (number.isascii() and number.isalnum()):
        raise Refused(_CHARACTERS, "company_number.characters")
    if len(number) > LENGTH:
        raise Refused(_LENGTH, "company_number.length")
    if number.isdigit():
        return number.zfill(LENGTH)
    form = _PREFIXED.fullmatch(number.upper())
    if form is None:
        raise Refused(COMPANY_NUMBER_MALFORMED, "company_number.form")
    prefix, digits, suffix = form.groups()
    return prefix + digits.zfill(LENGTH - len(prefix) - len(suffix)) + suffix


def normalise_or_none(text: str) -> str | None:
    """Return the number in normal form; None for a text that is not a company number."""
    try:
        return normalise(text)
    except Refused:
        return None
