"""Workers read the same filings as one process, in the same order."""

import pytest

from credence.backtest import loading
from credence.datasets.sources.accounts.reading import read
from tests.datasets.accounts.filings import SHIPPED


def test_workers_find_what_one_process_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "LEAST_BYTES", 0)
    monkeypatch.setattr(loading, "_BATCH_BYTES", 100_000)
    found = list(loading.read_in_workers(SHIPPED))
    assert len(found) > 40
    assert found == list(read(SHIPPED))
