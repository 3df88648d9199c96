"""A points table: the points for each range of each factor's values, and of pairs of factors (credit §7.1).

Tables are data. `ratios` and `conduct` compute the values of the factors by their codes.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

import msgspec

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
