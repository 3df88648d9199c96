"""What most tests of sources start from."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for credit data, beside the files that a test writes."""
    return tmp_path / "credit"
