"""Gauge of the score from 0 to 100, with its interval and the bands."""

from collections.abc import Iterator, Sequence

from credence.blocks.text import count, signed
from credence.blocks.values import Chart, Table
from credence.report.render.charts.drawing import WIDTH, bar, drawing, fitted, label, line

LEFT, RIGHT = 8, 8
_TRACK, _THICK = 52, 14

BANDS = "ABCDE"
"""The bands that have a colour: from light green to dark red, each darker than the one before."""

Edge = tuple[str, int]
"""Letter of a band, and its lowest score."""


def gauge(score: int, interval: tuple[int, int] | None, bands: Sequence[Edge], mark: str) -> Chart:
    """Return the gauge; `bands` has the best band first, `mark` is the letter of the company's band."""
    alt = f"Score {score} of 100, band {mark}."
    ends: tuple[tuple[str, str], ...] = ()
    if interval is not None:
        alt = f"Score {score} of 100, band {mark}; allowing for what is not known, {interval[0]} to {interval[1]}."
        ends = (("Lowest it could be", str(interval[0])), ("Highest it could be", str(interval[1])))
    rows = (
        ("Score", str(score)),
        *ends,
        *((f"Band {letter}", f"from {lowest}") for letter, lowest in bands),
    )
    return Chart(
        "Score and interval",
        alt,
        drawing(104, alt, _parts(score, interval, bands, mark)),
        Table("Score, interval and bands", ("", "Points"), rows, numbers=(1,)),
    )


def at(score: float) -> float:
    """Return the x coordinate of a score."""
    return LEFT + score / 100 * (WIDTH - LEFT - RIGHT)


def band_class(letter: str) -> str:
    """Return the CSS class of a band's colour, `ba` to `be`; empty for an unknown letter."""
    return f"b{letter.lower()}" if letter in BANDS else ""


def _parts(score: int, interval: tuple[int, int] | None, bands: Sequence[Edge], mark: str) -> Iterator[str]:
    ends = [100, *(lowest for _, lowest in bands)]
    for (letter, lowest), upper in zip(bands, ends, strict=False):
        own = letter == mark
        yield bar(
            at(lowest) + 1,
            _TRACK,
            at(upper) - at(lowest) - 2,
            _THICK,
            f"band {band_class(letter)}{' mine' if own else ''}",
        )
        yield label((at(lowest) + at(upper)) / 2, _TRACK + 31, letter, "strong" if own else "soft", "middle")
    for edge in (0, *(lowest for _, lowest in bands if lowest), 100):
        anchor = "start" if edge == 0 else "end" if edge == 100 else "middle"
        yield label(at(edge), _TRACK + 47, str(edge), "tiny", anchor)
    if interval is not None:
        low, high = map(at, interval)
        yield line(low, _TRACK - 8, high, _TRACK - 8, "span")
        yield line(low, _TRACK - 12, low, _TRACK - 4, "span")
        yield line(high, _TRACK - 12, high, _TRACK - 4, "span")
    x = at(score)
    yield f'<path class="needle" d="M{x - 6:.2f} {_TRACK - 15}h12L{x:.2f} {_TRACK + _THICK + 3}z"/>'
    yield label(min(max(x, 16), WIDTH - 16), _TRACK - 24, str(score), "figure", "middle")


_ROW, _TOP = 34, 6
_VALUES = 40
"""The width of the column of points at the right, into which no bar and no line reaches."""

_LETTER = 8
"""More than the mean width of a letter."""

_MANY = 4
"""How many steps of one point share a row."""

Step = tuple[str, int, str]
"""Description of a line, its points, and its origin."""


def waterfall(base: Step, steps: Sequence[Step], score: int) -> Chart:
    """Return the chart; base and steps add up to the score.

    Steps of one point share one row of the drawing if they are many, and so do those without points; the table has all.
    """
    small = [step for step in steps if abs(step[1]) == 1]
    few = len(small) < _MANY
    drawn = [step for step in steps if abs(step[1]) > 1 or (few and step[1])]
    if not few:
        drawn.append((f"{len(small)} lines of one point, together", sum(points for _, points, _ in small), ""))
    if without := sum(not points for _, points, _ in steps):
        drawn.append((count(without, "line") + " without points", 0, ""))
    alt = f"Points from the base of {base[1]} to the score of {score}: " + "; ".join(
        f"{words} {signed(points)}" for words, points, _ in drawn
    )
    rows = (
        (base[0], base[2], str(base[1])),
        *((words, origin, signed(points)) for words, points, origin in steps),
        ("Score", "", str(score)),
    )
    table = Table(
        "Points, from the base to the score", ("Line", "Origin", "Points"), rows, numbers=(2,), sums=(len(rows) - 1,)
    )
    height = _TOP + _ROW * (len(drawn) + 2) + 4
    return Chart(
        "From the base of the sector to the score", alt, drawing(height, alt, _steps(base, drawn, score)), table
    )


def _steps(base: Step, steps: Sequence[Step], score: int) -> Iterator[str]:
    sums = [base[1]]
    for _, points, _ in steps:
        sums.append(sums[-1] + points)
    lowest, highest = min(0, *sums), max(100, *sums)

    def at(points: float) -> float:
        return 2 + (points - lowest) / (highest - lowest) * (WIDTH - 4 - _VALUES)

    yield bar(at(0), _TOP + 17, at(base[1]) - at(0), 8, "base")
    for number, (words, points, origin) in enumerate(steps, 1):
        start, end = sums[number - 1], sums[number]
        y = _TOP + _ROW * number
        yield _connector(at(start), y, len(words) + len(origin))
        if points:
            left, right = at(min(start, end)), at(max(start, end))
            yield bar(left, y + 17, right - left, 8, "up" if points > 0 else "down")
        else:
            yield line(at(start), y + 16, at(start), y + 26, "none")
    y = _TOP + _ROW * (len(steps) + 1)
    yield _connector(at(score), y, len("Score"))
    yield bar(at(0), y + 17, at(score) - at(0), 8, "base own")
    # The text comes last, so that it is drawn above the lines.
    yield from _row(0, base[0], str(base[1]), "")
    for number, (words, points, origin) in enumerate(steps, 1):
        yield from _row(number, words, signed(points), origin)
    yield from _row(len(steps) + 1, "Score", str(score), "", "strong")


def _connector(x: float, y: float, letters: int) -> str:
    """Return the line from the bar above to the bar of the row at `y`; above words that reach it, it ends."""
    return line(x, y - _ROW + 25, x, y + (17 if x > letters * _LETTER else 0), "thread")


def _row(number: int, words: str, points: str, origin: str, kind: str = "") -> Iterator[str]:
    y = _TOP + _ROW * number + 12
    tail = f"\u00a0\u00b7 {origin}" if origin else ""
    name = fitted(words, WIDTH - _VALUES - 10 - len(tail) * 6)
    yield (
        label(2, y, name, f"front {kind}".strip()).removesuffix("</text>")
        + f'<tspan class="tiny">{tail}</tspan></text>'
    )
    yield label(WIDTH - 2, y, points, "strong", "end")
