"""The published models, with the value of each on the scale of its zones; they are not part of the score (credit §6)."""

from collections.abc import Iterator, Sequence

from credence.blocks.text import decimal, per_cent
from credence.blocks.values import Block, Chart, Note, Section, Table
from credence.report.render.charts.drawing import WIDTH, bar, drawing, label, line
from credence.report.schema.headline import DisagreementOfModels
from credence.report.schema.published_models import PublishedModel
from credence.scoring.published.models import ALTMAN_Z_DOUBLE_PRIME, Z_DOUBLE_PRIME_DISTRESS, Z_DOUBLE_PRIME_SAFE

_ZONES = (("Distress", Z_DOUBLE_PRIME_DISTRESS), ("Grey", Z_DOUBLE_PRIME_SAFE), ("Safe", None))


def models_sections(
    models: tuple[PublishedModel, ...], differ: DisagreementOfModels | None = None
) -> Iterator[Section]:
    """Yield the section of the published models, if the report has any; `differ` is their disagreement with the score."""
    if models:
        yield Section("models", "Published models", tuple(_blocks(models, differ)))


def _blocks(models: tuple[PublishedModel, ...], differ: DisagreementOfModels | None) -> Iterator[Block]:
    yield Note("Models from the literature, each as its authors published it. They are no part of the score.")
    if differ is not None:
        yield Note(differ.Sentence, head="The models and the score disagree.")
        yield Note(f"Why they may differ: {' '.join(differ.Why)}")
    for each in models:
        if each.Name == ALTMAN_Z_DOUBLE_PRIME.name and each.Value is not None:
            yield zones_chart(each.Name, each.Value, _ZONES)
    rows = tuple((each.Name, decimal(each.Value), _finding(each), each.Zones) for each in models)
    yield Table("What each model says", ("Model", "Value", "Says", "Zones"), rows, numbers=(1,))


def formulas_section(models: tuple[PublishedModel, ...]) -> Iterator[Section]:
    """Yield the formulas and sources of the models, for the annex."""
    if models:
        table = Table("Where the models come from", ("Model", "Formula", "Source"), tuple(map(_source, models)))
        yield Section("formulas", "Annex: formulas of the published models", (table,))


def _finding(model: PublishedModel) -> str:
    if model.Value is None:
        return f"Not computable. {model.NotComputable}"
    finding = (model.Zone or "no zone").capitalize()
    return finding if model.Probability is None else f"{finding}; probability {per_cent(model.Probability)}"


def _source(model: PublishedModel) -> tuple[str, str, str]:
    return model.Name, model.Formula, model.Source


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
