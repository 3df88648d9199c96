"""Fixtures for every test that needs the real program: `sandbox`, shared by all, and `start_server` for one of its own."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from credence.datasets.loading.register_summary import Summary
from credence.datasets.loading.register_writing import SAMPLE
from credence.datasets.register import Register
from tests.datasets.snapshots import load
from tests.postgres import GIVEN, database, postgres_server
from tests.running import RunningServer, start


class StartServer(Protocol):
    """How a test starts a server: options of `credence serve`, and settings as CREDENCE_ variables."""

    def __call__(self, *options: str, data_dir: Path | None = None, **variables: str) -> RunningServer: ...


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A sandbox over HTTPS in which applications may register, started once. Leave its accounts and applications alone."""
    folder = tmp_path_factory.mktemp("sandbox")
    server = start(folder / "data", folder / "output.txt", CREDENCE_REGISTRATION="on")
    yield server
    server.stop()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Starts servers that stop at the end of the test; with the `data_dir` of an earlier one it is a restart."""
    started: list[RunningServer] = []

    def start_one(*options: str, data_dir: Path | None = None, **variables: str) -> RunningServer:
        number = len(started)
        server = start(
            data_dir or tmp_path / f"data-{number}", tmp_path / f"output-{number}.txt", *options, **variables
        )
        started.append(server)
        return server

    yield start_one
    for server in started:
        server.stop()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a PostgreSQL for the whole session: the one that is given, or one of the tests' own."""
    if os.environ.get(GIVEN):
        yield os.environ[GIVEN]
    else:
        # Nothing kills it, so nothing need be on the disk; who tests what a crash leaves has a server of its own.
        with postgres_server(fsync="off", full_page_writes="off") as server:
            yield server.url


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[str]:
    """The address of a fresh database."""
    with database(postgres_url) as url:
        yield url


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
