"""The company number: eight characters, upper case, stored as text and never as an integer (D19, credit §2.1)."""

import re

from credence.refusals.credit import COMPANY_NUMBER_MALFORMED
from credence.refusals.refusal import Refused, because

LENGTH = 8

_PREFIXED = re.compile(
    r"""
    ( SC | NI | R0                    # companies of Scotland and Northern Ireland, the last from before partition
    | OC | SO | NC                    # limited liability partnerships
    | LP | SL | NL | SG               # limited and Scottish partnerships
    | FC | SF | NF | BR | OE          # overseas companies, their establishments, overseas entities
    | SE | ES | EN | GE | GS | GN     # societas and economic interest groupings
    | IP | SP | NP | NO | RS          # registered societies and credit unions
    | RC | SR | NR | CE | CS          # royal charters, charitable incorporated organisations
    | IC | SI | NV | PC               # investment companies with variable capital, protected cell companies
    | AC | SA | NA | ZC | SZ | NZ     # assurance and unregistered companies
    | FE )                            # further education corporations
    ( [0-9]+ )
    ( [A-Z]{0,2} )                    # societies and some others end in letters, as IP00261C does
    """,
    re.VERBOSE,
)
"""A prefix for the kind of entity and its country, the digits, a suffix (credit §2.1)."""


_CHARACTERS = because(
    COMPANY_NUMBER_MALFORMED, "The company number must have letters and digits only, such as 01234567 or SC123456."
)
_LENGTH = because(
    COMPANY_NUMBER_MALFORMED, f"The company number must have at most {LENGTH} characters, such as 01234567 or SC123456."
)


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
