"""A running sandbox moves from a SQLite file to PostgreSQL: its tokens stay good, and the old server issues no more."""

from pathlib import Path

import httpx

from tests.conftest import StartServer
from tests.postgres import PASSWORD
from tests.running import RunningServer, start
from tests.waiting import wait_until

REVOKE_PATH = "/oauth2/v1/revokeToken"


def test_a_running_deployment_moves_and_its_tokens_stay_good(
    start_server: StartServer, postgres: str, tmp_path: Path
) -> None:
    old = start_server("--http")
    live, revoked, rotated = old.tokens(), old.tokens(), old.tokens()
    successor = refreshed(old, rotated).json()
    assert revoke(old, revoked["refresh_token"]).status_code == 200

    copied = old.command("store", "copy", str(old.data_dir), postgres)
    assert copied.returncode == 0, copied.stderr
    assert PASSWORD not in copied.stdout + copied.stderr

    # threats L1: no fork. The old server neither logs in nor refreshes nor says that it revoked.
    assert log_in(old).status_code == 500
    assert refreshed(old, live).status_code == 500
    assert revoke(old, live["refresh_token"]).status_code == 500
    assert old.report(live["access_token"]).status_code == 500  # a revocation elsewhere would not reach it (threats L9)
    wait_until(lambda: old.client.get("/readyz").status_code == 503, 60)  # one look a second is shared
    wait_until(lambda: "copied elsewhere" in old.output.read_text(), 60)

    settings = {"CREDENCE_STORE": postgres, "CREDENCE_BASE_URL": old.base_url.rstrip("/")}
    new = start_server("--http", data_dir=old.data_dir, **settings) if old.stop() == 0 else None
    assert new is not None
    assert new.report(live["access_token"]).status_code == 200
    assert refreshed(new, live).status_code == 200
    assert refreshed(new, successor).status_code == 200
    assert new.report(revoked["access_token"]).status_code == 401
    assert refreshed(new, revoked).status_code == 401

    again = new.command("app", "list", "--json")
    assert again.returncode == 0, again.stderr
    forgotten = {name: value for name, value in new.variables.items() if name != "CREDENCE_STORE"}
    refused = start_refused(old.data_dir, tmp_path, forgotten)
    assert "is out of service" in refused


def log_in(server: RunningServer) -> httpx.Response:
    credentials = {"username": server.username, "password": server.password}
    return server.client.post("/oauth2/v1/token", headers=server.client_headers, json=credentials)


def refreshed(server: RunningServer, tokens: dict[str, str]) -> httpx.Response:
    return server.client.post(
        "/oauth2/v1/token",
        headers=server.client_headers,
        json={"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
    )


def revoke(server: RunningServer, token: str) -> httpx.Response:
    return server.client.post(REVOKE_PATH, headers=server.client_headers | {"token": token})


def start_refused(data_dir: Path, tmp_path: Path, variables: dict[str, str]) -> str:
    """What a server on the old store says, which must not start."""
    output = tmp_path / "refused.txt"
    settings = {name: value for name, value in variables.items() if name not in {"CREDENCE_DATA_DIR", "CREDENCE_PORT"}}
    try:
        server = start(data_dir, output, "--http", **settings)
    except AssertionError:
        return output.read_text()
    server.stop()
    raise AssertionError("it started")
