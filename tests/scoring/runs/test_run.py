"""Every company of the register is scored in one act, and what runs before it found stays (credit §7, §11)."""

import datetime as dt
import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.scores import PastScore
from credence.datasets.credit_data import CreditData
from credence.datasets.loading.load import load as load_source
from credence.datasets.loading.load import load_register
from credence.datasets.loading.refresh import SOURCES
from credence.datasets.sources.source import LoadError
from credence.sandbox.provision import REGISTER_SAMPLE
from credence.scoring.model import current_model
from credence.scoring.runs import run, share
from credence.scoring.runs.run import score_all
from credence.scoring.score import Score, assess
from tests.datasets.snapshots import company, write
from tests.datasets.sources.hand_written import feed, notice

DAY_1 = 1_793_491_200_000
"""1 November 2026, the day of the snapshots."""

A_DAY = 86_400_000

SOUND = {
    "IncorporationDate": "01/11/2006",
    "SICCode_SicText_1": "84110 - General public administration activities",
    "Accounts_NextDueDate": "30/11/2027",
    "ConfStmtNextDueDate": "30/11/2027",
    **{f"Mortgages_NumMort{kind}": "0" for kind in ("Charges", "Outstanding", "PartSatisfied", "Satisfied")},
}
"""Base of the whole register 59, of old age 5, nothing overdue 1, no charge 1."""


def load(folder: Path, **companies: dict[str, str]) -> None:
    path = folder.parent / "BasicCompanyData-2026-11-01.csv"
    rows = [company(number.removeprefix("n"), **(SOUND | cells)) for number, cells in companies.items()]
    load_register([write(path, *rows)], folder, DAY_1, accept_fewer=True)


def past(folder: Path, number: str) -> tuple[PastScore, ...]:
    with closing(CreditData(folder)) as credit_data:
        found = credit_data.company(number)
    return found.scores.past if found and found.scores else ()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A register of two companies, one of them dissolved."""
    folder = tmp_path / "credit"
    load(folder, n00000001={}, n00000002={"CompanyStatus": "Dissolved"})
    return folder


def test_a_run_holds_the_score_that_the_report_shows_of_every_company_of_the_sample(tmp_path: Path) -> None:
    load_register([REGISTER_SAMPLE], tmp_path, DAY_1)
    done = score_all(tmp_path, DAY_1)
    scored = 0
    with closing(CreditData(tmp_path)) as credit_data:
        for entry in credit_data.register.entries(1, done.companies):
            found = credit_data.company(entry.number)
            assert found is not None
            shown = assess(found, current_model(), dt.date(2026, 11, 1))
            if isinstance(shown, Score):
                assert found.scores is not None
                (held,) = found.scores.past
                assert (held.score, held.limit) == (shown.score, shown.limit.amount)
                assert held.lines == tuple((line.code, line.points) for line in shown.lines)
                assert sum(points for _, points in held.lines) == held.score
                scored += 1
            else:
                assert found.scores is None
    assert (done.scored, done.scored + sum(done.unscored.values())) == (scored, done.companies)


def test_a_first_run_has_no_history_and_names_its_model_and_days(folder: Path) -> None:
    done = score_all(folder, DAY_1 + A_DAY)
    assert (done.companies, done.scored, done.unscored, done.changed) == (2, 1, {"unscored.dissolved": 1}, 0)
    (only,) = past(folder, "00000001")
    assert (only.run, only.day) == (dt.date(2026, 11, 2), dt.date(2026, 11, 1))
    assert (only.version, only.hash) == (current_model().version, current_model().hash)
    assert past(folder, "00000002") == ()


def test_a_run_counts_what_was_published_by_its_day_and_nothing_later(folder: Path) -> None:
    """The snapshot is of 1 November 2026, the order of 3 November; it is loaded before either run."""
    order = notice(published="2026-11-03T00:00:00")
    load_source(SOURCES["gazette"], [feed(folder.parent / "gazette-1.json", order)], folder, DAY_1 + 9 * A_DAY)
    found = []
    for day in (1, 2):
        score_all(folder, DAY_1 + day * A_DAY)
        found.append(past(folder, "00000001")[0].score)
    assert found[0] > 0
    assert found[1] == 0


def test_a_score_is_added_only_where_it_or_a_line_changed(folder: Path) -> None:
    score_all(folder, DAY_1)
    before = past(folder, "00000001")
    assert score_all(folder, DAY_1 + A_DAY).changed == 0
    assert past(folder, "00000001") == before
    # 20 days overdue: -4 in place of 1, of which the ceiling of a company without accounts has taken 2.
    load(folder, n00000001={"Accounts_NextDueDate": "12/10/2026"})
    assert score_all(folder, DAY_1 + 2 * A_DAY).changed == 1
    newest, oldest = past(folder, "00000001")
    assert (oldest,) == before
    assert newest.score == oldest.score - 3
    assert newest.run == dt.date(2026, 11, 3)


def test_a_run_repeated_on_its_day_changes_nothing(folder: Path) -> None:
    score_all(folder, DAY_1)
    load(folder, n00000001={"Accounts_NextDueDate": "12/10/2026"})
    score_all(folder, DAY_1 + A_DAY)
    before = past(folder, "00000001")
    assert score_all(folder, DAY_1 + A_DAY + 1).changed == 0
    assert past(folder, "00000001") == before
    assert len(before) == 2


def test_the_oldest_scores_go_when_there_are_too_many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "MAX_STORED_SCORES", 2)
    for day, due in enumerate(("12/10/2026", "30/11/2027", "12/10/2026")):
        load(folder, n00000001={"Accounts_NextDueDate": due})
        score_all(folder, DAY_1 + day * A_DAY)
    assert [each.run.day for each in past(folder, "00000001")] == [3, 2]


def test_history_says_that_another_model_found_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score_all(folder, DAY_1)
    model = current_model()
    stricter = msgspec.structs.replace(
        model,
        version="next",
        hash="0" * 64,
        sectors=msgspec.structs.replace(model.sectors, national=1_000, least=10_000),
    )
    for module in (run, share):
        monkeypatch.setattr(module, "current_model", lambda: stricter)
    assert score_all(folder, DAY_1 + A_DAY).model_changed
    newest, oldest = past(folder, "00000001")
    assert (newest.version, oldest.version) == ("next", model.version)
    assert newest.score < oldest.score


def test_what_left_the_register_keeps_its_scores(folder: Path) -> None:
    score_all(folder, DAY_1)
    before = past(folder, "00000001")
    load(folder, n00000003={})
    assert score_all(folder, DAY_1 + A_DAY).left == 1
    load(folder, n00000001={})
    assert past(folder, "00000001") == before


def test_without_a_register_nothing_is_scored(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="No register is loaded"):
        score_all(tmp_path, DAY_1)


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A register that is shared out to processes, scored once."""
    monkeypatch.setattr(run, "_MAX_WITHOUT_WORKERS", 0)
    monkeypatch.setattr(run, "SHARE_COMPANIES", 500)
    load_register([REGISTER_SAMPLE], tmp_path, DAY_1)
    score_all(tmp_path, DAY_1)
    yield tmp_path
    assert multiprocessing.active_children() == []


def test_processes_that_share_the_register_find_what_one_alone_finds(
    large: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_MAX_WITHOUT_WORKERS", 1_000_000)
    alone = tmp_path_factory.mktemp("alone")
    load_register([REGISTER_SAMPLE], alone, DAY_1)
    score_all(alone, DAY_1)
    assert _held(large) == _held(alone)


def test_a_process_that_dies_ends_the_run_and_the_old_scores_serve(large: Path) -> None:
    before = _held(large)

    def kill(_done: int, _all: int) -> None:
        for process in multiprocessing.active_children():
            process.kill()

    with pytest.raises(LoadError, match="ended unexpectedly"):
        score_all(large, DAY_1 + A_DAY, kill)
    assert _held(large) == before
    assert list(large.glob("*.draft")) == []
    assert score_all(large, DAY_1).changed == 0


def _held(folder: Path) -> dict[str, Any]:
    with closing(CreditData(folder)) as credit_data:
        numbers = [entry.number for entry in credit_data.register.entries(1, 5_000)]
        found: list[Company | None] = [credit_data.company(number) for number in numbers]
    return {each.number: each.scores for each in found if each}
