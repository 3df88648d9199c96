"""`Assessment.PublishedModels`: published failure models, each with its inputs or the missing ones."""

from credence.report.schema import published_models as wire
from credence.scoring.published.model import ModelOutcome
from credence.scoring.score import ScoringResult

_DECIMALS = 4


def published_models(result: ScoringResult) -> tuple[wire.PublishedModel, ...]:
    """Return the member; empty without accounts."""
    return tuple(_model(outcome) for outcome in result.judged.models)


def _model(outcome: ModelOutcome) -> wire.PublishedModel:
    model, verdict = outcome.model, outcome.verdict
    probability = verdict.probability if verdict else None
    return wire.PublishedModel(
        Name=model.name,
        Source=model.source,
        Formula=model.formula,
        MeantFor=model.meant_for,
        Zones=model.zones,
        Inputs=tuple(wire.ModelInput(each.words, each.value, each.method.value) for each in outcome.inputs),
        Value=None if outcome.value is None else round(outcome.value, _DECIMALS),
        Zone=verdict.zone if verdict else None,
        Probability=None if probability is None else round(probability, _DECIMALS),
        NotComputable=outcome.not_computable,
    )
