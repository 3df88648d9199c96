"""Why the score is what it is: every point, the reasons in words, and what is not known (credit §7.3, §10)."""

from collections.abc import Iterator

from credence.report.render.charts.waterfall import waterfall
from credence.report.render.page.blocks import Beside, Block, Items, Section, Table, Words
from credence.report.render.page.text import count, decimal, signed
from credence.report.schema.score import Scored, ScoreLine

_UNITS = {"days": "days", "months": "months", "count": ""}
_MADE = (
    "Fitted points come from public data on company failures. Expert-set points follow the direction that published "
    "studies found; their size is our choice."
)


def reasons_section(score: Scored) -> Section:
    """Return the section."""
    base, steps = score.Lines[0], score.Lines[1:]
    chart = waterfall(
        (base.Words, base.Points, base.Origin),
        [(each.Words, each.Points, _origin(each)) for each in steps],
        score.Score,
    )
    return Section("reasons", "Why this score", (Beside((chart, Words(_MADE)), tuple(_reasons(score))),))


def _reasons(score: Scored) -> Iterator[Block]:
    lines = {each.Code: each for each in score.Lines}
    if score.Reasons:
        yield Words("What moved the score, the weightiest first:")
        yield Items(tuple((each.Sentence, _value(lines.get(each.Code)), signed(each.Points)) for each in score.Reasons))
    else:
        yield Words("Nothing moved the score away from the base of the sector.")
    for note in score.Notes:
        yield Words(note.Sentence)
    if score.Unknown:
        yield Words(
            f"{count(len(score.Unknown), 'factor').capitalize()} gave no points, because the value is not known. Unknown "
            "is never counted as bad or as good; this is how far each could move the score:"
        )
        rows = tuple((each.Words, signed(each.Worst), signed(each.Best)) for each in score.Unknown)
        yield Table("What is not known, and what it could change", ("Factor", "At worst", "At best"), "lrr", rows)


def _origin(line: ScoreLine) -> str:
    return line.Origin or {"legal": "rule", "scale": "scale"}.get(line.Layer, "")


def _value(line: ScoreLine | None) -> str:
    """Return what was scored, with its unit: `Current ratio: 1.25`."""
    if line is None or line.Value is None:
        return ""
    if line.Unit in _UNITS:
        return f"{line.Words}: {decimal(line.Value, 0)} {_UNITS[line.Unit]}".rstrip()
    return f"{line.Words}: {decimal(line.Value)}"
