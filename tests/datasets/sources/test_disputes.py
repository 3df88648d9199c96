"""Disputes: reports carry them until they are closed, and no load touches them (credit §10)."""

import datetime as dt
from pathlib import Path

import pytest

from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.datasets import catalogue, disputes
from credence.datasets.credit_data import CreditData
from credence.datasets.disputes import DisputesDamaged, record
from tests.datasets.sources.acts import held, load_companies

TODAY, LATER = dt.date(2026, 11, 1), dt.date(2026, 11, 9)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "credit"
    load_companies(folder, "00000001", "00000002")
    return folder


def of(folder: Path) -> tuple[Dispute, ...]:
    company = held(folder, "00000001")
    assert company is not None
    return company.disputes


@pytest.mark.parametrize("status", ["open", "reviewing", "sent"])
def test_a_dispute_is_carried_until_it_is_closed(folder: Path, status: str) -> None:
    record(folder, "00000001", "NumberOfEmployees", "There were 12.", DisputeStatus.OPEN, TODAY)
    record(folder, "00000001", "NumberOfEmployees", "", DisputeStatus(status), LATER)
    expected = Dispute("NumberOfEmployees", "There were 12.", DisputeStatus(status), TODAY, LATER)
    assert of(folder) == (expected,)
    other = held(folder, "00000002")
    assert other is not None
    assert other.disputes == ()


@pytest.mark.parametrize("status", [DisputeStatus.CORRECTED, DisputeStatus.UPHELD])
def test_a_closed_dispute_is_no_longer_carried_but_kept(folder: Path, status: DisputeStatus) -> None:
    record(folder, "00000001", "Status", "Wrong.", DisputeStatus.OPEN, TODAY)
    record(folder, "00000001", "Status", "", status, LATER)
    assert of(folder) == ()
    assert [each.status for each in disputes.read(folder)["00000001"]] == [status]


def test_a_reopened_dispute_has_a_new_date(folder: Path) -> None:
    record(folder, "00000001", "Status", "Wrong.", DisputeStatus.UPHELD, TODAY)
    record(folder, "00000001", "Status", "Still wrong.", DisputeStatus.OPEN, LATER)
    assert of(folder) == (Dispute("Status", "Still wrong.", DisputeStatus.OPEN, LATER, LATER),)


def test_a_running_reader_sees_it_at_its_next_read(folder: Path) -> None:
    reader = CreditData(folder)
    version = reader.data_version
    record(folder, "00000001", "Status", "Wrong.", DisputeStatus.OPEN, TODAY)
    company = reader.company("00000001")
    assert company is not None
    assert len(company.disputes) == 1
    assert reader.data_version != version
    reader.close()


def test_it_survives_loads_and_removals(folder: Path) -> None:
    record(folder, "00000001", "Status", "Wrong.", DisputeStatus.OPEN, TODAY)
    catalogue.remove(folder, "register")
    load_companies(folder, "00000001")
    assert len(of(folder)) == 1


@pytest.mark.parametrize(("field", "note"), [("", "Wrong."), ("Status", ""), ("Status", "x" * 501), ("x" * 501, "x")])
def test_a_dispute_without_field_or_note_changes_nothing(folder: Path, field: str, note: str) -> None:
    with pytest.raises(ValueError, match="dispute"):
        record(folder, "00000001", field, note, DisputeStatus.OPEN, TODAY)
    assert of(folder) == ()
    assert disputes.read(folder) == {}


def test_a_damaged_file_is_an_error_and_not_an_empty_one(folder: Path) -> None:
    record(folder, "00000001", "Status", "Wrong.", DisputeStatus.OPEN, TODAY)
    (folder / disputes.NAME).write_text("{")
    with pytest.raises(DisputesDamaged, match="restore a copy"):
        held(folder, "00000001")
    with pytest.raises(DisputesDamaged):
        record(folder, "00000001", "Status", "Wrong.", DisputeStatus.OPEN, TODAY)
