"""A points table: the points for each range of each factor's values, and of pairs of factors (credit §7.1).

Tables are data. `ratios` and `conduct` compute the values of the factors by their codes. The lines that follow the points
are a failure, ceilings of the legal state and of reservations, and the ends of the scale.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

import msgspec

from credence.clock import day_in_words
from credence.companies.facts.company import Company
from credence.scoring.basis.day import Days
from credence.scoring.legal import LegalRule, day_of_rule
from credence.scoring.reservations.table import Reservation, line_code
from credence.scoring.sentences import Line

Origin = Literal["fitted", "expert-set"]
Unit = Literal["ratio", "days", "months", "count", "share"]


class Bin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range of values, from the edge of the previous bin up to but excluding `below`."""

    points: int
    below: float | None = None
    """The upper edge; None in the last bin, which has no upper edge."""
    companies: int | None = None
    """The number of companies of the fitting data in a fitted bin; `failures` is the number of them that failed."""
    failures: int | None = None


class Unknown(msgspec.Struct, frozen=True):
    """A factor with an unknown value, and the fewest and most points it could give."""

    code: str
    words: str
    worst: int
    best: int


class Factor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One row of the table: the points for each range of its values. Its sentence is in `sentences`."""

    code: str
    words: str
    unit: Unit
    origin: Origin
    source: str
    bins: tuple[Bin, ...]

    @cached_property
    def _edges(self) -> tuple[float, ...]:
        return tuple(each.below for each in self.bins if each.below is not None)

    def bin_of(self, value: float) -> Bin:
        """Return the bin that contains a value."""
        return self.bins[bisect_right(self._edges, value)]

    @cached_property
    def worst(self) -> int:
        """The fewest points the factor can give."""
        return min(each.points for each in self.bins)

    @cached_property
    def best(self) -> int:
        """The most points the factor can give."""
        return max(each.points for each in self.bins)

    @cached_property
    def unknown(self) -> Unknown:
        """The factor as one with an unknown value."""
        return Unknown(self.code, self.words, self.worst, self.best)


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The points for two ratios together, beyond those of each alone: one row for each range of the first.

    The edges work as in a factor: an edge belongs to the range above it.
    """

    first: str
    second: str
    first_edges: tuple[float, ...]
    second_edges: tuple[float, ...]
    points: tuple[tuple[int, ...], ...]

    @property
    def code(self) -> str:
        """The code of the pair's line."""
        return f"{self.first}+{self.second}"

    def points_of(self, first: float, second: float) -> int:
        """Return the points of a pair of values."""
        return self.points[bisect_right(self.first_edges, first)][bisect_right(self.second_edges, second)]


class PointsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The factors of one layer of the score (`ratios` or `conduct`) with their points, and where the points come from."""

    version: str
    source: str
    factors: tuple[Factor, ...]
    licence: str = ""
    name: str = ""
    level: int = 0
    """The points of the typical company, all of whose factors give 0, relative to the average one."""
    pairs: tuple[Pair, ...] = ()
    """Pairs of factors of this table and of those before it."""

    @cached_property
    def unknown(self) -> tuple[Unknown, ...]:
        """Every factor as one with an unknown value."""
        return tuple(factor.unknown for factor in self.factors)


def check(tables: Sequence[PointsTable]) -> None:
    """Raise ValueError if a factor appears twice, bins do not cover every value exactly once, or a pair has no factors."""
    codes: set[str] = set()
    for table in tables:
        for factor in table.factors:
            if factor.code in codes:
                raise ValueError(f"{factor.code} appears twice.")
            codes.add(factor.code)
            _check_factor(factor)
        for pair in table.pairs:
            if not {pair.first, pair.second} <= codes:
                raise ValueError(f"{pair.code}: both factors must be in this table or one before it.")
            _check_pair(pair)


def _check_factor(factor: Factor) -> None:
    edges = [each.below for each in factor.bins if each.below is not None]
    if not factor.bins or factor.bins[-1].below is not None or len(edges) != len(factor.bins) - 1:
        raise ValueError(f"{factor.code}: every bin except the last needs an upper edge; the last has none.")
    _check_edges(factor.code, edges)


def _check_pair(pair: Pair) -> None:
    _check_edges(pair.code, pair.first_edges)
    _check_edges(pair.code, pair.second_edges)
    columns = {len(row) for row in pair.points}
    if len(pair.points) != len(pair.first_edges) + 1 or columns != {len(pair.second_edges) + 1}:
        raise ValueError(f"{pair.code}: the points must have one row and column more than there are edges.")


def _check_edges(code: str, edges: Sequence[float]) -> None:
    if any(low >= high for low, high in pairwise(edges)):
        raise ValueError(f"{code}: the edges must increase from bin to bin.")


def words_of(tables: Sequence[PointsTable]) -> Iterator[tuple[str, str]]:
    """Yield code and name of every factor and pair."""
    names = {factor.code: factor.words for table in tables for factor in table.factors}
    yield from names.items()
    for table in tables:
        for pair in table.pairs:
            yield pair.code, pair_words(names[pair.first], names[pair.second])


_OF_ALL = " to total assets"


@lru_cache(maxsize=256)
def pair_words(first: str, second: str) -> str:
    """Return the name of a pair from those of its factors, as "Net assets and reserves, together"."""
    one, other = first.removesuffix(_OF_ALL), second.removesuffix(_OF_ALL)
    return f"{one} and {other[:1].lower()}{other[1:]}, together"


def failure_line(company: Company, rule: LegalRule, days: Days, total: int) -> Line:
    """Return the line that takes every point."""
    return _legal(company, rule, days, -total)


def legal_line(company: Company, rule: LegalRule, days: Days, total: int) -> Line:
    """Return the line of a ceiling.

    A rule gets a line even if a lower ceiling applies and it takes no points, because it is a reason.
    """
    return _legal(company, rule, days, min(total, rule.at_most) - total)


def hold_down(lines: list[Line], reservations: Iterable[Reservation], total: int) -> int:
    """Add the line of the lowest ceiling of the reservations, if it takes points; return what is left of `total`."""
    lowest = min((each for each in reservations if each.at_most is not None), key=_ceiling, default=None)
    if lowest is None or lowest.at_most is None or total <= lowest.at_most:
        return total
    said = f"{lowest.sentence} This limits the score to {lowest.at_most}.".strip()
    lines.append(Line("judgement", line_code(lowest.code), lowest.header, lowest.at_most - total, said, day=lowest.day))
    return lowest.at_most


def scale_line(points: int) -> Line:
    """Return the line of the points beyond the ends of the scale."""
    return Line("scale", "scale", "The scale runs from 0 to 100", points)


def _ceiling(reservation: Reservation) -> tuple[int, str]:
    return reservation.at_most or 0, reservation.code


def _legal(company: Company, rule: LegalRule, days: Days, points: int) -> Line:
    day = day_of_rule(company, rule, days)
    text = rule.sentence.format(day=day_in_words(day), at_most=rule.at_most)
    return Line("legal", rule.code, "Legal state", points, text, day=day)
