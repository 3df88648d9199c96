"""Chart of a published model's value on the scale of its zones."""

from collections.abc import Iterator, Sequence

from credence.blocks.text import decimal
from credence.blocks.values import Chart, Table
from credence.report.render.charts.drawing import WIDTH, bar, drawing, label, line

Zone = tuple[str, float | None]
"""Name of a zone, and its upper end; None for the last."""


def zones_chart(model: str, value: float, zones: Sequence[Zone]) -> Chart:
    """Return the chart, worst zone first. A value beyond the scale is drawn at its end."""
    name = next(words for words, end in zones if end is None or value < end)
    alt = f"{model} is {decimal(value)}, in the zone: {name}."
    rows = (
        ("Value", decimal(value)),
        *((f"Zone: {words}", f"below {decimal(end)}" if end is not None else "above") for words, end in zones),
    )
    svg = drawing(84, alt, _parts(value, zones, name))
    return Chart(
        f"{model} on its zones", alt, svg, Table(f"{model}, value and zones", ("", "Value"), rows, numbers=(1,))
    )


def _parts(value: float, zones: Sequence[Zone], own: str) -> Iterator[str]:
    inner = [end for _, end in zones if end is not None]
    spread = max(inner[-1] - inner[0], 1.0)
    lowest, highest = inner[0] - 1.5 * spread, inner[-1] + 1.5 * spread

    def at(each: float) -> float:
        return (min(max(each, lowest), highest) - lowest) / (highest - lowest) * WIDTH

    begin = lowest
    for words, end in zones:
        finish = highest if end is None else end
        yield bar(at(begin) + 1, 34, at(finish) - at(begin) - 2, 14, "band own" if words == own else "band")
        yield label((at(begin) + at(finish)) / 2, 66, words, "strong" if words == own else "soft", "middle")
        if end is not None:
            yield label(at(end), 81, decimal(end), "tiny", "middle")
        begin = finish
    x = min(max(at(value), 7), WIDTH - 7)
    yield f'<path class="needle" d="M{x - 6:.2f} 22h12L{x:.2f} 50z"/>'
    yield label(min(max(x, 24), WIDTH - 24), 15, decimal(value), "figure", "middle")
    yield line(x, 34, x, 48, "none")
