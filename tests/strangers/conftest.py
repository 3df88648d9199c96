"""Fixtures: `provider`, shared by every test that changes no key, and `start_provider` for those that do."""

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import StartServer
from tests.running import start
from tests.strangers.provider import Provider

StartProvider = Callable[[], Provider]


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    folder = tmp_path_factory.mktemp("provider")
    server = start(folder / "data", folder / "output.txt")
    yield Provider(server)
    server.stop()


@pytest.fixture
def start_provider(start_server: StartServer) -> StartProvider:
    return lambda: Provider(start_server())
