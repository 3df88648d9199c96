"""The section on the points that changed the score since an earlier run (credit §9)."""

from collections.abc import Iterator

from credence.blocks.text import NONE, day, signed
from credence.blocks.values import Block, Note, Section, Table
from credence.report.schema.score_change import PointsMoved, ScoreChange


def change_section(change: ScoreChange) -> Section:
    """Return the changed points, line by line; they add up to the difference between the scores."""
    return Section("change", "What changed", tuple(_change(change)))


def _change(change: ScoreChange) -> Iterator[Block]:
    yield Note(f"From {change.Before} on {day(change.Since)} to {change.After}.")
    rows = tuple(_moved(each) for each in change.Lines)
    if rows:
        total = ("Score", str(change.Before), str(change.After), signed(change.After - change.Before), "")
        heads = ("Line", "Before", "Now", "Moved", "Why")
        yield Table("Points that moved", heads, (*rows, total), numbers=(1, 2, 3), sums=(len(rows),))
    if change.Remark:
        yield Note(change.Remark)


def _moved(line: PointsMoved) -> tuple[str, ...]:
    before, after = (NONE if points is None else signed(points) for points in (line.Before, line.After))
    return line.Words, before, after, signed((line.After or 0) - (line.Before or 0)), line.Why
