"""What an operator sees of a guesser and can do about him, while the server runs (threats A4, A5)."""

from typing import Any

import httpx
import pytest

from tests.conftest import StartServer
from tests.running import RunningServer


@pytest.fixture
def server(start_server: StartServer) -> RunningServer:
    return start_server("--http", CREDENCE_PASSWORD_PROFILE="testing")


def _login(server: RunningServer, password: str) -> httpx.Response:
    body = {"username": server.username, "password": password}
    return server.client.post("/oauth2/v1/token", headers=server.client_headers, json=body)


def _shown(server: RunningServer, command: str) -> dict[str, Any]:
    done = server.command("account", command, server.username)
    assert done.returncode == 0, done.stderr
    return dict(line.split(maxsplit=1) for line in done.stdout.splitlines())


def test_wrong_passwords_are_shown_and_unlock_forgets_them_at_once(server: RunningServer) -> None:
    for number in range(7):
        assert _login(server, f"wrong horse battery {number}").status_code == 401
    shown = _shown(server, "attempts")
    assert (shown["wrong_passwords"], shown["unknown_origins_throttled"]) == (
        "5",
        "no",
    )  # the last two were not looked at
    assert _login(server, server.password).status_code == 401
    assert server.command("account", "unlock", server.username).returncode == 0
    assert _shown(server, "attempts")["wrong_passwords"] == "0"
    assert _login(server, server.password).status_code == 200


def test_a_restart_forgets_nothing(start_server: StartServer, server: RunningServer) -> None:
    """threats A4, L7: on a real file."""
    for number in range(5):
        assert _login(server, f"wrong horse battery {number}").status_code == 401
    server.stop()
    again = start_server("--http", data_dir=server.data_dir, CREDENCE_PASSWORD_PROFILE="testing")
    assert _login(again, again.password).status_code == 401


def test_an_account_that_is_not_there_cannot_be_unlocked(server: RunningServer) -> None:
    done = server.command("account", "unlock", "nobody")
    assert done.returncode == 3
    assert done.stderr == "credence: There is no account 'nobody'.\n"
