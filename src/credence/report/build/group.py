"""The companies around a company: its topmost parent and what it owns, as far as the register tells for certain."""

from typing import Protocol

import msgspec

from credence.companies.facts.company import Company
from credence.companies.facts.people import Owner
from credence.companies.ownership import holds_majority, uk_company_number

_DEEPEST = 20
"""Parents above a company that are followed; no real group is deeper, but a false entry can lead in a ring."""

_MOST = 100
"""Subsidiaries that are looked up and listed; all are counted."""


class Known(Protocol):
    """Who can be asked about other companies: `CreditData`."""

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number, or None if no source knows it."""

    def subsidiaries(self, number: str) -> tuple[str, ...] | None:
        """Return the numbers of companies a company holds a majority of; None when no owners are loaded at all."""


class Group(msgspec.Struct, frozen=True):
    """What other companies' facts say of one company."""

    top: Company | None = None
    """The company at the upper end of the chain of majorities, when every link is known and it has no parent."""
    subsidiaries: tuple[Company, ...] | None = None
    """The first of those it holds a majority of; None when no owners are loaded."""
    subsidiaries_in_all: int = 0


def parent(company: Company) -> Owner | None:
    """Return the one body that holds a majority today; None when there is none or more than one claims it."""
    owners = company.owners.value if company.owners else ()
    found = [each for each in owners if each.ceased is None and each.corporate and holds_majority(each)]
    return found[0] if len(found) == 1 else None


def group_of(company: Company, known: Known) -> Group:
    """Return the group around a company."""
    numbers = known.subsidiaries(company.number)
    below = None if numbers is None else tuple(known.company(each) or Company(number=each) for each in numbers[:_MOST])
    return Group(_top(company, known), below, len(numbers or ()))


def _top(company: Company, known: Known) -> Company | None:
    """Follow the parents upwards; None when a link is missing, foreign or leads back."""
    above: Company | None = company
    for _ in range(_DEEPEST):
        if above is None or above.owners is None:
            return None  # who holds it is not known
        holder = parent(above)
        if holder is None:
            # Another body may hold a part: then it is no certain end, only the end of what is told.
            certain = above is not company and not any(
                each.corporate and each.ceased is None for each in above.owners.value
            )
            return above if certain else None
        number = uk_company_number(holder)
        if number is None:
            return None
        above = known.company(number)
    return None
