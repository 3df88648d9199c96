"""A copy of an older SQLite file put in place of the newest revives nothing (threats F6, I2)."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.conftest import StartServer
from tests.running import RunningServer, run_command
from tests.waiting import wait_until

PATIENCE = 60.0
"""Seconds for a line of the log, which a thread writes, on a busy machine."""

NAMES = ("credence.sqlite", "credence.sqlite-wal", "credence.sqlite-shm")


def test_an_older_copy_is_refused_and_a_backup_of_it_revives_nothing(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server("--http")
    revoked = server.tokens()
    copy(server.data_dir, tmp_path / "older")
    revoke(server, revoked["refresh_token"])
    assert server.stop() == 0
    shutil.copytree(server.data_dir, tmp_path / "newest")

    for name in NAMES:
        (server.data_dir / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "older" / NAMES[0], server.data_dir / NAMES[0])
    for command in (["serve", "--http"], ["account", "list"], ["app", "create", "x"], ["token", "revoke", "none"]):
        done = run_command(*command, **server.variables)
        assert (done.returncode, done.stdout) == (4, "")
        assert "is an older copy of the store that was used here" in done.stderr
        assert "Traceback" not in done.stderr

    # The way out that the message names.
    assert run_command("backup", "create", str(tmp_path / "backup"), **server.variables).returncode == 0
    for name in NAMES:
        (server.data_dir / name).unlink(missing_ok=True)
    assert run_command("backup", "restore", str(tmp_path / "backup"), **server.variables).returncode == 0
    restored = start_server("--http", data_dir=server.data_dir, CREDENCE_BASE_URL=server.base_url.rstrip("/"))
    assert restored.report(revoked["access_token"]).status_code == 401
    assert refresh(restored, revoked["refresh_token"]) == 401
    assert restored.stop() == 0

    # Not even the newest file from before the restore is taken back: what was revoked after the restore is not in it.
    for name in NAMES:
        (server.data_dir / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "newest" / NAMES[0], server.data_dir / NAMES[0])
    assert "is an older copy" in run_command("account", "list", **server.variables).stderr


def test_a_spent_refresh_token_alone_makes_a_copy_older(start_server: StartServer, tmp_path: Path) -> None:
    """A rotation is no entry of the change log, and undoing it would let the spent token refresh again."""
    server = start_server("--http")
    token = server.tokens()["refresh_token"]
    copy(server.data_dir, tmp_path / "older")
    assert refresh(server, token) == 200
    assert server.stop() == 0
    for name in NAMES:
        (server.data_dir / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "older" / NAMES[0], server.data_dir / NAMES[0])
    assert "is an older copy" in run_command("serve", "--http", **server.variables).stderr


def test_a_file_that_is_put_back_under_a_running_server_is_noticed(start_server: StartServer, tmp_path: Path) -> None:
    """The content of the file is replaced, as `cp` does, while the server has it open."""
    server = start_server("--http")
    copy(server.data_dir, tmp_path / "older")
    for _ in range(3):
        server.tokens()
    with (
        closing(sqlite3.connect(tmp_path / "older" / NAMES[0])) as older,
        closing(sqlite3.connect(server.data_dir / NAMES[0], timeout=10)) as newest,
    ):
        older.backup(newest)
    reply = server.client.post(
        "/oauth2/v1/token",
        headers=server.client_headers,
        json={"username": server.username, "password": server.password},
    )
    assert reply.status_code == 503
    wait_until(lambda: "an older copy of the file was put in its place" in server.output.read_text(), PATIENCE)


def test_an_ordinary_restart_a_kill_and_a_store_of_an_earlier_version_are_no_older_copies(
    start_server: StartServer,
) -> None:
    server = start_server("--http")
    server.tokens()
    server.process.kill()
    server.process.wait()
    (server.data_dir / "credence.sqlite-mark").unlink()
    with closing(sqlite3.connect(server.data_dir / NAMES[0])) as database:
        database.execute("PRAGMA application_id = 0")  # as version 0.2 leaves it
    again = start_server("--http", data_dir=server.data_dir)
    again.tokens()
    assert again.command("account", "list").returncode == 0
    again.process.kill()
    again.process.wait()
    third = start_server("--http", data_dir=server.data_dir)
    third.tokens()
    with closing(sqlite3.connect(server.data_dir / NAMES[0])) as database:
        database.execute("PRAGMA application_id = 0")
    assert "is an older copy" in run_command("account", "list", **server.variables).stderr


def copy(data_dir: Path, to: Path) -> None:
    """Copy the database as a backup program does, in a state of one moment."""
    to.mkdir()
    with closing(sqlite3.connect(data_dir / NAMES[0])) as kept, closing(sqlite3.connect(to / NAMES[0])) as target:
        kept.backup(target)


def revoke(server: RunningServer, token: str) -> None:
    reply = server.client.post("/oauth2/v1/revokeToken", headers=server.client_headers | {"token": token})
    assert reply.status_code == 200


def refresh(server: RunningServer, token: str) -> int:
    headers = server.client_headers | {"grant_type": "refresh_token", "refresh_token": token}
    return server.client.post("/oauth2/v1/token", headers=headers).status_code
