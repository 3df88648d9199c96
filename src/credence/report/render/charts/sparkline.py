"""A line of a few values over the years, small enough for the line of a figure."""

import itertools
from collections.abc import Sequence

from credence.report.render.charts.drawing import dot, drawing, line

_WIDTH, _HEIGHT, _EDGE = 120, 28, 4


def sparkline(values: Sequence[float | None], alt: str) -> str:
    """Return the drawing of values, the oldest first, with a text alternative; empty with less than two known ones.

    The line of zero is drawn where the values pass it; an unknown value is a gap.
    """
    known = [each for each in values if each is not None]
    if len(known) < 2:
        return ""
    lowest, highest = min(known), max(known)
    span = highest - lowest or 1.0
    step = (_WIDTH - 2 * _EDGE) / (len(values) - 1)

    def at(value: float) -> float:
        return _HEIGHT - _EDGE - (value - lowest) / span * (_HEIGHT - 2 * _EDGE)

    points = [(_EDGE + n * step, at(value), value) for n, value in enumerate(values) if value is not None]
    joined = itertools.pairwise(points)
    parts = [
        line(x1, y1, x2, y2, "trend" if x2 - x1 < 1.5 * step else "trend gap") for (x1, y1, _), (x2, y2, _) in joined
    ]
    if lowest < 0 < highest:
        parts.insert(0, line(0, at(0), _WIDTH, at(0), "grid"))
    x, y, newest = points[-1]
    return drawing(_HEIGHT, alt, [*parts, dot(x, y, "net" if newest >= 0 else "down", 3)], _WIDTH)
