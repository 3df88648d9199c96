"""How well a risk ranks failures: area under the ROC curve with interval, bounds and capture, from counts of equal risks.

Everything is computed from cells, so memory grows with the number of different risks and not with that of companies. A
score has a hundred.

DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44(3), give the variance of an area and of the difference of two on
the same companies. Companies of one corporate group do not fail independently: their parts of the variance are added up
before they are squared, as Obuchowski (1997), Biometrics 53(2), does for clustered data.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

Z_95 = 1.959964
"""Quantile of the normal distribution for 95 % intervals."""


class Cell(NamedTuple):
    """The companies of one risk."""

    risk: float
    failed: int
    others: int


class Area(msgspec.Struct, frozen=True):
    """The area under the ROC curve: P(risk of a failed company > risk of another one), ties count half."""

    failed: int
    others: int
    auc: float | None
    """None without a failed company or without another one."""
    low: float | None = None
    high: float | None = None
    """The 95 % interval; None if it cannot be estimated, with fewer than two on a side or with both sides apart."""


class Placement(NamedTuple):
    """What a company of one risk adds to the error of the area, if it failed and if not."""

    failed: float
    others: float


def cells_of(rows: Iterable[tuple[float, int, int]]) -> list[Cell]:
    """Return the cells of rows of risk, failed and others, ascending; equal risks become one cell."""
    sums: dict[float, list[int]] = {}
    for risk, failed, others in rows:
        found = sums.setdefault(risk, [0, 0])
        found[0] += failed
        found[1] += others
    return [Cell(risk, *sums[risk]) for risk in sorted(sums)]


def area(cells: Sequence[Cell], grouped: float = 0.0) -> Area:
    """Return the area with its interval; `cells` ascend.

    `grouped` is what corporate groups add to the variance (`grouping`).
    """
    failed, others = totals(cells)
    auc = auc_of(cells)
    if auc is None:
        return Area(failed, others, None)
    low, high = interval(auc, variance(cells) + grouped)
    return Area(failed, others, auc, low, high)


def totals(cells: Sequence[Cell]) -> tuple[int, int]:
    """Return the number of failed companies, and of others."""
    return sum(each.failed for each in cells), sum(each.others for each in cells)


def auc_of(cells: Sequence[Cell]) -> float | None:
    """Return the area alone."""
    failed, others = totals(cells)
    if not failed or not others:
        return None
    below = pairs = 0.0
    for each in cells:
        pairs += each.failed * (below + each.others / 2)
        below += each.others
    return pairs / failed / others


def placements(cells: Sequence[Cell]) -> dict[float, Placement]:
    """Return risk -> placement; their sum over all companies is 0, and the sum of their squares is the variance."""
    failed, others = totals(cells)
    auc = auc_of(cells)
    if auc is None or failed < 2 or others < 2:
        return {}
    found, good, bad = {}, 0.0, 0.0
    for each in cells:
        outranked = (good + each.others / 2) / others
        outranking = (failed - bad - each.failed / 2) / failed
        found[each.risk] = Placement(
            (outranked - auc) / math.sqrt(failed * (failed - 1)), (outranking - auc) / math.sqrt(others * (others - 1))
        )
        good, bad = good + each.others, bad + each.failed
    return found


def variance(cells: Sequence[Cell]) -> float:
    """Return the variance of the area of independent companies."""
    place = placements(cells)
    if not place:
        return 0.0
    return sum(
        each.failed * place[each.risk].failed ** 2 + each.others * place[each.risk].others ** 2 for each in cells
    )


def grouping(cells: Sequence[Cell], groups: Iterable[Iterable[tuple[float, bool]]]) -> float:
    """Return what groups add to the variance: for each, the square of the sum less the sum of the squares.

    A group is the risks of its companies and whether each failed.
    """
    place = placements(cells)
    if not place:
        return 0.0
    added = 0.0
    for group in groups:
        parts = [place[risk].failed if failed else place[risk].others for risk, failed in group]
        added += sum(parts) ** 2 - sum(each**2 for each in parts)
    return added


def interval(auc: float, squared_error: float) -> tuple[float | None, float | None]:
    """Return the 95 % interval of an area on the logit scale, which keeps it between 0 and 1 (Pepe 2003, chapter 5)."""
    if squared_error <= 0 or not 0 < auc < 1:
        return None, None
    middle = math.log(auc / (1 - auc))
    spread = Z_95 * math.sqrt(squared_error) / (auc * (1 - auc))
    return tuple(1 / (1 + math.exp(-max(min(each, 700), -700))) for each in (middle - spread, middle + spread))  # type: ignore[return-value]  # two members


class Difference(msgspec.Struct, frozen=True):
    """The area of the score less that of another model on the same companies."""

    difference: float
    low: float | None
    high: float | None


def difference(counts: Mapping[tuple[float, float], tuple[int, int]]) -> Difference | None:
    """Return the difference of two areas; `counts` maps the two risks of companies to the failed and the others."""
    ours, theirs = (cells_of((risks[side], *count) for risks, count in counts.items()) for side in (0, 1))
    one, other = auc_of(ours), auc_of(theirs)
    if one is None or other is None:
        return None
    place, its = placements(ours), placements(theirs)
    if not place or not its:
        return Difference(one - other, None, None)
    squared = 0.0
    for (here, there), (failed, others) in counts.items():
        squared += failed * (place[here].failed - its[there].failed) ** 2
        squared += others * (place[here].others - its[there].others) ** 2
    spread = Z_95 * math.sqrt(squared)
    return Difference(one - other, one - other - spread, one - other + spread)


def bounds(cells: Sequence[Cell], unresolved: Mapping[float, int]) -> tuple[float | None, float | None]:
    """Return the least and the greatest area that any outcomes of the unresolved companies could give.

    For any number of failures among them the area is greatest if the riskiest have failed, and least if the safest have.
    """
    open_ = cells_of((risk, 0, companies) for risk, companies in unresolved.items())
    start = cells_of([*cells, *open_])
    found = [*_areas(start, unresolved, riskiest_first=True), *_areas(start, unresolved, riskiest_first=False)]
    return (min(found), max(found)) if found else (None, None)


def _areas(cells: Sequence[Cell], unresolved: Mapping[float, int], *, riskiest_first: bool) -> Iterator[float]:
    """Yield the area after each unresolved company in turn has become a failed one."""
    failed, others = totals(cells)
    pairs = (auc_of(cells) or 0.0) * failed * others
    if failed and others:
        yield pairs / failed / others
    if riskiest_first:
        above, below = 0, others
        ordered = list(reversed(cells))
    else:
        above, below = failed, 0
        ordered = list(cells)
    for cell in ordered:
        here, rest = cell.failed, cell.others
        above -= 0 if riskiest_first else here
        below -= rest if riskiest_first else 0
        for _ in range(unresolved.get(cell.risk, 0)):
            # As another one it is outranked by the failed ones above; as a failed one it outranks the others below.
            pairs += (
                (here + 1) * (below + (rest - 1) / 2) + (rest - 1) * above - here * (below + rest / 2) - rest * above
            )
            here, rest, failed, others = here + 1, rest - 1, failed + 1, others - 1
            if others:
                yield pairs / failed / others
        above += here if riskiest_first else 0
        below += 0 if riskiest_first else rest


class Capture(msgspec.Struct, frozen=True):
    """The share of all failures that is among the riskiest companies."""

    worst: float
    """The share of companies, such as 0.05."""
    captured: float
    low: float
    high: float


def capture(cells: Sequence[Cell], worst: float) -> Capture | None:
    """Return the capture of a share of companies; of the companies at its edge, an equal part of the failed counts."""
    failed, others = totals(cells)
    if not failed:
        return None
    room, caught = worst * (failed + others), 0.0
    for each in reversed(cells):
        count = each.failed + each.others
        caught += each.failed * min(room / count, 1)
        room -= count
        if room <= 0:
            break
    return Capture(worst, caught / failed, *wilson(caught / failed, failed))


def wilson(rate: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate that was observed in `count` companies (Wilson 1927)."""
    if rate == 0:
        return 0.0, Z_95**2 / (count + Z_95**2)
    middle = (rate + Z_95**2 / (2 * count)) / (1 + Z_95**2 / count)
    spread = Z_95 / (1 + Z_95**2 / count) * math.sqrt(rate * (1 - rate) / count + Z_95**2 / (4 * count**2))
    return max(middle - spread, 0.0), min(middle + spread, 1.0)


def quantile_of(cells: Sequence[Cell], parts: int) -> list[list[Cell]]:
    """Return the cells in at most `parts` groups of nearly equal size, the lowest risk first; a cell is never divided."""
    count = sum(each.failed + each.others for each in cells)
    edges = [count * part / parts for part in range(1, parts)]
    groups: list[list[Cell]] = [[] for _ in range(parts)]
    seen = 0
    for each in cells:
        size = each.failed + each.others
        groups[bisect_left(edges, seen + size / 2)].append(each)
        seen += size
    return [group for group in groups if group]
