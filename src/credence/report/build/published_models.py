"""`Assessment.PublishedModels`: published failure models, each with its inputs or the missing ones."""

from credence.companies.facts.company import Company
from credence.report.schema import published_models as wire
from credence.scoring.published.model import ModelOutcome
from credence.scoring.published.models import evaluate_all

_DECIMALS = 4


def published_models(company: Company) -> tuple[wire.PublishedModel, ...]:
    """Return the member; empty without accounts."""
    return tuple(_model(outcome) for outcome in evaluate_all(company))


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
