from collections.abc import Iterator
from pathlib import Path

import pytest

from credence.credit.register import Register
from credence.credit.sources.register.summary import Summary
from credence.credit.sources.register.writing import SAMPLE

from .snapshots import load


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set of the 4,537 sample rows."""
    path = tmp_path_factory.mktemp("sample") / "register.sqlite3"
    load([SAMPLE], path)
    return path


@pytest.fixture(scope="session")
def sample_summary(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """What the load of the sample says about itself."""
    return load([SAMPLE], tmp_path_factory.mktemp("summary") / "register.sqlite3")


@pytest.fixture
def sample(sample_file: Path) -> Iterator[Register]:
    """The register of the 4,537 sample rows, open for reading."""
    register = Register(sample_file)
    yield register
    register.close()
