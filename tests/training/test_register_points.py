"""Register points are fitted on two snapshots a year apart, with the outcomes of credit §8.3."""

import csv
import datetime as dt
from collections.abc import Iterable
from pathlib import Path

import pytest

from credence.datasets.sources.source import LoadError
from credence.scoring.model import current_model
from tests.datasets.snapshots import company, write
from tests.datasets.sources.hand_written import feed, notice
from training.register_points import Candidate, train

SLICE = Path(__file__).parent / "data" / "cohort-2024-01-slice.csv"


def snapshots(folder: Path, earlier: Iterable[dict[str, str]], later: Iterable[dict[str, str]]) -> tuple[Path, Path]:
    """Two snapshots a year apart."""
    return (
        write(folder / "BasicCompanyData-2024-02-01.csv", *earlier),
        write(folder / "BasicCompanyData-2025-02-01.csv", *later),
    )


def outcome_file(folder: Path, **outcomes: str) -> Path:
    path = folder / "outcomes.csv"
    lines = (f"{number.removeprefix('n')},{outcome}" for number, outcome in outcomes.items())
    path.write_text("\n".join(("number,outcome", *lines)), encoding="utf-8")
    return path


def late_payers(folder: Path, *gone: str) -> tuple[Path, Path]:
    """1,000 companies with accounts a year overdue, 200 of which fail, and 3,000 others, 80 of which fail.

    The later snapshot lacks the companies `gone`.
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


def test_a_factor_that_precedes_failure_gets_points_that_rank_companies_outside_the_fit(tmp_path: Path) -> None:
    found = fitted(late_payers(tmp_path))
    (overdue,) = (factor for factor in found.table.factors if factor.code == "accounts-overdue")
    assert overdue.origin == "fitted"
    # Odds of 200 to 800 and of 80 to 2,920 are ln 9.125 = 2.21 apart, which is 25.5 points at 11.54 each.
    assert overdue.bins[0].points - overdue.bins[-1].points == pytest.approx(25.5, abs=2.5)
    alone, _, candidate = (each.measures.auc for each in found.evaluations)
    assert alone == 0.5  # no company gives its sector
    assert candidate > 0.75


def test_a_factor_without_register_values_keeps_its_points(tmp_path: Path) -> None:
    found = fitted(late_payers(tmp_path))
    before = {factor.code: factor for factor in current_model().conduct.factors}
    after = {factor.code: factor for factor in found.table.factors}
    assert after["change-in-net-assets"] == before["change-in-net-assets"]


def test_solvent_liquidations_and_unexplained_departures_are_censored(tmp_path: Path) -> None:
    files = late_payers(tmp_path, "00000003", "00000004", "00000005")
    # 3 was struck off, 4 left for an unknown reason, 5 failed; 21 is in a members' voluntary liquidation.
    outcomes = outcome_file(
        tmp_path, n00000003="strike-off", n00000005="insolvency", n00000021="members-voluntary-liquidation"
    )
    assert fitted(files, outcomes).outcomes == {"survived": 4_000 - 280 - 3, "failed": 280 - 1 + 1, "censored": 3}


def test_companies_that_failed_before_or_are_not_scored_are_excluded(tmp_path: Path) -> None:
    earlier, later = late_payers(tmp_path)
    rows = [company("00009001", CompanyStatus="Liquidation"), company("SL000001"), company("00009002")]
    extra = write(tmp_path / "more-2024-02-01.csv", *rows)
    found = train([earlier, extra], [later], [], current_model(), "test")
    assert found.excluded == 2
    assert found.outcomes["censored"] == 1


@pytest.mark.parametrize(("published", "failed"), [("2024-06-03T00:00:00", 281), ("2026-03-02T00:00:00", 280)])
def test_a_gazette_notice_within_the_year_is_a_failure(published: str, failed: int, tmp_path: Path) -> None:
    published_notice = notice(published=published, content="<p>PLACEHOLDER LIMITED (Company Number 00000003)</p>")
    found = fitted(late_payers(tmp_path, "00000003"), feed(tmp_path / "page.json", published_notice))
    assert found.outcomes["failed"] == failed


def test_another_event_only_tests_the_procedure_and_carries_a_caveat(tmp_path: Path) -> None:
    """credit §8.2: early strike-off, on a slice of the January 2024 cohort, is never mixed with insolvency."""
    with SLICE.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    found = fitted(
        snapshots(
            tmp_path,
            [_newcomer(row) for row in rows],
            [_newcomer(row) for row in rows if not row["dissolved"]],
        ),
        outcome_file(tmp_path, **{f"n{row['number']}": "early-strike-off" for row in rows if row["dissolved"]}),
        event="early-strike-off",
    )
    assert found.outcomes == {"failed": 88, "survived": 1149 - 88}
    assert found.observed_rate == pytest.approx(88 / 1149)
    assert any("not insolvency" in each for each in found.caveats)
    assert "early-strike-off" in found.table.source


@pytest.mark.parametrize("outcome", ["bankrupt", ""])
def test_an_unknown_outcome_is_refused(outcome: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="line 2: the outcome must be one of"):
        fitted(late_payers(tmp_path), outcome_file(tmp_path, n00000001=outcome))


def test_the_second_snapshot_must_be_later(tmp_path: Path) -> None:
    earlier, later = late_payers(tmp_path)
    with pytest.raises(LoadError, match="must be later"):
        fitted((later, earlier))


def _newcomer(row: dict[str, str]) -> dict[str, str]:
    incorporated = dt.date.fromisoformat(row["incorporated"]).strftime("%d/%m/%Y")
    return company(row["number"], IncorporationDate=incorporated, SICCode_SicText_1=f"{row['activity']} - Activity")
