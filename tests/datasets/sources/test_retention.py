"""Personal data goes when it has been over for longer than the operator keeps it (credit §10)."""

import datetime as dt
from pathlib import Path

import pytest

from credence.datasets.fact_kinds import OFFICERS, OWNERS
from credence.datasets.loading.retention import forget, retention_start
from tests.datasets.sources.acts import held, load
from tests.datasets.sources.hand_written import answer, officer, person, persons, write_json

SINCE = dt.date(2020, 11, 1)


@pytest.mark.parametrize(
    ("today", "years", "since"),
    [
        (dt.date(2026, 11, 1), 6, dt.date(2020, 11, 1)),
        (dt.date(2028, 2, 29), 6, dt.date(2022, 2, 28)),
        (dt.date(2026, 11, 1), 0, None),
    ],
)
def test_the_first_day_that_is_kept(today: dt.date, years: int, since: dt.date | None) -> None:
    assert retention_start(today, years) == since


def test_a_load_leaves_out_what_ended_too_long_ago(tmp_path: Path, folder: Path) -> None:
    file = persons(
        tmp_path,
        person("00000001", "over", ceased_on="2020-10-31"),
        person("00000001", "kept", ceased_on="2020-11-01"),
        person("00000001", "holds"),
    )
    done = load("psc", folder, file, keep_from=SINCE)
    assert (done.rows, done.kept, done.forgotten) == (3, 2, 1)
    company = held(folder, "00000001")
    assert company is not None
    assert company.owners is not None
    assert [each.id for each in company.owners.value] == ["holds", "kept"]


def test_a_later_load_drops_what_has_become_too_old_meanwhile(tmp_path: Path, folder: Path) -> None:
    load("officers", folder, write_json(tmp_path / "1.json", answer(officer("00000001", resigned_on="2019-01-01"))))
    load("officers", folder, write_json(tmp_path / "2.json", answer(officer("00000002"))), keep_from=SINCE)
    assert held(folder, "00000001") is None


def test_forgetting_without_a_load_takes_the_rest_along(tmp_path: Path, folder: Path) -> None:
    resigned = officer("00000001", "o1", name="UNUSUAL, Ada", resigned_on="2019-01-01")
    load("officers", folder, write_json(tmp_path / "1.json", answer(resigned, officer("00000001", "o2"))))
    assert forget(OFFICERS, folder, SINCE) == 1
    company = held(folder, "00000001")
    assert company is not None
    assert company.officers is not None
    assert [each.id for each in company.officers.value] == ["person-o2"]
    (file,) = folder.glob("officers-*.sqlite")
    assert b"UNUSUAL" not in file.read_bytes()
    assert forget(OFFICERS, folder, SINCE) == 0
    assert forget(OWNERS, folder, SINCE) == 0  # nothing is loaded of them
