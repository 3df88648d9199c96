"""`Assessment.Disagreement`: published models that indicate distress although the score indicates low risk, and why."""

from credence.report.schema import headline as wire
from credence.report.schema.published_models import PublishedModel
from credence.scoring.reservations.of_others import DISTRESS
from credence.scoring.score import LOW_RISK, ScoringResult

_SCOPE = (
    "The models compare with the firms and the years of their samples; the score also weighs the sector's rate of failure, "
    "age, filings and charges, and speaks of one year."
)


def disagreement(models: tuple[PublishedModel, ...], result: ScoringResult) -> wire.DisagreementOfModels | None:
    """Return the member; None if the score does not indicate low risk, or no model indicates distress."""
    score = result.score
    found = tuple(each for each in models if each.Zone in DISTRESS)
    if score is None or score.band.band > LOW_RISK or not found:
        return None
    zones = ", ".join(f"{each.Name}: {each.Zone}" for each in found)
    computed = sum(each.Zone is not None for each in models)
    indicate = "indicates" if len(found) == 1 else "indicate"
    who = f"{len(found)} of {computed} published models with a zone {indicate} distress"
    return wire.DisagreementOfModels(
        Models=tuple(each.Name for each in found),
        Sentence=(f"The score says {score.band.words.lower()} (band {score.band.band}); {who} ({zones})."),
        Why=(
            *(f"{each.Name} is meant for: {each.MeantFor}." for each in found),
            _SCOPE,
        ),
    )
