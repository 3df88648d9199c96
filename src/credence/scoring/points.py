"""A points table: the points for each range of each factor's values (credit §7.1).

Tables are data. `ratios` and `conduct` compute the values of the factors by their codes.
"""

from bisect import bisect_right
from functools import cached_property
from itertools import pairwise
from typing import Literal

import msgspec

Origin = Literal["fitted", "expert-set"]


class Bin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range of values, from the edge of the previous bin up to but excluding `below`."""

    points: int
    below: float | None = None
    """None in the last bin, which has no upper edge."""
    companies: int | None = None
    """Companies of the fitting data in a fitted bin; `failures` is the number that failed."""
    failures: int | None = None


class Factor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One row of the table: the points for each range, and the sentences for points taken and given."""

    code: str
    words: str
    unit: Literal["ratio", "days", "months", "count", "share"]
    origin: Origin
    source: str
    lowers: str
    raises: str
    bins: tuple[Bin, ...]

    @cached_property
    def _edges(self) -> tuple[float, ...]:
        return tuple(each.below for each in self.bins if each.below is not None)

    def bin_of(self, value: float) -> Bin:
        """Return the bin that contains a value."""
        return self.bins[bisect_right(self._edges, value)]

    @property
    def worst(self) -> int:
        """The fewest points the factor can give."""
        return min(each.points for each in self.bins)

    @property
    def best(self) -> int:
        """The most points the factor can give."""
        return max(each.points for each in self.bins)


class PointsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The factors of one layer, and the source of the table."""

    version: str
    source: str
    factors: tuple[Factor, ...]
    licence: str = ""
    name: str = ""
    needs: tuple[str, ...] = ()
    """Codes of the factors that must be known to use the table."""


def check(table: PointsTable) -> None:
    """Raise ValueError if a factor appears twice, or its bins do not cover every value exactly once."""
    for factor in table.factors:
        edges = [each.below for each in factor.bins if each.below is not None]
        if not factor.bins or factor.bins[-1].below is not None or len(edges) != len(factor.bins) - 1:
            raise ValueError(f"{factor.code}: every bin except the last needs an upper edge; the last has none.")
        if any(low >= high for low, high in pairwise(edges)):
            raise ValueError(f"{factor.code}: the edges must increase from bin to bin.")
    codes = [factor.code for factor in table.factors]
    if len(set(codes)) != len(codes):
        raise ValueError("A factor appears twice in the table.")
