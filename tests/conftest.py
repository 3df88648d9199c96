"""What most tests start from: a deployment in this process, the real program, or a PostgreSQL.

`deployment` is a deployment in this process, `open_deployment` opens one with settings that the test chooses;
`sandbox` is the real program, shared by all, and `start_server` starts one for this test alone.
"""

import asyncio
import gc
import os
import shutil
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import hypothesis.internal.conjecture.optimiser  # noqa: F401 - imported late, deep in a test, its rewriting overflows
import pytest
from hypothesis import is_hypothesis_test

from credence.datasets.loading.load import load_register
from credence.datasets.loading.summary import LoadSummary
from credence.datasets.register import RegisterReader
from credence.sandbox.provision import REGISTER_SAMPLE
from credence.settings import Settings
from credence.store.postgres.migrations import migrate_postgres
from tests import when_changed
from tests.datasets.snapshots import load
from tests.deployment import NOW, Deployment, OpenDeployment, deployed
from tests.not_checked import pytest_runtest_makereport as pytest_runtest_makereport
from tests.not_checked import pytest_terminal_summary as pytest_terminal_summary
from tests.once import SHARED, made_once
from tests.postgres import GIVEN, database, postgres_server
from tests.running import RunningServer, start
from tests.shared_compiling import pytest_sessionstart as pytest_sessionstart
from tests.sweeps import LONG, load_profile

pytest_plugins = ["tests.time_limit"]

load_profile()

for name in [each for each in os.environ if each.startswith("CREDENCE_") and not each.startswith("CREDENCE_TEST_")]:
    del os.environ[name]  # settings of the shell are not those of the tests

WAITING = ("journeys", "deploy", "accessibility", "cli", "store", "strangers")
"""The folders whose tests wait for programs, those first that wait longest."""

LONGEST = ("web/test_served_as_documented.py", "report/render/test_pdf.py", "datasets/test_search_quality.py")
"""Files that compute for so long that a process which began one late would still run when the others are done."""

BETWEEN = 2
"""Files of tests that compute between two of tests that wait, so that at any time some processes compute while others wait.

The last files compute, so that no process waits alone at the end.
"""


def pytest_configure(config: pytest.Config) -> None:
    """Tell a process that runs tests beside others where all of them put what is made once."""
    config.pluginmanager.register(when_changed)
    if hasattr(config, "workerinput"):
        os.environ[SHARED] = str(Path(config.option.basetemp).parent)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the tests, the longest first, and count every property among the sweeps: `make test-long` tries many more."""
    if not LONG:
        config.hook.pytest_deselected(items=when_changed.deselect_unchanged(items))
    longest = dict.fromkeys(
        item.path
        for item in items
        if item.get_closest_marker(when_changed.MARKER) or item.path.as_posix().endswith(LONGEST)
    )
    order = dict.fromkeys([*longest, *mixed(dict.fromkeys(item.path for item in items))])
    place = {file: number for number, file in enumerate(order)}
    items.sort(key=lambda item: place[item.path])
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker("sweep")


def mixed(files: Iterable[Path]) -> list[Path]:
    """Return the files in the order in which they begin: one whose tests wait, `BETWEEN` others, and so on."""
    waiting: list[Path] = []
    computing: list[Path] = []
    for file in files:
        (waiting if file.parent.name in WAITING else computing).append(file)
    waiting.sort(key=lambda file: WAITING.index(file.parent.name))
    order = []
    for number, file in enumerate(waiting):
        order += [file, *computing[number * BETWEEN : (number + 1) * BETWEEN]]
    return order + computing[len(waiting) * BETWEEN :]


def pytest_collection_finish() -> None:
    """Leave all that has been imported and collected out of the garbage collections during the tests.

    Thousands of tests are a large heap, and looking through it took a sixth of the processor time of a run.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


class StartServer(Protocol):
    """How a test starts a server: options of `credence serve`, and settings as CREDENCE_ variables."""

    def __call__(self, *options: str, data_dir: Path | None = None, **variables: str) -> RunningServer: ...


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Return the event loop that async tests run on, the one that the service runs on."""
    return "asyncio"


@pytest.fixture
async def open_deployment(tmp_path: Path) -> AsyncIterator[OpenDeployment]:
    """Opens deployments in this process, each in `tmp_path` or the folder given; they are closed at the end of the test."""
    async with AsyncExitStack() as running:

        async def open_one(folder: Path | None = None, **settings: Any) -> Deployment:
            return await running.enter_async_context(deployed(folder or tmp_path, **settings))

        yield open_one


@pytest.fixture
async def deployment(request: pytest.FixtureRequest, open_deployment: OpenDeployment) -> Deployment:
    """A fresh deployment in this process, with the settings that the marker `settings` names."""
    settings: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("settings"))):
        for given in (*marker.args, marker.kwargs):
            settings |= given
    return await open_deployment(**settings)


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
def migrated_database(postgres_url: str) -> Iterator[str]:
    """The name of a database that the program has brought up to date, and that nobody uses."""
    with database(postgres_url) as url:
        asyncio.run(migrate_postgres(url))
        yield urlsplit(url).path.removeprefix("/")


@pytest.fixture
def migrated_postgres(postgres_url: str, migrated_database: str) -> Iterator[str]:
    """The address of a fresh database with every table: a copy, which takes a quarter of the time of the migrations."""
    with database(postgres_url, migrated_database) as url:
        yield url


@pytest.fixture(scope="session")
def loaded_register() -> Path:
    """A folder of credit data with the sample of the register, loaded once."""
    return made_once("loaded-register", lambda folder: load_register([REGISTER_SAMPLE], folder, NOW))


@pytest.fixture
def register(loaded_register: Path, tmp_path: Path) -> Path:
    """The credit data of a deployment in `tmp_path`, with the sample of the register."""
    return copy_of_register(loaded_register, Settings(data_dir=tmp_path).credit_folder)


def copy_of_register(loaded: Path, folder: Path) -> Path:
    """Give `folder` the loaded data sets: files that no program writes to are shared, the others copied."""
    folder.mkdir(parents=True)
    for file in loaded.iterdir():
        if file.suffix == ".sqlite":
            os.link(file, folder / file.name)
        else:
            shutil.copy2(file, folder / file.name)
    return folder


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set of the 4,537 sample rows."""
    path = tmp_path_factory.mktemp("sample") / "register.sqlite3"
    load([REGISTER_SAMPLE], path)
    return path


@pytest.fixture(scope="session")
def sample_summary(tmp_path_factory: pytest.TempPathFactory) -> LoadSummary:
    """What the load of the sample says about itself."""
    return load([REGISTER_SAMPLE], tmp_path_factory.mktemp("summary") / "register.sqlite3")


@pytest.fixture
def sample(sample_file: Path) -> Iterator[RegisterReader]:
    """The register of the 4,537 sample rows, open for reading."""
    register = RegisterReader(sample_file)
    yield register
    register.close()
