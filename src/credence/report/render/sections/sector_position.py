"""The percentiles of the score and its ratios within the company's sector (credit §9)."""

from credence.blocks.text import count, day, decimal
from credence.blocks.values import Beside, Note, Section, Table
from credence.report.render.charts.percentiles import percentiles
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
