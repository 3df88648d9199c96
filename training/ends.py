"""Whether another map from points to probabilities would be better at both ends of the risk, out of fold.

A score of sums gives one odds ratio to each point. If its safest companies failed less often than it expects and its
riskiest more often, the slope of the outcomes on its log-odds would be above 1, and a steeper line or a map in steps would
have a better log score on companies to which neither was fitted.
"""

import msgspec
import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold

from credence.backtest.calibration import Part
from credence.backtest.discrimination import Z_95, wilson
from training.polish import Flags, Floats, Groups

SAFEST, RISKIEST = 0.4, 0.1
"""The shares of companies at both ends."""

_FOLDS = 10
_FREE = 1e9
"""The inverse of the penalty of a regression without one."""
_LEAST = 5e-4
"""A map in steps never says that a failure is impossible or certain."""


class Ends(msgspec.Struct, frozen=True):
    """The calibration of one table with those before it, at both ends and by other maps."""

    slope: float
    slope_low: float
    slope_high: float
    """The regression of the outcomes on the log-odds of the points, with its 95 % interval; 1 is right."""
    safest: Part
    riskiest: Part
    log_score: float
    """Mean logarithmic loss of the points as they are."""
    with_a_line: float
    """The same with a slope and a level fitted on other companies."""
    with_steps: float
    """The same with an isotonic regression that was fitted on other companies."""


def ends(chances: Floats, failed: Flags, groups: Groups) -> Ends:
    """Measure probabilities that were found out of fold."""
    logits = np.log(chances / (1 - chances))
    slope, error = _slope(logits, failed)
    order = np.argsort(chances, kind="stable")
    count = len(failed)
    return Ends(
        slope,
        slope - Z_95 * error,
        slope + Z_95 * error,
        _part("the safest four tenths", chances, failed, order[: int(SAFEST * count)]),
        _part("the riskiest tenth", chances, failed, order[-int(RISKIEST * count) :]),
        _loss(chances, failed),
        *_refitted(chances, logits, failed, groups),
    )


def _slope(logits: Floats, failed: Flags) -> tuple[float, float]:
    """Return slope and its standard error, from the information matrix of the logistic regression."""
    model = LogisticRegression(C=_FREE).fit(logits[:, None], failed)
    design = np.column_stack([np.ones(len(logits)), logits])
    chances = model.predict_proba(logits[:, None])[:, 1]
    information = design.T @ (design * (chances * (1 - chances))[:, None])
    return float(model.coef_[0, 0]), float(np.sqrt(np.linalg.inv(information)[1, 1]))


def _part(name: str, chances: Floats, failed: Flags, inside: Groups) -> Part:
    count, rate = len(inside), float(failed[inside].mean())
    return Part(name, count, int(failed[inside].sum()), float(chances[inside].mean()), rate, *wilson(rate, count))


def _refitted(chances: Floats, logits: Floats, failed: Flags, groups: Groups) -> tuple[float, float]:
    line, steps = np.zeros(len(failed)), np.zeros(len(failed))
    folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=0)
    for fitting, evaluation in folds.split(logits, failed, groups):
        straight = LogisticRegression(C=_FREE).fit(logits[fitting, None], failed[fitting])
        line[evaluation] = straight.predict_proba(logits[evaluation, None])[:, 1]
        stepped = IsotonicRegression(out_of_bounds="clip", y_min=_LEAST, y_max=1 - _LEAST)
        steps[evaluation] = stepped.fit(chances[fitting], failed[fitting]).predict(chances[evaluation])
    return _loss(line, failed), _loss(steps, failed)


def _loss(chances: Floats, failed: Flags) -> float:
    return float(-np.mean(np.log(np.where(failed, chances, 1 - chances))))
