"""Points are fitted on one backtest and judged by a later one; tables are written only if they are better there."""

import datetime as dt
import json
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pytest

from credence.backtest.run import COHORT
from credence.datasets.sources.source import LoadError
from credence.scoring.model import current_model
from credence.scoring.points import check
from tests.backtest.planted import SOUND, Planted, measured, planted
from training.uk_fit import Candidate, fit, write

DAYS = dt.date(2025, 11, 1), dt.date(2026, 5, 1), dt.date(2026, 11, 1)

YOUNG = SOUND | {"IncorporationDate": "01/11/2021"}
"""Four years old, for which the present points take 6, where the others are twenty years old and get 5."""


def backtests(folder: Path, first: tuple[float, float], second: tuple[float, float]) -> tuple[Path, Path]:
    """Two backtests, each with the shares of young companies among the failed and among the others."""
    for place, shares in enumerate((first, second)):
        companies = planted(*shares, failed=250, others=1_750, seed=place)
        # The first one that survives leaves, and nothing says why.
        left = next(each.number for each in companies if not each.failed)
        days = DAYS[place], DAYS[place + 1]
        measured(folder / f"{place}", companies, partial(_is, left), days=days, late=YOUNG)
    return folder / "0" / "backtest", folder / "1" / "backtest"


def _is(number: str, company: Planted) -> bool:
    return company.number == number


@pytest.fixture(scope="module")
def safer(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """In both times the young companies fail less often, against the present points."""
    return backtests(tmp_path_factory.mktemp("safer"), (0.2, 0.6), (0.2, 0.6))


@pytest.fixture(scope="module")
def found(safer: tuple[Path, Path]) -> Candidate:
    return fit(*safer, "test")


def test_a_candidate_that_ranks_better_later_is_better(found: Candidate) -> None:
    assert found.better
    # The present points rank 0.3 of the pairs rightly, which is 0.5 + (0.2 - 0.6) / 2; the candidate the other way 0.7.
    assert found.verdict.present.area.auc == pytest.approx(0.3, abs=0.03)
    assert found.verdict.candidate.area.auc == pytest.approx(0.7, abs=0.03)
    assert found.verdict.candidate.log_score < found.verdict.present.log_score
    assert found.verdict.if_unknown_failed > 0
    assert found.verdict.if_unknown_survived > 0


def test_points_are_those_of_the_odds_that_were_planted(found: Candidate) -> None:
    """Odds of 50 to 1,050 and of 200 to 700 are 6 apart: ln 6 x 11.54 is 20.7 points."""
    conduct = found.tables[-1]
    (age,) = (factor for factor in conduct.factors if factor.code == "age")
    four, twenty = age.bin_of(48.5).points, age.bin_of(240).points
    assert four - twenty == pytest.approx(20.7, abs=4)
    assert age.origin == "fitted"
    check(found.tables[:-1])
    check(found.tables[-1:])


def test_what_no_company_shows_keeps_its_present_points(found: Candidate) -> None:
    assert found.tables[:-1] == current_model().ratios
    present = {factor.code: factor for factor in current_model().conduct.factors}
    after = {factor.code: factor for factor in found.tables[-1].factors}
    assert list(after) == list(present)
    assert after["change-in-net-assets"] == present["change-in-net-assets"]


def test_companies_whose_outcome_is_not_known_are_counted(found: Candidate) -> None:
    assert (found.outcomes_fitted["not known"], found.outcomes_judged["not known"]) == (1, 1)


def test_what_held_only_in_the_first_time_is_not_better_and_writes_no_tables(tmp_path: Path) -> None:
    folders = backtests(tmp_path, (0.2, 0.6), (0.5, 0.5))
    assert not fit(*folders, "test").better


def test_tables_are_written_only_if_they_are_better(found: Candidate, tmp_path: Path) -> None:
    for better in (True, False):
        write(msgspec.structs.replace(found, better=better), tmp_path / f"{better}", "v1")
    assert sorted(file.name for file in (tmp_path / "True").iterdir()) == [
        "conduct-points-v1.json",
        "fit-v1.json",
        "full-points-v1.json",
        "short-points-v1.json",
        "with-profit-points-v1.json",
    ]
    assert [file.name for file in (tmp_path / "False").iterdir()] == ["fit-v1.json"]
    assert json.loads((tmp_path / "False" / "fit-v1.json").read_text())["better"] is False


def test_a_backtest_that_was_stopped_is_refused(safer: tuple[Path, Path], tmp_path: Path) -> None:
    """It has some of the companies, and the points would be fitted on those."""
    stopped = shutil.copytree(safer[0], tmp_path / "stopped")
    with closing(sqlite3.connect(stopped / COHORT)) as rows, rows:
        rows.execute("DELETE FROM share")
    with pytest.raises(LoadError, match="was stopped"):
        fit(stopped, safer[1], "test")


def test_a_second_backtest_that_overlaps_the_first_is_refused(safer: tuple[Path, Path]) -> None:
    with pytest.raises(LoadError, match="before the first has ended"):
        fit(safer[1], safer[0], "test")
