"""Workers read the same filings as one process, in the same order."""

import pytest

from credence.backtest import reading
from credence.datasets.sources.accounts.reading import read
from tests.datasets.accounts.filings import SHIPPED


def test_workers_find_what_one_process_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LEAST_BYTES", 0)
    monkeypatch.setattr(reading, "_BATCH_BYTES", 100_000)
    found = list(reading.read_in_workers(SHIPPED))
    assert len(found) > 40
    assert found == list(read(SHIPPED))
