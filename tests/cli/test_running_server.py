"""What a command changes, a running server follows at once: through the change log, with the next request (D11, D14)."""

import json
from typing import Any

import pytest

from tests.conftest import StartServer
from tests.running import RunningServer

PASSWORD = "a password of 27 characters"


@pytest.fixture
def server(start_server: StartServer) -> RunningServer:
    return start_server()


def login(server: RunningServer, username: str, password: str, **client: str) -> tuple[int, str]:
    """Status, and the access token or the message."""
    reply = server.client.post(
        "/oauth2/v1/token",
        headers=client or server.client_headers,
        json={"username": username, "password": password},
    )
    body = reply.json()
    return reply.status_code, body["access_token"] if reply.status_code == 200 else body["errors"][0]["message"]


def changed(server: RunningServer, *arguments: str, stdin: str = "") -> dict[str, Any]:
    done = server.command(*arguments, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_a_new_account_and_a_new_application_are_known_at_once(server: RunningServer) -> None:
    assert login(server, "ada", PASSWORD)[0] == 401
    changed(server, "account", "create", "ada", "--type", "user", "--password-stdin", stdin=PASSWORD)
    made = changed(server, "app", "create", "Shop")
    client = {"client_id": made["client_id"], "client_secret": made["client_secret"]}
    status, token = login(server, "ada", PASSWORD, **client)
    assert status == 200
    assert server.report(token).status_code == 200


def test_suspending_an_account_kills_its_tokens_at_once(server: RunningServer) -> None:
    token = server.tokens()["access_token"]
    assert server.report(token).status_code == 200
    changed(server, "account", "status", server.username, "suspended")
    assert server.report(token).status_code == 401
    status, message = login(server, server.username, server.password)
    assert status == 401
    assert message.startswith("Your account is in invalid state.")
    changed(server, "account", "status", server.username, "active")
    assert server.report(token).status_code == 401  # what is dead stays dead
    assert login(server, server.username, server.password)[0] == 200


def test_a_new_password_replaces_the_remembered_one_at_once(server: RunningServer) -> None:
    token = server.tokens()["access_token"]
    changed(server, "account", "set-password", server.username, "--password-stdin", stdin=PASSWORD)
    assert login(server, server.username, server.password)[0] == 401
    assert login(server, server.username, PASSWORD)[0] == 200
    assert server.report(token).status_code == 401


def test_disabling_an_application_stops_it_at_once(server: RunningServer) -> None:
    token = server.tokens()["access_token"]
    changed(server, "app", "set", server.client_id, "--disable")
    assert server.report(token).status_code == 401
    assert login(server, server.username, server.password)[1] == (
        "Access is denied due to invalid client id or client secret."
    )
    changed(server, "app", "set", server.client_id, "--enable")
    assert login(server, server.username, server.password)[0] == 200


def test_both_secrets_work_while_one_is_rolled_out(server: RunningServer) -> None:
    new = changed(server, "app", "rotate-secret", server.client_id)["client_secret"]
    for secret in (server.client_secret, new):
        client = {"client_id": server.client_id, "client_secret": secret}
        assert login(server, server.username, server.password, **client)[0] == 200
    changed(server, "app", "rotate-secret", server.client_id, "--keep-old", "0")
    client = {"client_id": server.client_id, "client_secret": new}
    assert login(server, server.username, server.password, **client)[0] == 401


def test_a_rule_forbids_from_the_next_call_on(server: RunningServer) -> None:
    token = server.tokens()["access_token"]
    changed(server, "app", "rules", server.client_id, "--networks", "192.0.2.0/24")
    assert server.report(token).status_code == 403
    changed(server, "app", "rules", server.client_id, "--networks", "")
    assert server.report(token).status_code == 200


def test_an_inspected_token_says_whether_it_is_good(server: RunningServer) -> None:
    tokens = server.tokens()
    said = changed(server, "token", "inspect", tokens["access_token"])
    assert (said["state"], said["sub"], said["client_id"]) == ("valid", server.username, server.client_id)
    family = changed(server, "token", "inspect", "-", stdin=tokens["refresh_token"] + "\n")
    assert (family["state"], family["sub"], family["generation"]) == ("valid", server.username, 0)
    changed(server, "token", "revoke", tokens["access_token"])
    assert changed(server, "token", "inspect", tokens["access_token"])["state"] == "revoked"
    assert changed(server, "token", "inspect", tokens["refresh_token"])["state"] == "valid"  # D11: it takes only itself


def test_a_revoked_refresh_token_takes_its_family_with_it_at_once(server: RunningServer) -> None:
    tokens = server.tokens()
    changed(server, "token", "revoke", "-", stdin=tokens["refresh_token"])
    assert server.report(tokens["access_token"]).status_code == 401
    assert changed(server, "token", "inspect", tokens["refresh_token"])["state"] == "revoked"


def test_a_foreign_token_is_told_apart(server: RunningServer) -> None:
    done = server.command("token", "inspect", "not.a.token")
    assert (done.returncode, done.stderr) == (2, "credence: This is not a token of this deployment.\n")
