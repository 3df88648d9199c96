"""`Assessment.PublishedModels`, each with its inputs or the missing ones, and `Disagreement`: models that indicate distress
although the score indicates low risk, and why.
"""

from credence.report.schema import published_models as wire
from credence.report.schema.headline import DisagreementOfModels
from credence.scoring.published.model import ModelOutcome
from credence.scoring.reservations.of_others import DISTRESS
from credence.scoring.score import LOW_RISK, ScoringResult

_DECIMALS = 4

_SCOPE = (
    "The models compare with the firms and the years of their samples; the score also weighs the sector's rate of failure, "
    "age, filings and charges, and speaks of one year."
)


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


def disagreement(models: tuple[wire.PublishedModel, ...], result: ScoringResult) -> DisagreementOfModels | None:
    """Return the member; None if the score does not indicate low risk, or no model indicates distress."""
    score = result.score
    found = tuple(each for each in models if each.Zone in DISTRESS)
    if score is None or score.band.band > LOW_RISK or not found:
        return None
    zones = ", ".join(f"{each.Name}: {each.Zone}" for each in found)
    computed = sum(each.Zone is not None for each in models)
    indicate = "indicates" if len(found) == 1 else "indicate"
    who = f"{len(found)} of {computed} published models with a zone {indicate} distress"
    return DisagreementOfModels(
        Models=tuple(each.Name for each in found),
        Sentence=(f"The score says {score.band.words.lower()} (band {score.band.band}); {who} ({zones})."),
        Why=(
            *(f"{each.Name} is meant for: {each.MeantFor}." for each in found),
            _SCOPE,
        ),
    )
