"""Kinds of notices of corporate insolvency in the Gazette, by their codes and titles (credit §4.3), and open petitions.

The codes of a few kinds are published; every notice has a title, the kind in words, which decides for the others.

The petitioner gives notice of a dismissal in the Gazette (Insolvency (England and Wales) Rules 2016, rule 7.23). The notice
of a dismissal names its petition in its text only, which is not kept, so each dismissal ends the earliest petition that is
open: with two petitions and one dismissal, the later one counts on.
"""

import datetime as dt
from collections.abc import Iterable

from credence.companies.facts.events import PETITIONED, CaseDate, Notice

PETITION, DISMISSAL = "2450", "2461"
"""The Gazette's codes of a petition to wind a company up and of its dismissal."""


def without_dismissed(notices: Iterable[Notice], day: dt.date) -> tuple[Notice, ...]:
    """Return the notices published by a day, oldest first, without petitions that were dismissed by then."""
    found: list[Notice] = []
    for notice in sorted(notices, key=lambda each: (each.published, each.code == DISMISSAL, each.id)):
        if notice.published > day:
            break
        found.append(notice)
        if notice.code == DISMISSAL:
            dismissed = next((each for each in found if each.code == PETITION), None)
            if dismissed is not None:
                found.remove(dismissed)
    return tuple(found)


def is_dismissed(steps: Iterable[CaseDate], notices: Iterable[Notice], day: dt.date) -> bool:
    """Return whether a case without another step than the petition was dismissed by a day.

    It was if a dismissal follows the petition, and no petition of the Gazette is open since.
    """
    presented = max((step.date for step in steps if step.type == PETITIONED), default=None)
    if presented is None:
        return False
    left = [each for each in without_dismissed(notices, day) if each.published >= presented]
    codes = {each.code for each in left}
    return DISMISSAL in codes and PETITION not in codes


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
    return notice.title or words_of_code(notice.code)


def words_of_code(code: str) -> str:
    """Return what a notice of this code is about, in words."""
    return _WORDS.get(code) or f"Notice of code {code}"
