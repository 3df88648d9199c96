"""Gauge of the score from 0 to 100, with its interval and the bands."""

from collections.abc import Iterator, Sequence

from credence.blocks.values import Chart, Table
from credence.report.render.charts.drawing import WIDTH, bar, drawing, label, line

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
