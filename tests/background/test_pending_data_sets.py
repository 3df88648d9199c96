"""The gauge of data sets that a node has not fetched yet follows its catalogue."""

from pathlib import Path

import msgspec

from credence.background.metrics import pending_data_sets
from credence.datasets import catalogue


def test_the_gauge_counts_the_data_sets_that_are_published_and_not_here(tmp_path: Path) -> None:
    assert pending_data_sets(tmp_path) == 0
    catalogue.update(tmp_path, lambda current: msgspec.structs.replace(current, pending=("register", "psc")))
    assert pending_data_sets(tmp_path) == 2
    catalogue.update(tmp_path, lambda current: catalogue.with_edition(current, "psc", "00"))
    assert pending_data_sets(tmp_path) == 1
    (tmp_path / catalogue.NAME).write_bytes(b"{")
    assert pending_data_sets(tmp_path) is None
