"""A SQLite file whose content was changed by something else: every answer is documented, none a traceback (threats F2)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import StartServer
from tests.running import RunningServer, run_command, run_process


@pytest.mark.parametrize("table", ["families", "tallies"])
def test_a_server_on_a_damaged_file_answers_503_in_words(start_server: StartServer, table: str) -> None:
    server = start_server("--http")
    kept = server.tokens()
    assert server.stop() == 0
    overwrite(server.data_dir / "credence.sqlite", table)
    again = start_server("--http", data_dir=server.data_dir)
    refused = log_in(again) if table == "tallies" else refresh(again, kept["refresh_token"])
    assert refused[0] == 503
    assert refused[1:] == (
        "Service Unavailable",
        "The service cannot answer until its operator has repaired it. Please contact support@localhost",
    )
    ready = again.client.get("/readyz")
    while ready.status_code == 200:  # one look a second is shared
        ready = again.client.get("/readyz")
    assert (ready.status_code, ready.json()) == (503, {"status": "store damaged"})
    assert again.client.get("/livez").status_code == 200
    assert again.client.get("/oauth2/v1/keys").status_code == 200
    again.client.close()
    again.stop()
    written = again.output.read_text()
    assert "store_unavailable" in written
    assert "malformed" in written
    assert "Traceback" not in written
    assert "internal_error" not in written


@pytest.mark.parametrize("table", ["changes", "sealed_secrets", "signing_keys", "applications"])
def test_a_server_that_cannot_know_what_was_revoked_does_not_start_and_says_why(
    start_server: StartServer, table: str
) -> None:
    server = start_server("--http")
    assert server.stop() == 0
    overwrite(server.data_dir / "credence.sqlite", table)
    variables = server.variables | {"CREDENCE_PORT": "0"}
    done = run_process("serve", "--http", **variables)
    assert done.returncode != 0
    assert "malformed" in done.stderr
    assert "Traceback" not in done.stderr


def test_commands_on_a_damaged_file_say_what_to_do(start_server: StartServer) -> None:
    server = start_server("--http")
    assert server.stop() == 0
    file = server.data_dir / "credence.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE accounts SET document = '{'")
        connection.commit()
    overwrite(file, "families")
    for command in (["account", "list"], ["app", "report"], ["backup", "create", str(server.data_dir / "backup")]):
        done = run_command(*command, **server.variables)
        assert done.returncode == 6 or command[0] == "backup", command
        assert "Traceback" not in done.stderr
        if done.returncode:
            assert done.stderr.startswith("credence: The store is damaged: ")


def overwrite(file: Path, table: str) -> None:
    """Replace the first page of a table, as a failing disk or a program that is not SQLite would."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    with file.open("r+b") as stream:
        stream.seek((root - 1) * size)
        stream.write(b"\xa5" * size)


def log_in(server: RunningServer) -> tuple[int, str, str]:
    reply = server.client.post(
        "/oauth2/v1/token",
        headers=server.client_headers,
        json={"username": server.username, "password": server.password},
    )
    (error,) = reply.json()["errors"]
    return reply.status_code, error["errorType"], error["message"]


def refresh(server: RunningServer, refresh_token: str) -> tuple[int, str, str]:
    reply = server.client.post(
        "/oauth2/v1/token",
        headers=server.client_headers | {"grant_type": "refresh_token", "refresh_token": refresh_token},
    )
    (error,) = reply.json()["errors"]
    return reply.status_code, error["errorType"], error["message"]
