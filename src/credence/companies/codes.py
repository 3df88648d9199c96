"""The register's words and the API's codes for them (report schema §4 and §9, credit §2.2)."""

from typing import NamedTuple

from credence.companies.facts.register import RegisterEntry


class LegalForm(NamedTuple):
    """A `LegalStatus` code and the form in plain words."""

    code: str
    words: str


_GUARANTEE = "Private company limited by guarantee, without share capital"

LEGAL_FORMS = {
    "private limited company": LegalForm("2", "Private company limited by shares"),
    "public limited company": LegalForm("3", "Public limited company"),
    "old public company": LegalForm("4", "Old public company"),
    "private unlimited": LegalForm("1", "Private unlimited company"),
    "private unlimited company": LegalForm("1", "Private unlimited company"),
    "pri/ltd by guar/nsc (private, limited by guarantee, no share capital)": LegalForm("5", _GUARANTEE),
    "pri/lbg/nsc (private, limited by guarantee, no share capital, use of 'limited' exemption)": LegalForm(
        "A", f"{_GUARANTEE}, exempt from the word Limited"
    ),
    "priv ltd sect. 30 (private limited company, section 30 of the companies act)": LegalForm(
        "A", "Private company limited by shares, exempt from the word Limited"
    ),
    "limited partnership": LegalForm("6", "Limited partnership"),
    "converted/closed": LegalForm("8", "Converted or closed"),
}
"""Company category in lower case -> legal form. Every other category has code 0 and keeps the register's name."""

ACCOUNTS_TYPES = {
    "NO ACCOUNTS FILED": "0",
    "FULL": "1",
    "SMALL": "2",
    "MEDIUM": "3",
    "GROUP": "4",
    "DORMANT": "5",
    "INTERIM": "6",
    "INITIAL": "7",
    "TOTAL EXEMPTION FULL": "8",
    "TOTAL EXEMPTION SMALL": "9",
    "PARTIAL EXEMPTION": "A",
    "AUDIT EXEMPTION SUBSIDIARY": "E",
    "FILING EXEMPTION SUBSIDIARY": "F",
    "MICRO ENTITY": "G",
}
"""Accounts category -> `LatestAccountType`; every other category, such as an abridged one, has code Z."""

ACTIVE_STATUSES = frozenset({"active", "active - proposal to strike off"})
DISSOLVED_STATUSES = frozenset({"dissolved", "converted / closed"})
INSOLVENT_STATUSES = frozenset(
    {
        "administration order",
        "administrative receiver",
        "in administration",
        "in administration/administrative receiver",
        "in administration/receiver manager",
        "liquidation",
        "live but receiver manager on at least one charge",
        "receiver manager / administrative receiver",
        "receivership",
        "voluntary arrangement",
        "voluntary arrangement / administrative receiver",
        "voluntary arrangement / receiver manager",
        "voluntary arrangement / receivership",
    }
)
KNOWN_STATUSES = ACTIVE_STATUSES | DISSOLVED_STATUSES | INSOLVENT_STATUSES | {"registered"}
"""Company statuses in lower case. A load keeps and counts any other text; no code treats it as active."""

STATUS_EVENTS: dict[str, tuple[str, ...]] = {
    "active - proposal to strike off": ("K",),
    "dissolved": ("L",),
    "administration order": ("Q",),
    "in administration": ("Q",),
    "administrative receiver": ("C",),
    "in administration/administrative receiver": ("Q", "C"),
    "in administration/receiver manager": ("Q", "C"),
    "live but receiver manager on at least one charge": ("C",),
    "receiver manager / administrative receiver": ("C",),
    "receivership": ("C",),
    "voluntary arrangement": ("S",),
    "voluntary arrangement / administrative receiver": ("S", "C"),
    "voluntary arrangement / receiver manager": ("S", "C"),
    "voluntary arrangement / receivership": ("S", "C"),
}
"""Company status in lower case -> event letters it implies. "Liquidation" implies none: its kind is unknown."""

_DIRECTORS = frozenset(
    {
        "director",
        "nominee-director",
        "llp-member",
        "llp-designated-member",
        "general-partner-in-a-limited-partnership",
        "manager-of-an-eeig",
        "managing-officer",
        "member-of-a-management-organ",
        "member-of-a-supervisory-organ",
        "member-of-an-administrative-organ",
    }
)
_SECRETARIES = frozenset({"secretary", "nominee-secretary"})
"""Officer roles without `corporate-`, in the register's words. Other officers, such as receivers, do not run the company."""


def is_director(role: str) -> bool:
    """Return whether a role is that of a director, or of a member who runs a body without directors, such as an LLP."""
    return role.removeprefix("corporate-") in _DIRECTORS


def is_secretary(role: str) -> bool:
    """Return whether a role is a secretary's."""
    return role.removeprefix("corporate-") in _SECRETARIES


def role_words(role: str) -> str:
    """Return a role in plain words: `Nominee director`, `LLP member`."""
    words = role.removeprefix("corporate-").replace("-", " ").capitalize()
    return words.replace("Llp", "LLP").replace("eeig", "EEIG")


def legal_form(category: str) -> LegalForm | None:
    """Return the legal form of a company category; None for an empty one."""
    return LEGAL_FORMS.get(category.lower(), LegalForm("0", category)) if category else None


def accounts_type(category: str) -> str | None:
    """Return the `LatestAccountType` of an accounts category; None for an empty one."""
    return ACCOUNTS_TYPES.get(category.upper(), "Z") if category else None


def is_dissolved(entry: RegisterEntry) -> bool:
    """Return whether the company no longer exists."""
    return entry.dissolved is not None or entry.status.lower() in DISSOLVED_STATUSES


def business_status(entry: RegisterEntry) -> str:
    """Return the search's `BusinessStatus`: A for active, D for dissolved, a space for the rest (report schema §1).

    The code has no letter for a company in liquidation, administration or receivership.
    """
    if is_dissolved(entry):
        return "D"
    return "A" if entry.status.lower() in ACTIVE_STATUSES else " "
