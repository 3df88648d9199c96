"""Judges the score where its outcome is known: out of fold, beside a boosted model on the same inputs (credit §8).

Every row of the table is made in the same folds. Probabilities come from the whole points that a score adds up, not from
the unrounded fit. The artefact test shows what is left out on purpose: which ratios are missing predicts failure in this
data, at five years as well as at one, which no cause of failure does.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold

from credence.scoring.scale import POINTS_PER_LOGIT
from training.fit import fit
from training.measures import Measures, auc, measure
from training.polish import BALANCE_SHEET, MICRO_ENTITY, RATIO_COUNT, Sample, read
from training.tables import DESIGNS

ARCHIVE = Path(__file__).parent / "data" / "polish-companies-bankruptcy-1year-5year.zip"
FOLDS = 5
SEEDS = (0, 1, 2)
"""The folds are cut three times, and figures are means: one cut alone moves an AUC by half a hundredth."""

RISKIER = frozenset({2, 51, 59})
"""Columns of which a higher value is riskier: liabilities, short-term and long-term, to assets or equity."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Learn = Callable[[Floats, Flags], Callable[[Floats], Floats]]
"""Values and outcomes to learn from -> values -> probabilities."""


class Row(msgspec.Struct, frozen=True):
    """One set of ratios: the points, and a boosted model on the same inputs in the same folds."""

    name: str
    columns: tuple[int, ...]
    points: Measures
    boosted_auc: float
    missing: float
    """Share of missing values in the column that misses most."""


class Artefact(msgspec.Struct, frozen=True):
    """Areas under the curve that show how much of the published 0.95 is which values are missing."""

    flags_alone: float
    all_ratios: float
    without_flags: float
    """All ratios, missing values replaced by the median."""
    without_x27: float
    """And without X27, which is undefined where a company has no finance cost."""


class Formula(msgspec.Struct, frozen=True):
    """A published formula as it stands, without any fitting."""

    name: str
    auc: float


class Validation(msgspec.Struct, frozen=True):
    """All that was measured on one file."""

    horizon: int
    """Years ahead within which the failures lie."""
    companies: int
    failures: int
    rows: tuple[Row, ...]
    artefact: Artefact
    formulas: tuple[Formula, ...]


def validate(horizon: int, archive: Path = ARCHIVE) -> Validation:
    """Measure everything on the file of this horizon, 1 or 5 years; takes about a minute."""
    sample = read(archive, horizon)
    return Validation(
        horizon=horizon,
        companies=len(sample.failed),
        failures=int(sample.failed.sum()),
        rows=tuple(judge(name, columns, sample) for name, columns in _sets()),
        artefact=_artefact(sample),
        formulas=tuple(_formulas(sample)),
    )


def _sets() -> Iterator[tuple[str, tuple[int, ...]]]:
    for design in DESIGNS:
        yield f"The score's {design.name} table", design.columns
    yield "Five ratios of a micro-entity, with size", MICRO_ENTITY
    yield "Sixteen ratios of a balance sheet", BALANCE_SHEET


def judge(name: str, columns: tuple[int, ...], sample: Sample) -> Row:
    """Measure points on these columns, and a boosted model on the same inputs in the same folds."""
    values = sample.columns(columns)
    directions = [1 if column in RISKIER else -1 for column in columns]
    judged = [measure(_out_of_fold(values, sample.failed, _points(directions), seed), sample.failed) for seed in SEEDS]
    boosted = [auc(_out_of_fold(values, sample.failed, _boosting, seed), sample.failed) for seed in SEEDS]
    return Row(
        name=name,
        columns=columns,
        points=_mean(judged),
        boosted_auc=float(np.mean(boosted)),
        missing=float(np.isnan(values).mean(axis=0).max()),
    )


def _mean(judged: list[Measures]) -> Measures:
    """Return the mean of the figures over the cuts; the deciles are those of the first."""
    names = ("auc", "gini", "ks", "brier", "calibration_error")
    means = {name: float(np.mean([getattr(each, name) for each in judged])) for name in names}
    return msgspec.structs.replace(judged[0], **means)


def _out_of_fold(values: Floats, failed: Flags, learn: Learn, seed: int) -> Floats:
    probabilities = np.zeros(len(failed))
    for fitting, judging in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(values, failed):
        probabilities[judging] = learn(values[fitting], failed[fitting])(values[judging])
    return probabilities


def _points(directions: list[int]) -> Learn:
    def learn(values: Floats, failed: Flags) -> Callable[[Floats], Floats]:
        fitted = fit(values, failed, directions)
        neutral = np.log(fitted.rate / (1 - fitted.rate))
        return lambda unseen: 1 / (1 + np.exp(fitted.total_points(unseen) / POINTS_PER_LOGIT - neutral))

    return learn


def _boosting(values: Floats, failed: Flags) -> Callable[[Floats], Floats]:
    """Learn by boosted trees on medians in place of missing values, so that missingness is not learned from."""
    medians = np.nanmedian(values, axis=0)
    model = HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.05, max_leaf_nodes=15, min_samples_leaf=30, l2_regularization=1.0, random_state=0
    ).fit(_filled(values, medians), failed)
    return lambda unseen: np.asarray(model.predict_proba(_filled(unseen, medians))[:, 1])


def _boosting_as_is(values: Floats, failed: Flags) -> Callable[[Floats], Floats]:
    model = HistGradientBoostingClassifier(max_iter=300, learning_rate=0.05, random_state=0).fit(values, failed)
    return lambda unseen: np.asarray(model.predict_proba(unseen)[:, 1])


def _filled(values: Floats, medians: Floats) -> Floats:
    return np.where(np.isnan(values), medians, values)


def _artefact(sample: Sample) -> Artefact:
    flags = np.isnan(sample.ratios).astype(np.float64)
    without = np.delete(sample.ratios, 26, axis=1)

    def area(values: Floats, learn: Learn) -> float:
        return float(np.mean([auc(_out_of_fold(values, sample.failed, learn, seed), sample.failed) for seed in SEEDS]))

    return Artefact(
        flags_alone=area(flags, _boosting_as_is),
        all_ratios=area(sample.ratios, _boosting_as_is),
        without_flags=area(sample.ratios, _boosting),
        without_x27=area(without, _boosting),
    )


def _formulas(sample: Sample) -> Iterator[Formula]:
    """Yield Altman's and Zmijewski's formulas on the columns that hold their inputs (credit §6)."""
    x = dict(zip(range(1, RATIO_COUNT + 1), sample.ratios.T, strict=True))
    formulas = {
        "Altman Z''": 6.56 * x[3] + 3.26 * x[6] + 6.72 * x[7] + 1.05 * x[8],
        "Altman Z'": 0.717 * x[3] + 0.847 * x[6] + 3.107 * x[7] + 0.420 * x[8] + 0.998 * x[9],
        "Zmijewski": 4.336 + 4.513 * x[1] - 5.679 * x[2] - 0.004 * x[4],
    }
    for name, safety in formulas.items():
        known = ~np.isnan(safety)
        yield Formula(name, auc(-safety[known], sample.failed[known]))
