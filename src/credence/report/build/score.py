"""`Assessment.Score` and `Assessment.NotScored`: every point of the score, or the reason for none (credit §7, §10)."""

from functools import lru_cache

from credence.report.schema import score as wire
from credence.scoring.basis.ratios import WHY_NOT
from credence.scoring.eligibility import Unscored
from credence.scoring.limit import Limit
from credence.scoring.model import Model
from credence.scoring.score import ScoringResult
from credence.scoring.sentences import Line

MODEL_CARD = "/docs/model-card"
"""Path of the model card at the service."""

HUMAN_REVIEW = (
    "Decision support, not a decision. Before anything is decided against the company on this score, a person who can "
    "come to another result must look at the case (UK GDPR, articles 22A to 22D)."
)
CONTEST = (
    "The company may see this report, make its case, contest the score and have its figures corrected: whoever uses the "
    "score passes that on to the operator of this service, who records a dispute, which every report then carries until "
    "it is closed."
)

INTERVAL = (
    "From every unknown factor at its worst to every one at its best, wider for old accounts; it does not contain the "
    "model's own error."
)
"""An explanation of the interval of a score."""

_DECIMALS = 6
"""Decimals of values and probabilities in the report. The points are computed from the exact values."""


def scored(result: ScoringResult, *, whole: bool = True) -> wire.Scored | None:
    """Return `Assessment.Score`; None without a score. Unless it is `whole`, it has no lines, reasons and inputs."""
    score = result.score
    if score is None:
        return None
    lines = tuple([_line(each) for each in score.lines]) if whole else ()
    said = {each.Code: each.Sentence for each in lines}
    return wire.Scored(
        Score=score.score,
        Lowest=score.low,
        Highest=score.high,
        Band=score.band.band,
        BandText=score.band.words,
        Failed=score.failed,
        Day=score.day,
        Lines=lines,
        Limit=_limit(score.limit, score.payment_terms),
        Model=_model(result.model),
        HumanReview=HUMAN_REVIEW,
        Contest=CONTEST,
        ProbabilityInWords=None
        if score.probability is None
        else in_words(score.probability, result.model.sectors.national / 10_000),
        IntervalInWords=None if score.failed else INTERVAL,
        ProbabilityOfFailure=None if score.probability is None else round(score.probability, _DECIMALS),
        Reasons=tuple([wire.ScoreReason(each.code, said[each.code], each.points) for each in score.reasons])
        if whole
        else (),
        Unknown=tuple([wire.UnknownFactor(each.code, each.words, each.worst, each.best) for each in score.unknown])
        if whole
        else (),
        Inputs=tuple([wire.ScoreInput(each.words, each.day) for each in score.inputs]) if whole else (),
        Notes=tuple([wire.ScoreNote(code, WHY_NOT[code]) for code in score.notes]),
    )


def not_scored(result: ScoringResult) -> wire.NotScored | None:
    """Return `Assessment.NotScored`; None with a score."""
    reason = result.outcome
    if not isinstance(reason, Unscored):
        return None
    return wire.NotScored(reason.code, reason.sentence, result.day, _model(result.model), reason.to_load or None)


def _line(line: Line) -> wire.ScoreLine:
    return wire.ScoreLine(
        Layer=line.layer,
        Code=line.code,
        Words=line.words,
        Points=line.points,
        Sentence=line.sentence,
        Value=None if line.value is None else round(line.value, _DECIMALS),
        Unit=line.unit,
        Origin=line.origin,
        AsOf=line.day,
        Inputs=tuple([wire.LineInput(each.code, each.words, round(each.value, _DECIMALS)) for each in line.inputs])
        if line.inputs
        else (),
    )


def _limit(limit: Limit, terms: str) -> wire.SuggestedLimit:
    return wire.SuggestedLimit(
        Reason=limit.reason,
        SuggestedTerms=terms,
        Amount=limit.amount,
        Terms=tuple([wire.LimitTerm(each.words, each.amount) for each in limit.terms]),
    )


def _model(model: Model) -> wire.ScoringModel:
    return wire.ScoringModel(model.name, model.version, model.hash, MODEL_CARD)


_PARTS = (
    (1 / 10, "a tenth"),
    (1 / 8, "an eighth"),
    (1 / 5, "a fifth"),
    (1 / 4, "a quarter"),
    (1 / 3, "a third"),
    (1 / 2, "half"),
    (2 / 3, "two thirds"),
    (3 / 4, "three quarters"),
)
"""Share of the national rate, and its words."""

_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}


@lru_cache(maxsize=256)
def in_words(probability: float, national: float) -> str:
    """Return a probability between 0 and 1 as failures among 1,000 companies, compared with the national rate of failure.

    The result is cached, because there are only about a hundred scores.
    """
    number = round(probability * 1000)
    many = str(number) if number else "fewer than 1"
    fail = f"{many} of 1,000 such companies {'fails' if number <= 1 else 'fail'}"
    one_in = f"1 in {_two_figures(1 / probability):,}"
    compared = f"{_compared(probability / national)} the national rate"
    return f"{fail} within a year ({one_in}), {compared}"


def _compared(ratio: float) -> str:
    if ratio < _PARTS[0][0] * 0.9:
        return f"1/{_two_figures(1 / ratio):,} of"
    if ratio < 0.85:
        words = min(_PARTS, key=lambda part: abs(part[0] - ratio))[1]
        return words if words == "half" else f"{words} of"
    if ratio <= 1.15:
        return "about"
    whole = round(ratio)
    if whole in _TIMES and abs(ratio - whole) <= 0.15 * whole:
        return _TIMES[whole]
    return f"{ratio:.1f} times" if ratio < 10 else f"{_two_figures(ratio):,} times"


def _two_figures(value: float) -> int:
    return int(float(f"{value:.2g}"))
