"""A backtest goes on where it was stopped, says what it cannot know, and groups companies that belong together."""

import datetime as dt
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from credence.backtest import run
from credence.backtest.answer import Answer
from credence.backtest.cohort import add_share
from credence.backtest.measuring import tops
from credence.errors import UnusableContent
from tests.backtest.planted import AT, Planted, measured, order, planted
from tests.datasets.snapshots import NOW
from tests.datasets.sources.hand_written import body, feed, persons


class Stopped(Exception):
    """The program is killed."""


def test_a_stopped_backtest_goes_on_with_the_next_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    companies = planted(0.8, 0.2, failed=30, others=170)
    whole = measured(tmp_path / "whole", companies)
    monkeypatch.setattr(run, "SHARE_COMPANIES", 50)
    added: list[int] = []

    def stops(rows: sqlite3.Connection, first: int, *more: Any) -> None:
        if first == stop:
            raise Stopped
        add_share(rows, first, *more)
        added.append(first)

    monkeypatch.setattr(run, "add_share", stops)
    stop = 101
    with pytest.raises(Stopped):
        measured(tmp_path / "stopped", companies)
    stop = 0
    loaded = {file: file.stat().st_mtime_ns for file in (tmp_path / "stopped").rglob("register*.sqlite")}
    folder = tmp_path / "stopped" / "backtest"
    assert not run.is_finished(folder)
    found = run.backtest(run.plan_of(folder), folder, NOW)
    assert added == [1, 51, 101, 151]
    assert loaded
    assert all(file.stat().st_mtime_ns == loaded[file] for file in loaded)
    assert found == whole
    assert run.is_finished(folder)


def test_a_folder_with_another_backtest_is_refused(tmp_path: Path) -> None:
    companies = planted(0.8, 0.2, failed=3, others=20)
    measured(tmp_path, companies)
    with pytest.raises(UnusableContent, match="name another folder"):
        measured(tmp_path, companies, notices=[feed(tmp_path / "gazette-2.json", order("00000001"))])


def test_a_damaged_file_of_the_cohort_is_refused(tmp_path: Path) -> None:
    (tmp_path / "backtest").mkdir()
    (tmp_path / "backtest" / run.COHORT).write_bytes(b"this is no database, but longer than a hundred bytes" * 3)
    with pytest.raises(UnusableContent, match="remove it, and the backtest begins again"):
        measured(tmp_path, planted(0.8, 0.2, failed=3, others=20))


def test_who_left_for_an_unknown_reason_is_bounded(tmp_path: Path) -> None:
    """20 companies: 2 late ones failed, 16 survived, 2 punctual ones left. If both failed, 2 of 4 outrank all 16 others."""
    numbers = [f"{n:08}" for n in range(1, 21)]
    companies = [Planted(number, late=n < 2, failed=n < 2) for n, number in enumerate(numbers)]
    left = measured(tmp_path, companies, gone=lambda each: each.number in numbers[-2:]).left
    assert (left.unresolved, left.unknown_liquidations) == (2, 0)
    assert [left.least_rate, left.greatest_rate] == pytest.approx([2 / 20, 4 / 20])
    # Of 4 x 16 pairs, 2 x 16 are right and 2 x 16 count half.
    assert [left.least_auc, left.greatest_auc] == pytest.approx([0.75, 1])


def width(found: Answer) -> float:
    assert found.area.low is not None
    assert found.area.high is not None
    return found.area.high - found.area.low


def test_companies_of_a_group_do_not_count_as_independent(tmp_path: Path) -> None:
    """Twenty groups of ten, each of one kind and one fate: the interval is wider than that of independent companies."""
    companies = []
    for n in range(200):
        group = n // 10
        companies.append(Planted(f"{n + 1:08}", late=group % 3 == 0, failed=group % 4 == 0))
    lines = [body(each.number, companies[n // 10 * 10].number) for n, each in enumerate(companies) if n % 10]
    owners = persons(tmp_path, *lines, day=f"{AT}")
    alone = measured(tmp_path / "alone", companies)
    grouped = measured(tmp_path / "grouped", companies, owners=[owners])
    assert (alone.groups, grouped.groups) == (0, 20)
    assert grouped.area.auc == alone.area.auc
    # Ten companies that go together are one: the error is the root of 10 greater.
    assert 2.5 < width(grouped) / width(alone) < 3.7


def test_the_top_of_a_chain_is_that_of_all_in_it_and_a_circle_has_one() -> None:
    assert tops([("a", "b"), ("b", "c")]) == {"a": "c", "b": "c", "c": "c"}
    assert set(tops([("a", "b"), ("b", "a"), ("d", "a")]).values()) == {"a"}


def test_the_answer_names_its_files_days_and_caveats(tmp_path: Path) -> None:
    found = measured(tmp_path, planted(0.8, 0.2, failed=3, others=20))
    assert (found.at, found.until) == (AT, dt.date(2026, 11, 1))
    assert found.files["before"] == (f"BasicCompanyData-{AT}.csv",)
    assert found.failures_by_month == {"2026-07": 3}
    assert found.caveats == (
        "Failures: 3. With fewer than 20, the area shows next to nothing.",
        "No accounts were given, so the score rests on the register alone.",
        "No persons with control were given, so the interval takes companies of one group for independent.",
        "The score is of twelve months, and the horizon has 6: probabilities are brought to it.",
    )
