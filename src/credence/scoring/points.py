"""A points table: which values of which factor are worth how many points (credit §7.1).

A table is data. Its factors are found by their code; what their values are made from is said in `ratios` and `conduct`.
"""

from bisect import bisect_right
from functools import cached_property
from itertools import pairwise
from typing import Literal

import msgspec

Origin = Literal["fitted", "expert-set"]


class Bin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range of values: those from the edge of the bin before it, up to but not including `below`."""

    points: int
    below: float | None = None
    """None in the last bin, which has no upper edge."""
    companies: int | None = None
    """Of a fitted bin: how many companies of the fitting data fell into it, and how many of these failed."""
    failures: int | None = None


class Factor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One row of the table: the points for each range, and the sentences that say why they were given or taken."""

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
        """Return the bin a value falls into."""
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
    """The factors of one layer, and where the table comes from."""

    version: str
    source: str
    factors: tuple[Factor, ...]
    licence: str = ""
    name: str = ""
    needs: tuple[str, ...] = ()
    """Codes of the factors that must be known for the table to be used."""


def check(table: PointsTable) -> None:
    """Raise ValueError, in words for the one who edits the file, when the table does not cover every value once."""
    for factor in table.factors:
        edges = [each.below for each in factor.bins if each.below is not None]
        if not factor.bins or factor.bins[-1].below is not None or len(edges) != len(factor.bins) - 1:
            raise ValueError(f"{factor.code}: every bin but the last has an edge, and the last has none.")
        if any(low >= high for low, high in pairwise(edges)):
            raise ValueError(f"{factor.code}: the edges rise from bin to bin.")
    codes = [factor.code for factor in table.factors]
    if len(set(codes)) != len(codes):
        raise ValueError("A factor stands in the table twice.")
