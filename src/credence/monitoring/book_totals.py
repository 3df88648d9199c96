"""What the customers of an application are together: totals, by band and section, the greatest, and groups.

A group is made of customers of which one company holds the majority, and of that company. People who hold a majority make
none: the register has no identifier of a person that leads from one company to another.
"""

from collections import Counter
from collections.abc import Sequence
from heapq import nsmallest
from typing import NamedTuple

from credence.monitoring.book import BookLine

MOST = 10


class Group(NamedTuple):
    """Customers that belong together."""

    parent: str
    """The number of the company that holds the majority of the others."""
    members: tuple[BookLine, ...]

    @property
    def exposure(self) -> int:
        """The known exposure of all members, in pounds."""
        return sum(each.exposure or 0 for each in self.members)

    @property
    def is_partial(self) -> bool:
        """Whether the exposure of a member, or a part of it, is unknown, so that the sum is the least."""
        return any(each.is_partial or each.exposure is None for each in self.members)


class BookTotals(NamedTuple):
    """Sums over customers, in pounds."""

    customers: int
    exposure: int
    """Of the lists that know it; `unknown` counts the customers that one of their lists, or all, do not know it of."""
    unknown: int
    expected_loss: int
    """Of the customers with a known exposure and probability."""
    without_probability: int
    """The exposure of the customers that are neither scored nor failed."""
    overdue: int | None
    """None if no ledger says it."""
    headroom: int
    """The sum of what is left below the limits."""
    above: int
    """The sum of what exceeds the limits."""
    by_band: dict[str, int]
    """Band, empty for not scored -> exposure."""
    by_section: dict[str, int]
    """Letter of the section, empty for unknown -> exposure."""


def totals_of(lines: Sequence[BookLine]) -> BookTotals:
    """Return the sums over customers."""
    bands, sections = Counter[str](), Counter[str]()
    known = [each for each in lines if each.exposure is not None]
    for each in known:
        bands[each.seen.band] += each.exposure or 0
        sections[each.standing.section] += each.exposure or 0
    late = [each.overdue for each in lines if each.overdue is not None]
    room = [each.headroom for each in lines if each.headroom is not None]
    return BookTotals(
        customers=len(lines),
        exposure=sum(each.exposure or 0 for each in known),
        unknown=len(lines) - sum(not each.is_partial for each in known),
        expected_loss=sum(each.at_risk or 0 for each in known),
        without_probability=sum(each.exposure or 0 for each in known if each.at_risk is None),
        overdue=sum(late) if late else None,
        headroom=sum(each for each in room if each > 0),
        above=-sum(each for each in room if each < 0),
        by_band=dict(bands),
        by_section=dict(sections.most_common()),
    )


def greatest(lines: Sequence[BookLine]) -> list[BookLine]:
    """Return the customers with the greatest exposures."""
    known = [each for each in lines if each.exposure]
    return nsmallest(MOST, known, key=lambda each: (-(each.exposure or 0), each.company))


def groups_of(lines: Sequence[BookLine]) -> list[Group]:
    """Return the groups of at least two customers, that with the greatest exposure first."""
    by_company = {each.company: each for each in lines}
    members: dict[str, dict[str, BookLine]] = {}
    for each in lines:
        for parent in each.standing.parents:
            top = _top(parent, by_company)
            found = members.setdefault(top, {top: by_company[top]} if top in by_company else {})
            found[each.company] = each
    groups = [Group(parent, tuple(found.values())) for parent, found in members.items() if len(found) > 1]
    return sorted(groups, key=lambda group: (-group.exposure, group.parent))[:MOST]


def _top(parent: str, by_company: dict[str, BookLine]) -> str:
    """Return the company above a parent, as far as customers lead."""
    seen = {parent}
    while (line := by_company.get(parent)) is not None and line.standing.parents:
        above = line.standing.parents[0]
        if above in seen:
            break
        seen.add(above)
        parent = above
    return parent
