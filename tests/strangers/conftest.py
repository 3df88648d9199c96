"""Fixtures: `provider`, shared by every test that changes no key, and `start_provider` for those that do.

Applications may register at the shared one.
"""

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import StartServer
from tests.running import start
from tests.strangers.provider import Provider

StartProvider = Callable[[], Provider]


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    folder = tmp_path_factory.mktemp("provider")
    server = start(folder / "data", folder / "output.txt", CREDENCE_REGISTRATION="on")
    yield Provider(server)
    server.stop()


@pytest.fixture
def trusted_by_requests(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """The provider, whose authority is trusted by requests and all that is built on it."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(provider.ca_file))
    return provider


@pytest.fixture
def start_provider(start_server: StartServer) -> StartProvider:
    return lambda: Provider(start_server())
