"""What a run keeps of itself: bands, ranges of the inputs, and what became of the scores of earlier runs."""

from contextlib import closing
from pathlib import Path

import pytest

from credence.datasets import catalogue
from credence.datasets.score_reader import SCORES, RunFigures, ScoreReader
from credence.management.score_runs import FITTING, UnknownRun, compared, runs
from credence.scoring.model import current_model
from credence.scoring.runs import figures, share
from credence.scoring.runs.figures import DIFFERENCES
from credence.scoring.runs.run import score_all
from credence.settings import Settings
from tests.scoring.runs.test_run import A_DAY, DAY_1, load

OVERDUE = {"Accounts_NextDueDate": "12/10/2026"}
"""20 days overdue on the day of the snapshot: -4 in place of 1 point, of which the ceiling without accounts had taken 2."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path)


def figures_of(settings: Settings) -> dict[int, RunFigures]:
    folder = settings.credit_folder
    with closing(ScoreReader(folder / catalogue.read(folder).sources[SCORES].file)) as reader:
        return reader.figures()


def changes(settings: Settings, run: str = "", since: str = "") -> dict[str, int]:
    """The differences of the scores that at least one company has."""
    found = compared(settings, run, since)
    return {each.difference: each.companies for each in found.differences or () if each.companies}


def test_a_comparison_counts_who_changed_who_came_and_who_ended(settings: Settings) -> None:
    """Scores of 64 and 61: run 2 takes three points of the second company and scores the third for the first time; the
    fourth is dissolved."""
    folder = settings.credit_folder
    load(folder, n00000001={}, n00000002={}, n00000004={})
    score_all(folder, DAY_1)
    load(folder, n00000001={}, n00000002=OVERDUE, n00000003={}, n00000004={"CompanyStatus": "Dissolved"})
    score_all(folder, DAY_1 + A_DAY)
    found = compared(settings, "")
    assert (found.run, found.since, found.model_changed) == (2, 1, False)
    assert (found.changed_score, found.first, found.ended, found.unknown) == (1, 1, 1, 0)
    assert changes(settings) == {"0": 1, "-4 to -1": 1}
    band_of = {each.lowest: each.band for each in current_model().terms.bands}
    then, now = (next(band_of[low] for low in sorted(band_of, reverse=True) if score >= low) for score in (64, 61))
    assert {(each.then, each.now): each.companies for each in found.bands or ()} == (
        {(then, then): 2} if then == now else {(then, then): 1, (then, now): 1}
    )
    newest, first = runs(settings).runs
    assert (newest.run, newest.day, newest.companies, newest.scored) == (2, "2026-11-02", 4, 3)
    assert (newest.unscored, sum((newest.bands or {}).values())) == ({"unscored.dissolved": 1}, 3)
    assert (first.companies, first.scored) == (3, 3)
    score_all(folder, DAY_1 + 2 * A_DAY)
    assert compared(settings, "").ended == 1  # the score of the fourth then is the last one up to run 2: that of run 1


def test_any_two_runs_are_compared_and_a_repeated_day_replaces_its_figures(settings: Settings) -> None:
    folder = settings.credit_folder
    for day, due in enumerate(("30/11/2027", "12/10/2026", "30/11/2027")):
        load(folder, n00000001={"Accounts_NextDueDate": due})
        score_all(folder, DAY_1 + day * A_DAY)
    assert changes(settings, "2", "1") == {"-4 to -1": 1}
    assert changes(settings, "3", "2") == {"+1 to +4": 1}
    assert changes(settings, "3", "1") == {"0": 1}
    load(folder, n00000001={}, n00000002={})
    score_all(folder, DAY_1 + 2 * A_DAY + 1)
    assert sorted(figures_of(settings)) == [1, 2, 3]
    assert figures_of(settings)[3].companies == 2


def test_a_company_whose_history_is_cut_is_unknown(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "MAX_STORED_SCORES", 1)
    folder = settings.credit_folder
    for day, due in enumerate(("30/11/2027", "12/10/2026", "30/11/2027")):
        load(folder, n00000001={"Accounts_NextDueDate": due})
        score_all(folder, DAY_1 + day * A_DAY)
    found = compared(settings, "3", "1")
    assert (found.unknown, found.first, found.changed_score) == (1, 0, 0)


def test_the_drift_is_by_the_ranges_of_the_points_table(settings: Settings) -> None:
    """One company of two is overdue: each of two ranges has a half, where one had all."""
    folder = settings.credit_folder
    load(folder, n00000001={}, n00000002={})
    score_all(folder, DAY_1)
    load(folder, n00000001={}, n00000002=OVERDUE)
    score_all(folder, DAY_1 + A_DAY)
    drift = {each.code: each for each in compared(settings, "").drift}
    assert {each.index for each in drift.values() if each.index is not None and each.index > 0.01} == {
        drift["accounts-overdue"].index
    }
    assert drift["accounts-overdue"].judgement == "large"
    assert (drift["current-ratio"].then, drift["current-ratio"].index) == (0, None)  # no accounts are loaded
    fitted = {each.code: each for each in compared(settings, "", FITTING).drift}
    assert (fitted["accounts-overdue"].then, fitted["accounts-overdue"].judgement) == (None, None)
    first = current_model().ratios[0].factors[0]
    assert fitted[first.code].then == sum(each.companies or 0 for each in first.bins)


def test_what_an_earlier_version_did_not_keep_is_unknown(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = settings.credit_folder
    load(folder, n00000001={})
    score_all(folder, DAY_1)
    monkeypatch.setattr(ScoreReader, "figures", lambda _reader: {})
    score_all(folder, DAY_1 + A_DAY)
    monkeypatch.undo()
    newest, first = runs(settings).runs
    assert (newest.scored, first.scored, first.bands) == (1, None, None)
    assert all(each.then is None for each in compared(settings, "").drift)
    monkeypatch.setattr(ScoreReader, "figures", lambda _reader: {})
    assert compared(settings, "").changed_score is None


def test_a_run_that_does_not_exist_is_named(settings: Settings) -> None:
    with pytest.raises(UnknownRun, match="Nothing has been scored yet"):
        compared(settings, "")
    assert runs(settings).runs == []
    load(settings.credit_folder, n00000001={})
    score_all(settings.credit_folder, DAY_1)
    for run, since in (("7", ""), ("1", "7"), ("1", "1"), ("x", ""), ("\u0661", "")):
        with pytest.raises(UnknownRun):
            compared(settings, run, since)
    assert compared(settings, "1").since is None


def test_only_the_newest_runs_are_compared(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "COMPARED_RUNS", 1)
    folder = settings.credit_folder
    for day in range(3):
        load(folder, n00000001={})
        score_all(folder, DAY_1 + day * A_DAY)
    assert compared(settings, "3", "2").changed_score == 0
    assert compared(settings, "3", "1").changed_score is None
    assert len(DIFFERENCES) == 9
