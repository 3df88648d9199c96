"""Charts of measures as SVG: calibration by decile, areas under the curve with intervals."""

from collections.abc import Callable, Sequence
from html import escape

from credence.backtest.calibration import Part

Scale = Callable[[float], float]
"""A rate -> its coordinate along one axis."""

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 32, 44

_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1c2733}.axis{stroke:#8a97a6}.grid{stroke:#e3e8ee}"
    ".ours{fill:#0b6e5f;stroke:#0b6e5f}.theirs{fill:#b9c4d0}.ideal{stroke:#8a97a6;stroke-dasharray:4 4;fill:none}"
    "svg{background:#fff}"
)


def calibration_chart(deciles: Sequence[Part], title: str) -> str:
    """Return expected against observed failure rates by decile, with 95 % intervals; the diagonal is a perfect fit."""
    most = max(max(each.high, each.expected) for each in deciles)
    top = _ceiling(most)

    def x(rate: float) -> float:
        return LEFT + rate / top * (WIDTH - LEFT - RIGHT)

    def y(rate: float) -> float:
        return HEIGHT - BOTTOM - rate / top * (HEIGHT - TOP - BOTTOM)

    parts = [_axes(top, x, y, "Expected failures, per cent", "Observed, per cent")]
    parts.append(f'<path class="ideal" d="M{x(0):.1f} {y(0):.1f}L{x(top):.1f} {y(top):.1f}"/>')
    for each in deciles:
        at = x(each.expected)
        parts.append(f'<path class="ours" d="M{at:.1f} {y(each.low):.1f}V{y(each.high):.1f}"/>')
        parts.append(f'<circle class="ours" cx="{at:.1f}" cy="{y(each.observed):.1f}" r="4"/>')
    return drawing(title, parts)


def _axes(top: float, x: Scale, y: Scale, across: str, up: str) -> str:
    lines = []
    for step in range(5):
        rate = top * step / 4
        lines.append(f'<path class="grid" d="M{LEFT} {y(rate):.1f}H{WIDTH - RIGHT}"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y(rate) + 4:.1f}" text-anchor="end">{rate * 100:g}</text>')
        lines.append(f'<text x="{x(rate):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{rate * 100:g}</text>')
    lines.append(f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none"/>')
    lines.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>')
    lines.append(f'<text x="8" y="{TOP - 10}">{up}</text>')
    return "".join(lines)


def intervals_chart(rows: Sequence[tuple[str, float, float | None, float | None]], title: str) -> str:
    """Return a line for each row: name, AUC and, if it has one, its interval. The dashed line is chance."""
    lowest, highest = min([0.4, *(low for _, _, low, _ in rows if low is not None), *(row[1] for row in rows)]), 1.0
    room, top = 22, 8

    def x(area: float) -> float:
        return 300 + (area - lowest) / (highest - lowest) * (WIDTH - 300 - RIGHT - 40)

    bottom = top + room * len(rows)
    parts = [f'<path class="ideal" d="M{x(0.5):.1f} {top}V{bottom}"/>']
    for i, (name, area, low, high) in enumerate(rows):
        y = top + room * (i + 0.5)
        parts.append(f'<text x="290" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>')
        if low is not None and high is not None:
            parts.append(f'<path class="ours" d="M{x(low):.1f} {y:.1f}H{x(high):.1f}"/>')
        parts.append(f'<circle class="ours" cx="{x(area):.1f}" cy="{y:.1f}" r="4"/>')
        parts.append(f'<text x="{WIDTH - RIGHT:.1f}" y="{y + 4:.1f}" text-anchor="end">{area:.3f}</text>')
    parts.append(f'<text x="{x(0.5):.1f}" y="{bottom + 16}" text-anchor="middle">0.5, chance</text>')
    return drawing(title, parts, bottom + 24)


_STEP = 0.04
"""The end of an axis is a multiple of this, or of a tenth or hundredth of it for small rates."""


def _ceiling(rate: float) -> float:
    step = _STEP
    while 0 < rate < step / 4:
        step /= 10
    return -(-rate // step) * step or step


def drawing(title: str, parts: Sequence[str], height: int = HEIGHT) -> str:
    """Return an SVG with this title and these elements."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<style>{_STYLE}</style><title>{escape(title)}</title>{''.join(parts)}</svg>\n"
    )
