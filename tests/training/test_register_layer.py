"""Register points are fitted on two snapshots a year apart, with the outcome of credit §8.3."""

import csv
import datetime as dt
from collections.abc import Iterable
from pathlib import Path

import pytest

from credence.datasets.sources import LoadError
from credence.scoring.model import current_model
from tests.datasets.snapshots import company, write
from tests.datasets.sources.hand_written import feed, notice
from training.register_layer import Candidate, train

SLICE = Path(__file__).parent / "data" / "cohort-2024-01-slice.csv"


def snapshots(folder: Path, earlier: Iterable[dict[str, str]], later: Iterable[dict[str, str]]) -> tuple[Path, Path]:
    """Two snapshots a year apart."""
    return (
        write(folder / "BasicCompanyData-2024-02-01.csv", *earlier),
        write(folder / "BasicCompanyData-2025-02-01.csv", *later),
    )


def told(folder: Path, **outcomes: str) -> Path:
    path = folder / "outcomes.csv"
    lines = (f"{number.removeprefix('n')},{outcome}" for number, outcome in outcomes.items())
    path.write_text("\n".join(("number,outcome", *lines)), encoding="utf-8")
    return path


def late_payers(folder: Path, *gone: str) -> tuple[Path, Path]:
    """1,000 companies whose accounts are a year overdue, of which 200 fail, and 3,000 others, of which 80 do.

    Those who are gone are not in the later snapshot.
    """
    numbers = [f"{n:08}" for n in range(1, 4_001)]
    late = {number for n, number in enumerate(numbers) if n % 4 == 0}
    bad = {number for n, number in enumerate(numbers) if (n % 20 == 0 or n % 50 == 1)}
    due = {number: "01/02/2023" if number in late else "30/11/2024" for number in numbers}
    earlier = [company(number, Accounts_NextDueDate=due[number]) for number in numbers]
    later = [
        company(number, CompanyStatus="Liquidation" if number in bad else "Active")
        for number in numbers
        if number not in gone
    ]
    return snapshots(folder, earlier, later)


def fitted(files: tuple[Path, Path], *outcomes: Path, event: str = "insolvency") -> Candidate:
    return train([files[0]], [files[1]], outcomes, current_model(), "test", event)


def test_what_comes_before_failure_is_found_and_sorts_companies_that_were_not_fitted(tmp_path: Path) -> None:
    found = fitted(late_payers(tmp_path))
    (overdue,) = (factor for factor in found.table.factors if factor.code == "accounts-overdue")
    assert overdue.origin == "fitted"
    # Odds of 200 to 800 and of 80 to 2,920 are ln 9.125 = 2.21 apart, which is 25.5 points at 11.54 each.
    assert overdue.bins[0].points - overdue.bins[-1].points == pytest.approx(25.5, abs=2.5)
    alone, _, candidate = (each.measures.auc for each in found.judged)
    assert alone == 0.5  # no company tells its sector
    assert candidate > 0.75


def test_a_factor_that_the_register_does_not_tell_keeps_its_points(tmp_path: Path) -> None:
    found = fitted(late_payers(tmp_path))
    before = {factor.code: factor for factor in current_model().conduct.factors}
    after = {factor.code: factor for factor in found.table.factors}
    assert after["change-in-net-assets"] == before["change-in-net-assets"]


def test_solvent_ends_and_departures_for_no_known_reason_are_neither_good_nor_bad(tmp_path: Path) -> None:
    files = late_payers(tmp_path, "00000003", "00000004", "00000005")
    # 3 left by a strike-off, 4 nobody knows why, 5 failed; 21 is in liquidation, and its members wind it up solvent.
    outcomes = told(tmp_path, n00000003="strike-off", n00000005="insolvency", n00000021="members-voluntary-liquidation")
    assert fitted(files, outcomes).outcomes == {"survived": 4_000 - 280 - 3, "failed": 280 - 1 + 1, "censored": 3}


def test_who_has_failed_already_or_is_not_scored_is_left_out(tmp_path: Path) -> None:
    earlier, later = late_payers(tmp_path)
    rows = [company("00009001", CompanyStatus="Liquidation"), company("SL000001"), company("00009002")]
    extra = write(tmp_path / "more-2024-02-01.csv", *rows)
    found = train([earlier, extra], [later], [], current_model(), "test")
    assert found.left_out == 2
    assert found.outcomes["censored"] == 1


@pytest.mark.parametrize(("published", "failed"), [("2024-06-03T00:00:00", 281), ("2026-03-02T00:00:00", 280)])
def test_a_notice_of_the_gazette_within_the_year_tells_of_a_failure(
    published: str, failed: int, tmp_path: Path
) -> None:
    told_of = notice(published=published, content="<p>PLACEHOLDER LIMITED (Company Number 00000003)</p>")
    found = fitted(late_payers(tmp_path, "00000003"), feed(tmp_path / "page.json", told_of))
    assert found.outcomes["failed"] == failed


def test_another_event_is_for_the_mechanics_only_and_says_so(tmp_path: Path) -> None:
    """Credit §8.2: early strike-off, tried on a slice of the January 2024 cohort, is never mixed with insolvency."""
    with SLICE.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    found = fitted(
        snapshots(
            tmp_path,
            [_newcomer(row) for row in rows],
            [_newcomer(row) for row in rows if not row["dissolved"]],
        ),
        told(tmp_path, **{f"n{row['number']}": "early-strike-off" for row in rows if row["dissolved"]}),
        event="early-strike-off",
    )
    assert found.outcomes == {"failed": 88, "survived": 1149 - 88}
    assert found.observed_rate == pytest.approx(88 / 1149)
    assert any("not insolvency" in each for each in found.caveats)
    assert "early-strike-off" in found.table.source


@pytest.mark.parametrize("outcome", ["bankrupt", ""])
def test_an_outcome_of_no_known_word_is_refused(outcome: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="line 2: the outcome is none of"):
        fitted(late_payers(tmp_path), told(tmp_path, n00000001=outcome))


def test_snapshots_must_be_of_two_days(tmp_path: Path) -> None:
    earlier, later = late_payers(tmp_path)
    with pytest.raises(LoadError, match="a later one"):
        fitted((later, earlier))


def _newcomer(row: dict[str, str]) -> dict[str, str]:
    incorporated = dt.date.fromisoformat(row["incorporated"]).strftime("%d/%m/%Y")
    return company(row["number"], IncorporationDate=incorporated, SICCode_SicText_1=f"{row['activity']} - Activity")
