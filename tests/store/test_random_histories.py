"""Memory, SQLite and PostgreSQL return the same results for random histories of all methods (contract.py)."""

from pathlib import Path

import pytest

from tests.random_histories import run_histories
from tests.store.histories import stores
from tests.store.random_histories import StoreHistory
from tests.sweeps import SEED, many


@pytest.mark.sweep
def test_all_stores_give_the_same_results_in_random_histories(tmp_path: Path, migrated_postgres: str) -> None:
    """threats I1, I2 and I4 hold in each. Ten thousand histories are `python -m tests.long.histories`."""
    with stores(tmp_path, migrated_postgres) as both:
        run_histories(StoreHistory, both, count=many(6, long=300), steps=20, seed=SEED)
