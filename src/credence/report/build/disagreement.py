"""`Assessment.Disagreement`: published models that say distress while the score says low risk, and why they may differ."""

from credence.report.schema import headline as wire
from credence.report.schema.published_models import PublishedModel
from credence.scoring.score import ScoringResult

DISTRESS = frozenset({"distress", "at risk"})
"""Zones in which a published model says that a company is in danger."""

LOW_RISK = frozenset({"A", "B"})
"""Bands of the score that say low risk."""

_SCOPE = (
    "The models compare with the firms and the years of their samples; the score also weighs the sector's rate of failure, "
    "age, filings and charges, and speaks of one year."
)


def disagreement(models: tuple[PublishedModel, ...], result: ScoringResult) -> wire.DisagreementOfModels | None:
    """Return the member; None without a score of low risk, and if no model says distress."""
    score = result.score
    found = tuple(each for each in models if each.Zone in DISTRESS)
    if score is None or score.band.band not in LOW_RISK or not found:
        return None
    zones = ", ".join(f"{each.Name}: {each.Zone}" for each in found)
    computed = sum(each.Zone is not None for each in models)
    who = f"{len(found)} of {computed} published models with a zone {'says' if len(found) == 1 else 'say'} distress"
    return wire.DisagreementOfModels(
        Models=tuple(each.Name for each in found),
        Sentence=(f"The score says {score.band.words.lower()} (band {score.band.band}); {who} ({zones})."),
        Why=(
            *(f"{each.Name} is meant for: {each.MeantFor}." for each in found),
            _SCOPE,
        ),
    )
