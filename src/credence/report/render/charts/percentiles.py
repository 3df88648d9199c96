"""Where values stand among those of other companies, from the lowest of a hundred to the highest."""

from collections.abc import Iterator, Sequence

from credence.report.render.charts.drawing import WIDTH, dot, drawing, label, line
from credence.report.render.page.blocks import Chart, Table

_ROW, _TOP, _EDGE = 36, 8, 8

Standing = tuple[str, int]
"""What it is, and its percentile."""


def percentiles(standings: Sequence[Standing]) -> Chart:
    """Return the drawing."""
    alt = "Percentiles in the section: " + ", ".join(f"{words} {percentile}" for words, percentile in standings)
    rows = tuple((words, str(percentile)) for words, percentile in standings)
    svg = drawing(_TOP + _ROW * len(standings) + 18, alt, _parts(standings))
    return Chart("Percentiles", alt, svg, Table("Percentiles in the section", ("", "Percentile"), "lr", rows))


def _parts(standings: Sequence[Standing]) -> Iterator[str]:
    def at(percentile: float) -> float:
        return _EDGE + percentile / 100 * (WIDTH - 2 * _EDGE)

    bottom = _TOP + _ROW * len(standings)
    for mark in (0, 50, 100):
        anchor = {0: "start", 100: "end"}.get(mark, "middle")
        yield line(at(mark), _TOP, at(mark), bottom, "grid")
        yield label(at(mark), bottom + 14, str(mark), "tiny", anchor)
    for number, (words, percentile) in enumerate(standings):
        y = _TOP + _ROW * number
        yield line(at(0), y + 24, at(100), y + 24, "axis")
        yield dot(at(percentile), y + 24, "event", 5.5)
        yield label(2, y + 13, words, "front strong" if number == 0 else "front")
        yield label(WIDTH - 2, y + 13, str(percentile), "front strong", "end")
