"""The text of a 404 of the sandbox: which companies and directors it holds, and which number may be meant (D24)."""

from collections.abc import Callable

from credence.companies.facts.company import Company
from credence.refusals.credit import COMPANY_UNKNOWN, DIRECTOR_UNKNOWN
from credence.refusals.refusal import Refusal, Refused, because
from credence.sandbox.invented.companies_file import invented_file

_INVENTED = (*invented_file().company, *invented_file().customer)
_NUMBERS = sorted(each.number for each in _INVENTED)
_PEOPLE = sorted({officer.person for each in _INVENTED for officer in each.officers})
_COMPANIES = (
    f"This sandbox has the specimen 99999999, the invented companies {_NUMBERS[0]} to {_NUMBERS[-1]}, 4,537 real companies "
    "of the register of May 2020 and 421 with filed accounts. Search by name to find their numbers."
)
_DIRECTORS = (
    f"This sandbox has the specimen D99999999 and the invented people {_PEOPLE[0]} to {_PEOPLE[-1]} and D99999996 to "
    "D99999998. Search by surname to find them."
)
_PREFIXES = {"SC": "Scottish", "NI": "Northern Irish"}


def company_unknown(number: str, find: Callable[[str], Company | None]) -> Refused:
    """Return the 404 for an unknown number.

    If a company has these digits after the Scottish or Northern Irish prefix, the text names its number.
    """
    meant = _meant(number, find)
    return Refused(_said(COMPANY_UNKNOWN, meant or _COMPANIES), "company.unknown")


def director_unknown() -> Refused:
    """Return the 404 for an unknown director number."""
    return Refused(_said(DIRECTOR_UNKNOWN, _DIRECTORS), "director.unknown")


def _meant(number: str, find: Callable[[str], Company | None]) -> str | None:
    digits = number.lstrip("0").zfill(6)
    for prefix, words in _PREFIXES.items():
        if number.isdigit() and len(digits) == 6 and find(f"{prefix}{digits}") is not None:
            return f"{prefix}{digits} exists: {words} numbers begin with {prefix}."
    return None


def _said(refusal: Refusal, more: str) -> Refusal:
    return because(refusal, f"{refusal.message} {more}")
