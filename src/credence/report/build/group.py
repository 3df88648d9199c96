"""The companies around one: its ultimate parent and subsidiaries, as far as they are certain, and those of its directors."""

from typing import Protocol

import msgspec

from credence.companies.facts.company import Company
from credence.companies.facts.people import Owner
from credence.companies.ownership import Subsidiaries, holds_majority, uk_company_number
from credence.report.build.connections import Appointments, Others, others_of

_MAX_PARENTS = 20
"""Maximum length of the chain of parents that is followed; wrong entries can form a circle."""

_MAX_SUBSIDIARIES = 100
"""Maximum number of listed subsidiaries; more are counted."""


class Companies(Appointments, Protocol):
    """The source of facts about other companies: `CreditData`."""

    def subsidiaries(self, number: str) -> Subsidiaries | None:
        """Return the companies in which a company has a majority; None if no owners are loaded."""


class Group(msgspec.Struct, frozen=True):
    """The companies above and below one company, and those of its directors."""

    top: Company | None = None
    """The ultimate parent, if every link of the chain of majorities is known and it has no parent."""
    subsidiaries: tuple[Company, ...] | None = None
    """The first subsidiaries, at most _MAX_SUBSIDIARIES; None if no owners are loaded."""
    subsidiaries_in_all: int = 0
    subsidiaries_cut: bool = False
    """Whether there may be more subsidiaries than were counted."""
    others: Others | None = None
    """The other companies of present directors; None if no officers are loaded."""


def parent(company: Company) -> Owner | None:
    """Return the only body with a majority today; None without one and with several."""
    if company.owners is None:
        return None
    found = [each for each in company.owners.value if each.ceased is None and each.corporate and holds_majority(each)]
    return found[0] if len(found) == 1 else None


def group_of(company: Company, companies: Companies) -> Group:
    """Return the group of a company."""
    top, found = _top(company, companies), companies.subsidiaries(company.number)
    if found is None:
        return Group(top, others=others_of(company, companies))
    below = tuple(companies.company(each) or Company(number=each) for each in found.numbers[:_MAX_SUBSIDIARIES])
    return Group(top, below, len(found.numbers), found.cut, others_of(company, companies))


def _top(company: Company, companies: Companies) -> Company | None:
    """Return the ultimate parent; None if a link is missing, foreign or circular."""
    above: Company | None = company
    for _ in range(_MAX_PARENTS):
        if above is None or above.owners is None:
            return None  # the owners are unknown
        holder = parent(above)
        if holder is None:
            # If another body holds a part, the next parent is not certain.
            certain = above is not company and not any(
                each.corporate and each.ceased is None for each in above.owners.value
            )
            return above if certain else None
        number = uk_company_number(holder)
        if number is None:
            return None
        above = companies.company(number)
    return None
