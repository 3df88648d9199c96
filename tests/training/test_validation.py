"""The quality that the model card claims, measured again from the data (credit §8)."""

import msgspec
import numpy as np
import pytest

from credence.scoring.model import current_model
from tests.training.inputs import when_inputs_change
from training.polish import ARCHIVE, COLUMNS, Floats, Sample, read
from training.tables import DESIGNS, FULL, Design, fit_table
from training.validation import compare


@pytest.fixture(scope="module")
def one_year() -> Sample:
    return read(ARCHIVE, 1)


def test_the_file_named_5year_has_the_failures_within_one_year() -> None:
    """credit §5, §8.1: 5,910 rows with 60 duplicates, 7.0 % failures; the other file has 3.9 %."""
    near, far = read(ARCHIVE, 1), read(ARCHIVE, 5)
    assert len(near.failed) == 5_850
    assert near.failed.mean() == pytest.approx(0.070, abs=0.0005)
    assert far.failed.mean() == pytest.approx(0.039, abs=0.0005)


def test_the_columns_are_the_ratios_they_are_used_for(one_year: Sample) -> None:
    """Arithmetic within one balance sheet: cash ratio <= quick ratio <= current ratio."""

    def column(name: str) -> Floats:
        return one_year.ratios[:, COLUMNS[name] - 1]

    known = ~np.isnan(column("current-ratio")) & ~np.isnan(column("quick-ratio")) & ~np.isnan(column("cash-ratio"))
    ordered = (column("cash-ratio") <= column("quick-ratio") + 0.01) & (
        column("quick-ratio") <= column("current-ratio") + 0.01
    )
    assert ordered[known].mean() > 0.97
    close = np.isclose(
        column("working-capital"), column("current-liabilities") * (column("current-ratio") - 1), atol=0.02
    )
    assert close[known].mean() > 0.9
    assert (column("reserves") <= column("equity") + 0.001)[known].mean() > 0.97


@pytest.mark.parametrize("design", DESIGNS, ids=lambda each: each.name)
def test_the_shipped_points_equal_the_fitted_points(design: Design, one_year: Sample) -> None:
    shipped = next(table for table in current_model().ratios if table.name == design.name)
    fitted = fit_table(design, one_year, shipped.version)
    assert [(each.code, [bin_.points for bin_ in each.bins]) for each in fitted.factors] == [
        (each.code, [bin_.points for bin_ in each.bins]) for each in shipped.factors
    ]
    assert msgspec.to_builtins(fitted) == msgspec.to_builtins(shipped)


@when_inputs_change
def test_out_of_fold_the_points_rank_as_well_as_boosted_trees(one_year: Sample) -> None:
    """AUC at least 0.80 on the ratios that small companies file, within 0.01 of boosting; calibrated within 0.01."""
    row = compare("full", FULL.columns, one_year)
    assert row.points.auc >= 0.80
    assert row.points.auc >= row.boosted_auc - 0.01
    assert row.points.calibration_error <= 0.01
    assert row.missing <= 0.02
