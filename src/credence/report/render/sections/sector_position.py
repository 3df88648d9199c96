"""The percentiles of the score and its ratios within the company's sector (credit §9)."""

from collections.abc import Iterator, Sequence

from credence.blocks.text import count, day, decimal
from credence.blocks.values import Beside, Chart, Note, Section, Table
from credence.report.render.charts.drawing import WIDTH, dot, drawing, label, line
from credence.report.schema.sector_position import SectorPosition


def position_section(position: SectorPosition) -> Section:
    """Return the percentiles among the scored companies of the section."""
    chart = percentiles(
        [("Score", position.ScorePercentile), *((each.Words, each.Percentile) for each in position.Ratios)]
    )
    summary = Note(
        f"Among {count(position.Companies, 'scored company', 'scored companies')} of the section "
        f"{position.Section}, {position.Words}, on {day(position.AsOf)}: {position.ScorePercentile} of 100 have a lower "
        "score, those with the same one counted half."
    )
    rows = tuple(
        (each.Words, decimal(each.Value), str(each.Percentile), f"{each.Companies:,}") for each in position.Ratios
    )
    table = Table("Ratios in the section", ("Ratio", "Value", "Percentile", "Companies"), rows, numbers=(1, 2, 3))
    return Section("position", "Position within the sector", (summary, Beside((chart,), (table,)) if rows else chart))


_ROW, _TOP, _EDGE = 36, 8, 8

Percentile = tuple[str, int]
"""Name of a measure, and its percentile."""


def percentiles(values: Sequence[Percentile]) -> Chart:
    """Return the chart."""
    alt = "Percentiles in the section: " + ", ".join(f"{words} {percentile}" for words, percentile in values)
    rows = tuple((words, str(percentile)) for words, percentile in values)
    svg = drawing(_TOP + _ROW * len(values) + 18, alt, _parts(values))
    return Chart("Percentiles", alt, svg, Table("Percentiles in the section", ("", "Percentile"), rows, numbers=(1,)))


def _parts(values: Sequence[Percentile]) -> Iterator[str]:
    def at(percentile: float) -> float:
        return _EDGE + percentile / 100 * (WIDTH - 2 * _EDGE)

    bottom = _TOP + _ROW * len(values)
    for mark in (0, 50, 100):
        anchor = {0: "start", 100: "end"}.get(mark, "middle")
        yield line(at(mark), _TOP, at(mark), bottom, "grid")
        yield label(at(mark), bottom + 14, str(mark), "tiny", anchor)
    for number, (words, percentile) in enumerate(values):
        y = _TOP + _ROW * number
        yield line(at(0), y + 24, at(100), y + 24, "axis")
        yield dot(at(percentile), y + 24, "event", 5.5)
        yield label(2, y + 13, words, "front strong" if number == 0 else "front")
        yield label(WIDTH - 2, y + 13, str(percentile), "front strong", "end")
