"""Validates the score on data with known outcomes: out of fold, compared with boosted trees on the same inputs (credit §8).

Every figure is of whole-point tables as they are shipped, fitted again in each fold with the pairs chosen there. All rows
of a company are in one fold. The artefact test measures what the score ignores on purpose: in this data the pattern of
missing ratios predicts failure equally well at one year and at five, which no cause of failure does.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedGroupKFold

from credence.scoring.basis.scale import HIGHEST, score_of
from credence.scoring.model import current_model
from credence.scoring.points import PointsTable
from training.ceilings import Ceiling, ceilings, levelled
from training.ends import Ends, ends
from training.filings import Filings
from training.fit import fit_tables, total_points
from training.level import level_of, probabilities
from training.measures import Measures, auc, measure
from training.polish import ARCHIVE, BALANCE_SHEET, RATIO_COUNT, Flags, Floats, Sample, read
from training.stability import Abroad, measure_filings
from training.tables import CODES, DESIGNS

FOLDS = 5
SEEDS = (0, 1, 2)
"""The split is repeated three times and the figures are means: one split alone moves an AUC by 0.005."""

COMPARED = SEEDS[:1]
"""Other models, which are not shipped, get the first split only."""

NAMES = ("Short table", "Full table", "With profit")

Learn = Callable[[Floats, Flags], Callable[[Floats], Floats]]
"""Values and outcomes of the fitting data -> a function from values to probabilities."""
Split = tuple[np.ndarray, np.ndarray]


class Row(msgspec.Struct, frozen=True):
    """One table with those before it: the measures of its points, and areas for comparison."""

    name: str
    points: Measures
    boosted_auc: float
    """Of boosted trees on the same inputs and folds."""
    five_years_auc: float
    """Of the same points for failures within five years, on companies that were not fitted."""
    flags_auc: float
    """Of the pattern of missing values of the inputs alone."""


class Swap(msgspec.Struct, frozen=True):
    """The mean probability before and after one column is put in place of another."""

    words: str
    before: float
    after: float


class Segment(msgspec.Struct, frozen=True):
    """A part of the companies, by the table with profit."""

    name: str
    companies: int
    failures: int
    auc: float
    expected: float


class Artefact(msgspec.Struct, frozen=True):
    """Areas under the curve that show how much of the published 0.95 comes from the pattern of missing values."""

    horizon_years: int
    companies: int
    failures: int
    flags_alone: float
    all_ratios: float
    without_flags: float
    """All ratios, missing values replaced by the median."""
    without_x27: float
    """The same without X27, which is undefined for a company without finance cost."""
    balance_sheet: float
    """Boosted trees on the sixteen ratios of a balance sheet, with size and retained earnings."""


class Formula(msgspec.Struct, frozen=True):
    """A published formula with its published coefficients."""

    name: str
    auc: float


class BandOutcome(msgspec.Struct, frozen=True):
    """The companies of a band by the table with profit, out of fold, and how many of them failed."""

    band: str
    companies: int
    failures: int
    levelled: float
    """The failure rate, levelled from the rate of the data to the national one."""


class Validation(msgspec.Struct, frozen=True):
    """All measures; failures are those within one year."""

    companies: int
    failures: int
    rows: tuple[Row, ...]
    swaps: tuple[Swap, ...]
    segments: tuple[Segment, ...]
    artefacts: tuple[Artefact, ...]
    formulas: tuple[Formula, ...]
    filings: Abroad
    bands: tuple[BandOutcome, ...]
    ceilings: tuple[Ceiling, ...]
    ends: tuple[Ends, ...]
    """Of each row."""


class _OutOfFold(msgspec.Struct, frozen=True):
    """Probabilities by one split: a row for each table, a column for each company."""

    chances: Floats
    swapped: tuple[Floats, ...]
    five_years: Floats


def validate(shipped: Sequence[PointsTable], filings: Filings, rate: float) -> Validation:
    """Return all measures. `shipped` are the tables, `rate` is that of all companies, a share; takes some minutes."""
    near, far = read(ARCHIVE, 1), read(ARCHIVE, 5)
    found = [out_of_fold(near, far, filings, seed) for seed in SEEDS]
    return Validation(
        companies=len(near.failed),
        failures=int(near.failed.sum()),
        rows=tuple(_row(number, near, far, found) for number in range(len(DESIGNS))),
        swaps=tuple(_swaps(found)),
        segments=tuple(_segments(near, found)),
        artefacts=(_artefact(near, 1), _artefact(far, 5)),
        formulas=tuple(_formulas(near)),
        filings=measure_filings(shipped, filings, near.inputs(CODES), rate),
        bands=tuple(_bands(near, found, rate)),
        ceilings=ceilings(near, rate),
        ends=tuple(
            ends(np.mean([split.chances[number] for split in found], axis=0), near.failed, near.groups)
            for number in range(len(DESIGNS))
        ),
    )


def out_of_fold(near: Sample, far: Sample, typical: Filings, seed: int) -> _OutOfFold:
    """Return the probabilities of every company by tables that were fitted without it."""
    values = near.inputs(CODES)
    others = [each.inputs(CODES) for each in _swapped(near)]
    shape = (len(DESIGNS), len(near.failed))
    chances, swapped = np.zeros(shape), tuple(np.zeros(shape) for _ in others)
    five_years = np.zeros((len(DESIGNS), len(far.failed)))
    for fold, (fitting, evaluation) in enumerate(_folds(near, seed)):
        tables = fit_tables(values[fitting], near.failed[fitting], typical.typical)
        rate = float(near.failed[fitting].mean())
        unseen = _unseen(near, far, evaluation, fold)
        for number in range(len(DESIGNS)):
            used = tables[: number + 1]
            level = level_of(total_points(used, values[fitting], CODES), rate)
            chances[number, evaluation] = _chances(used, values[evaluation], level, rate)
            for place, other in zip(swapped, others, strict=True):
                place[number, evaluation] = _chances(used, other[evaluation], level, rate)
            five_years[number, unseen] = _chances(used, far.inputs(CODES)[unseen], level, rate)
    return _OutOfFold(chances, swapped, five_years)


def _chances(tables: Sequence[PointsTable], values: Floats, level: int, rate: float) -> Floats:
    return probabilities(total_points(tables, values, CODES) + level, rate)


def _folds(sample: Sample, seed: int) -> Iterator[Split]:
    splitter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    yield from splitter.split(sample.ratios, sample.failed, sample.groups)


def _unseen(near: Sample, far: Sample, evaluation: np.ndarray, fold: int) -> Flags:
    """Return the rows of the other file whose company is evaluated; one that the file lacks is in a fold by its number."""
    absent = ~np.isin(far.groups, near.groups) & (far.groups % FOLDS == fold)
    return np.asarray(np.isin(far.groups, near.groups[evaluation]) | absent)


def _swapped(sample: Sample) -> Iterator[Sample]:
    """Yield the sample with X25 in place of X6, and with X25 in place of X10."""
    for column in (6, 10):
        ratios = sample.ratios.copy()
        ratios[:, column - 1] = ratios[:, 24]
        yield msgspec.structs.replace(sample, ratios=ratios)


def _swaps(found: list[_OutOfFold]) -> Iterator[Swap]:
    words = ("reserves (X25) in place of retained earnings (X6)", "reserves (X25) in place of net assets (X10)")
    for place, each in enumerate(words):
        before = float(np.mean([split.chances[1] for split in found]))
        yield Swap(each, before, float(np.mean([split.swapped[place][1] for split in found])))


def _row(number: int, near: Sample, far: Sample, found: list[_OutOfFold]) -> Row:
    codes = tuple(code for design in DESIGNS[: number + 1] for code in design.codes)
    values = near.inputs(codes)
    return Row(
        name=NAMES[number],
        points=_mean([measure(split.chances[number], near.failed) for split in found]),
        boosted_auc=_area(values, near, _boosting),
        five_years_auc=float(np.mean([auc(split.five_years[number], far.failed) for split in found])),
        flags_auc=_area(np.isnan(values).astype(np.float64), near, _boosting_as_is),
    )


def _mean(measured: list[Measures]) -> Measures:
    """Return the means over the splits; the deciles are those of the first split."""
    names = ("auc", "gini", "ks", "brier", "calibration_error")
    means = {name: float(np.mean([getattr(each, name) for each in measured])) for name in names}
    return msgspec.structs.replace(measured[0], **means)


def _segments(near: Sample, found: list[_OutOfFold]) -> Iterator[Segment]:
    chances = np.mean([split.chances[-1] for split in found], axis=0)
    edges = np.nanquantile(near.total_assets, (1 / 3, 2 / 3))
    for place, words in enumerate(("smallest", "middle", "largest")):
        inside = np.digitize(near.total_assets, edges) == place
        failed = near.failed[inside]
        area = auc(chances[inside], failed)
        yield Segment(
            f"{words} third by total assets", len(failed), int(failed.sum()), area, float(chances[inside].mean())
        )


def _bands(near: Sample, found: list[_OutOfFold], national: float) -> Iterator[BandOutcome]:
    chances, base = np.mean([split.chances[-1] for split in found], axis=0), float(near.failed.mean())
    scores = np.array([round(score_of(levelled(float(each), base, national))) for each in chances])
    above = HIGHEST + 1_000
    for band in current_model().terms.bands:
        failed = near.failed[(scores >= band.lowest if band.lowest else scores > -above) & (scores < above)]
        rate = levelled(float(failed.mean()), base, national)
        yield BandOutcome(band.band, len(failed), int(failed.sum()), rate)
        above = band.lowest


def _area(values: Floats, sample: Sample, learn: Learn) -> float:
    areas = []
    for seed in COMPARED:
        chances = np.zeros(len(values))
        for fitting, evaluation in _folds(sample, seed):
            chances[evaluation] = learn(values[fitting], sample.failed[fitting])(values[evaluation])
        areas.append(auc(chances, sample.failed))
    return float(np.mean(areas))


def _boosting(values: Floats, failed: Flags) -> Callable[[Floats], Floats]:
    """Fit boosted trees with medians in place of missing values, so that the pattern of missing values has no effect."""
    medians = np.nanmedian(values, axis=0)
    model = HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.05, max_leaf_nodes=15, min_samples_leaf=30, l2_regularization=1.0, random_state=0
    ).fit(_filled(values, medians), failed)
    return lambda unseen: np.asarray(model.predict_proba(_filled(unseen, medians))[:, 1])


def _boosting_as_is(values: Floats, failed: Flags) -> Callable[[Floats], Floats]:
    model = HistGradientBoostingClassifier(max_iter=100, learning_rate=0.15, random_state=0).fit(values, failed)
    return lambda unseen: np.asarray(model.predict_proba(unseen)[:, 1])


def _filled(values: Floats, medians: Floats) -> Floats:
    return np.where(np.isnan(values), medians, values)


def _artefact(sample: Sample, horizon_years: int) -> Artefact:
    flags = np.isnan(sample.ratios).astype(np.float64)
    return Artefact(
        horizon_years=horizon_years,
        companies=len(sample.failed),
        failures=int(sample.failed.sum()),
        flags_alone=_area(flags, sample, _boosting_as_is),
        all_ratios=_area(sample.ratios, sample, _boosting_as_is),
        without_flags=_area(sample.ratios, sample, _boosting),
        without_x27=_area(np.delete(sample.ratios, 26, axis=1), sample, _boosting),
        balance_sheet=_area(sample.columns(BALANCE_SHEET), sample, _boosting),
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
