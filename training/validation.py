"""Validates the score on data with known outcomes: out of fold, compared with boosted trees on the same inputs (credit §8).

Every row of the table uses the same folds. Probabilities come from the whole points that a score adds up, not from the
unrounded fit. The artefact test measures what the score ignores on purpose: in this data the pattern of missing ratios
predicts failure equally well at one year and at five, which no cause of failure does.
"""

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold

from credence.scoring.scale import POINTS_PER_LOGIT
from training.fit import fit
from training.measures import Measures, auc, measure
from training.polish import ARCHIVE, BALANCE_SHEET, MICRO_ENTITY, RATIO_COUNT, Sample, read
from training.tables import DESIGNS

HORIZONS_YEARS = (1, 5)
"""The horizons that the public data covers."""

FOLDS = 5
SEEDS = (0, 1, 2)
"""The split is repeated three times and the figures are means: one split alone moves an AUC by 0.005."""

RISKIER = frozenset({2, 51, 59})
"""Columns where a higher value is riskier: liabilities, short-term and long-term, to assets or equity."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Learn = Callable[[Floats, Flags], Callable[[Floats], Floats]]
"""Values and outcomes of the fitting data -> a function from values to probabilities."""


class Row(msgspec.Struct, frozen=True):
    """One set of ratios: the measures of its points, and the AUC of boosted trees on the same inputs and folds."""

    name: str
    columns: tuple[int, ...]
    points: Measures
    boosted_auc: float
    missing: float
    """Share of missing values in the column with the most missing values."""


class Artefact(msgspec.Struct, frozen=True):
    """Areas under the curve that show how much of the published 0.95 comes from the pattern of missing values."""

    flags_alone: float
    all_ratios: float
    without_flags: float
    """All ratios, missing values replaced by the median."""
    without_x27: float
    """The same without X27, which is undefined for a company without finance cost."""


class Formula(msgspec.Struct, frozen=True):
    """A published formula with its published coefficients."""

    name: str
    auc: float


class Validation(msgspec.Struct, frozen=True):
    """All measures on one file of the data. The failures are those within `horizon_years`."""

    horizon_years: int
    companies: int
    failures: int
    rows: tuple[Row, ...]
    artefact: Artefact
    formulas: tuple[Formula, ...]


def validate(horizon_years: int) -> Validation:
    """Return all measures at a horizon of 1 or 5 years. Takes about a minute."""
    sample = read(ARCHIVE, horizon_years)
    return Validation(
        horizon_years=horizon_years,
        companies=len(sample.failed),
        failures=int(sample.failed.sum()),
        rows=tuple(compare(name, columns, sample) for name, columns in _sets()),
        artefact=_artefact(sample),
        formulas=tuple(_formulas(sample)),
    )


def _sets() -> Iterator[tuple[str, tuple[int, ...]]]:
    for design in DESIGNS:
        yield f"The score's {design.name} table", design.columns
    yield "Five ratios of a micro-entity, with size", MICRO_ENTITY
    yield "Sixteen ratios of a balance sheet", BALANCE_SHEET


def compare(name: str, columns: tuple[int, ...], sample: Sample) -> Row:
    """Measure points on these columns, and boosted trees on the same inputs in the same folds."""
    values = sample.columns(columns)
    directions = [1 if column in RISKIER else -1 for column in columns]
    measured = [
        measure(_out_of_fold(values, sample.failed, _points(directions), seed), sample.failed) for seed in SEEDS
    ]
    boosted = [auc(_out_of_fold(values, sample.failed, _boosting, seed), sample.failed) for seed in SEEDS]
    return Row(
        name=name,
        columns=columns,
        points=_mean(measured),
        boosted_auc=float(np.mean(boosted)),
        missing=float(np.isnan(values).mean(axis=0).max()),
    )


def _mean(measured: list[Measures]) -> Measures:
    """Return the means over the splits; the deciles are those of the first split."""
    names = ("auc", "gini", "ks", "brier", "calibration_error")
    means = {name: float(np.mean([getattr(each, name) for each in measured])) for name in names}
    return msgspec.structs.replace(measured[0], **means)


def _out_of_fold(values: Floats, failed: Flags, learn: Learn, seed: int) -> Floats:
    probabilities = np.zeros(len(failed))
    for fitting, evaluation in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(values, failed):
        probabilities[evaluation] = learn(values[fitting], failed[fitting])(values[evaluation])
    return probabilities


def _points(directions: list[int]) -> Learn:
    def learn(values: Floats, failed: Flags) -> Callable[[Floats], Floats]:
        fitted = fit(values, failed, directions)
        neutral = np.log(fitted.rate / (1 - fitted.rate))
        return lambda unseen: 1 / (1 + np.exp(fitted.total_points(unseen) / POINTS_PER_LOGIT - neutral))

    return learn


def _boosting(values: Floats, failed: Flags) -> Callable[[Floats], Floats]:
    """Fit boosted trees with medians in place of missing values, so that the pattern of missing values has no effect."""
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
    """Yield the AUC of Altman's and Zmijewski's formulas on the columns with their inputs (credit §6)."""
    x = dict(zip(range(1, RATIO_COUNT + 1), sample.ratios.T, strict=True))
    formulas = {
        "Altman Z''": 6.56 * x[3] + 3.26 * x[6] + 6.72 * x[7] + 1.05 * x[8],
        "Altman Z'": 0.717 * x[3] + 0.847 * x[6] + 3.107 * x[7] + 0.420 * x[8] + 0.998 * x[9],
        "Zmijewski": 4.336 + 4.513 * x[1] - 5.679 * x[2] - 0.004 * x[4],
    }
    for name, safety in formulas.items():
        known = ~np.isnan(safety)
        yield Formula(name, auc(-safety[known], sample.failed[known]))
