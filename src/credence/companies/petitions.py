"""Petitions to wind a company up, and their dismissals.

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
