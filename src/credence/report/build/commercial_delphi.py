"""`CommercialDelphi`: the score as clients of the wire read it, all of it text (report schema §3 and §9)."""

from credence.report.schema.commercial_delphi import LtdCommercialDelphi
from credence.scoring.scale import odds_of
from credence.scoring.score import Score

PRINCIPAL = 4
"""Reasons that are told here; more than about four inform nobody (credit §10). All stand under `Assessment`."""


def commercial_delphi(score: Score) -> LtdCommercialDelphi:
    """Return the member."""
    limit = None if score.limit.amount is None else str(score.limit.amount)
    overridden = "Y" if score.overridden else "N"
    return LtdCommercialDelphi(
        CommDelphiScore=str(score.score),
        CommDelphiBand=score.band.band,
        CommDelphiBandText=score.band.words,
        ConclusionText=_conclusion(score),
        CreditLimit=limit,
        CreditRating=limit,
        StabilityOdds=None if score.failed else f"{round(odds_of(score.score))}:1",
        OverrideIndicator=overridden,
        CreditLimitOverrideIndicator=overridden,
        CreditRatingOverrideIndicator=overridden,
        CreditTextOverrideIndicator=overridden,
        **{f"CreditTextLine{n}": each.sentence for n, each in enumerate(score.reasons[:PRINCIPAL], 1)},
    )


def _conclusion(score: Score) -> str:
    if score.failed:
        said = f"The company has failed, which sets the score to {score.score}."
    else:
        sure = score.low == score.high
        span = "" if sure else f", {score.low} to {score.high} allowing for what is not known"
        said = (
            f"{score.band.words}: score {score.score} of 100{span}; "
            f"probability of failure within a year {score.probability:.2%}."
        )
    return f"{said} Suggested terms: {score.band.terms.lower()}. Decision support, not a decision."
