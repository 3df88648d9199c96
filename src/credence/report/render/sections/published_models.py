"""The published models; they are not part of the score (credit §6)."""

from collections.abc import Iterator

from credence.blocks.text import decimal, per_cent
from credence.blocks.values import Block, Note, Section, Table
from credence.report.render.charts.zones import zones_chart
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
