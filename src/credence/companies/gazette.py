"""Kinds of notices of corporate insolvency in the Gazette, by their codes and titles (credit §4.3).

The codes of a few kinds are published; every notice has a title, the kind in words, which decides for the others.
"""

from credence.companies.facts.events import Notice
from credence.companies.petitions import DISMISSAL, PETITION

CREDITORS, RECEIVER, MORATORIUM, MORATORIUM_END = "creditors", "receiver", "moratorium", "moratorium-end"
"""Kinds that begin or end a procedure: a meeting or a decision of creditors, a receiver, a moratorium, its end."""

_KINDS = {"2442": CREDITORS, "2447": CREDITORS}
_TITLES = (
    ("meetings of creditors", CREDITORS),
    ("deemed consent", CREDITORS),
    ("qualifying decision procedure", CREDITORS),
    ("moratorium: coming into force", MORATORIUM),
    ("moratorium: coming to an end", MORATORIUM_END),
)
"""A part of the title in lower case -> kind."""

_WORDS = {
    "2410": "Appointment of administrators",
    "2411": "Administration order",
    "2441": "Resolution for winding-up",
    "2442": "Meeting of creditors",
    "2443": "Appointment of liquidators",
    "2447": "Deemed consent",
    PETITION: "Petition to wind up",
    "2452": "Winding-up order",
    "2454": "Appointment of liquidators",
    DISMISSAL: "Dismissal of winding-up petition",
}
"""Code -> kind in words, for a notice without a title."""


def kind_of(notice: Notice) -> str:
    """Return the kind of a notice that has one of its own; empty for others."""
    title = notice.title.lower()
    if title.startswith("appointment of") and "receiver" in title and "official receiver" not in title:
        return RECEIVER
    return _KINDS.get(notice.code) or next((kind for part, kind in _TITLES if part in title), "")


def is_named(notice: Notice, names: tuple[str, ...]) -> bool:
    """Return whether a rule that names codes and kinds applies to a notice."""
    return notice.code in names or kind_of(notice) in names


def words_of(notice: Notice) -> str:
    """Return the kind of a notice in words."""
    return notice.title or _WORDS.get(notice.code) or f"Notice of code {notice.code}"
