"""The chart of the card that compares the points with boosted trees, as SVG."""

from collections.abc import Sequence
from html import escape

from credence.backtest.charts import BOTTOM, HEIGHT, RIGHT, TOP, WIDTH, drawing


def areas_chart(rows: Sequence[tuple[str, float, float]], title: str) -> str:
    """Return a pair of bars for each row: name, AUC of the points, AUC of boosted trees on the same inputs."""
    lowest, highest = 0.5, 1.0
    room = (HEIGHT - TOP - BOTTOM) / len(rows)

    def x(area: float) -> float:
        return 250 + (area - lowest) / (highest - lowest) * (WIDTH - 250 - RIGHT - 50)

    parts = []
    for i, (name, ours, theirs) in enumerate(rows):
        at = TOP + 8 + i * room
        parts.append(f'<text x="240" y="{at + room / 2 - 4:.1f}" text-anchor="end">{escape(name)}</text>')
        for kind, area, offset in (("ours", ours, 0.0), ("theirs", theirs, room * 0.36)):
            bar, y = x(area) - x(lowest), at + offset
            parts.append(
                f'<rect class="{kind}" x="{x(lowest):.1f}" y="{y:.1f}" width="{bar:.1f}" height="{room * 0.3:.1f}"/>'
                f'<text x="{x(area) + 6:.1f}" y="{y + room * 0.25:.1f}">{area:.3f}</text>'
            )
    legend = HEIGHT - 14
    parts.append(f'<rect class="ours" x="250" y="{legend - 9}" width="10" height="10"/>')
    parts.append(f'<text x="265" y="{legend}">points</text>')
    parts.append(f'<rect class="theirs" x="330" y="{legend - 9}" width="10" height="10"/>')
    parts.append(f'<text x="345" y="{legend}">boosted trees on the same ratios, same folds</text>')
    return drawing(title, parts)
