"""A backtest reads what was published by its day, by the names of the files, and two snapshots of the register."""

import datetime as dt
from pathlib import Path

import pytest

from credence.backtest.plan import months_after, plan, published
from credence.datasets.sources.source import LoadError

AT = dt.date(2025, 11, 1)


def files(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).touch()
    return [folder]


def registers(folder: Path, *days: str) -> list[Path]:
    return files(folder, *(f"BasicCompanyDataAsOneFile-{day}.zip" for day in days))


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("Accounts_Bulk_Data-2025-10-31.zip", dt.date(2025, 10, 31)),
        ("Accounts_Monthly_Data-October2025.zip", dt.date(2025, 10, 31)),
        ("Accounts_Monthly_Data-February2024.zip", dt.date(2024, 2, 29)),
        ("Accounts_Monthly_Data-Brumaire2025.zip", None),
        ("Prod223_1_00000001_20251031.html", None),
    ],
)
def test_a_product_is_known_on_the_last_day_of_its_name(name: str, day: dt.date | None) -> None:
    assert published(name) == day


def test_accounts_of_the_month_of_the_day_are_left_out_unless_it_is_its_last_day(tmp_path: Path) -> None:
    ours = registers(tmp_path, "2025-11-01", "2025-11-30", "2026-11-01", "2026-11-30")
    (tmp_path / "accounts").mkdir()
    given = files(tmp_path / "accounts", "Accounts_Monthly_Data-November2025.zip", "Accounts_Bulk_Data-2025-11-01.zip")
    on_the_first = plan(AT, 12, registers=ours, accounts=given)
    assert ([file.name for file in on_the_first.accounts], on_the_first.later_accounts) == (
        ["Accounts_Bulk_Data-2025-11-01.zip"],
        1,
    )
    assert len(plan(dt.date(2025, 11, 30), 12, registers=ours, accounts=given).accounts) == 2


def test_accounts_without_a_day_are_refused(tmp_path: Path) -> None:
    ours = registers(tmp_path, "2025-11-01", "2026-11-01")
    (tmp_path / "accounts").mkdir()
    given = files(tmp_path / "accounts", "Prod223_1_00000001_20251031.html")
    with pytest.raises(LoadError, match="may have been filed after 2025-11-01"):
        plan(AT, 12, registers=ours, accounts=given)


def test_of_a_folder_the_snapshots_next_to_both_days_count(tmp_path: Path) -> None:
    found = plan(
        AT, 12, registers=registers(tmp_path, "2025-09-01", "2025-10-01", "2025-12-01", "2026-11-01", "2026-12-01")
    )
    assert [file.name[-14:-4] for file in (*found.before, *found.after)] == ["2025-10-01", "2026-11-01"]


@pytest.mark.parametrize(
    ("days", "missing"),
    [
        (("2025-11-02", "2026-11-01"), "of 2025-11-01"),
        (("2025-08-01", "2026-11-01"), "of 2025-11-01"),
        (("2025-11-01", "2026-10-31"), "of 2026-11-01"),
        (("2025-11-01", "2026-12-03"), "of 2026-11-01"),
    ],
)
def test_a_snapshot_of_another_day_is_none(days: tuple[str, ...], missing: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=missing):
        plan(AT, 12, registers=registers(tmp_path, *days))


def test_a_month_that_is_too_short_ends_on_its_last_day() -> None:
    assert months_after(dt.date(2025, 8, 31), 6) == dt.date(2026, 2, 28)
    assert months_after(dt.date(2025, 12, 1), 1) == dt.date(2026, 1, 1)
