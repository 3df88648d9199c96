"""What moved the score since an earlier run, and where the company stands in its sector (credit §9)."""

from collections.abc import Iterator

from credence.report.render.charts.percentiles import percentiles
from credence.report.render.page.blocks import Beside, Block, Section, Table, Words
from credence.report.render.page.text import NONE, count, day, decimal, signed
from credence.report.schema.movement import PointsMoved, ScoreChange, SectorPosition


def change_section(change: ScoreChange) -> Section:
    """Return which points moved, line by line; they add up to the difference."""
    return Section("change", "What changed", tuple(_change(change)))


def position_section(position: SectorPosition) -> Section:
    """Return where the score and its ratios stand among the companies of the section."""
    chart = percentiles(
        [("Score", position.ScorePercentile), *((each.Words, each.Percentile) for each in position.Ratios)]
    )
    told = Words(
        f"Among {count(position.Companies, 'scored company', 'scored companies')} of the section "
        f"{position.Section}, {position.Words}, on {day(position.AsOf)}: {position.ScorePercentile} of 100 have a lower "
        "score, those with the same one counted half."
    )
    rows = tuple(
        (each.Words, decimal(each.Value), str(each.Percentile), f"{each.Companies:,}") for each in position.Ratios
    )
    table = Table("Ratios in the section", ("Ratio", "Value", "Percentile", "Companies"), "lrrr", rows)
    return Section("position", "Position within the sector", (told, Beside((chart,), (table,)) if rows else chart))


def _change(change: ScoreChange) -> Iterator[Block]:
    yield Words(f"From {change.Before} on {day(change.Since)} to {change.After}.")
    rows = tuple(_moved(each) for each in change.Lines)
    if rows:
        total = ("Score", str(change.Before), str(change.After), signed(change.After - change.Before), "")
        heads = ("Line", "Before", "Now", "Moved", "Why")
        yield Table("Points that moved", heads, "lrrrl", (*rows, total), strong=(len(rows),))
    if change.Remark:
        yield Words(change.Remark)


def _moved(line: PointsMoved) -> tuple[str, ...]:
    before, after = (NONE if points is None else signed(points) for points in (line.Before, line.After))
    return line.Words, before, after, signed((line.After or 0) - (line.Before or 0)), line.Why
