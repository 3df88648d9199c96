from pathlib import Path

import pytest

from tests.cli.deployment import Deployment


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path / "data")
