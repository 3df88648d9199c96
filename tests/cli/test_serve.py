"""`credence serve` refuses to start in one clear line, or one for each setting, and exit code 2 (D18)."""

import signal
import sqlite3
from pathlib import Path

import pytest

from tests.cli.deployment import Deployment
from tests.conftest import StartServer
from tests.running import RunningServer, free_port, run_command

KEY = {"CREDENCE_KEY_ENCRYPTION_KEY": "ab" * 32}
OTHER_KEY = {"CREDENCE_KEY_ENCRYPTION_KEY": "cd" * 32}


def test_an_unsafe_environment_names_every_fix(deployment: Deployment) -> None:
    done = deployment.run("serve", "--environment", "production", CREDENCE_PASSWORD_PROFILE="testing")
    assert done.returncode == 2
    assert done.stdout == ""
    named = [line.removeprefix("credence: ").split(":")[0] for line in done.stderr.splitlines()]
    assert named == [
        "CREDENCE_BASE_URL",
        "CREDENCE_TLS_CERTIFICATE and CREDENCE_TLS_KEY",
        "CREDENCE_KEY_ENCRYPTION_KEY_FILE",
        "CREDENCE_PASSWORD_PROFILE",
        "CREDENCE_SUPPORT_EMAIL",
    ]
    assert not deployment.data_dir.exists()


def test_a_port_in_use_is_said_in_one_line(sandbox: RunningServer, deployment: Deployment) -> None:
    port = sandbox.variables["CREDENCE_PORT"]
    line = deployment.refused("serve", "--port", port)
    assert line == f"Nothing can listen on 127.0.0.1 port {port}: Address already in use. Choose --host or --port."


def test_a_wrong_key_is_said_in_one_line(deployment: Deployment) -> None:
    assert deployment.run("app", "create", "Shop", **KEY).returncode == 0
    line = deployment.refused("serve", "--port", str(free_port()), **OTHER_KEY)
    assert line == "The key-encryption key does not open this store: use the one it was made with."


def test_a_store_of_a_newer_credence_is_left_alone(deployment: Deployment) -> None:
    deployment.run("app", "create", "Shop")
    with sqlite3.connect(deployment.data_dir / "credence.sqlite") as store:
        store.execute("PRAGMA user_version = 999")
    store.close()
    assert deployment.refused("serve", "--port", str(free_port())).startswith("The store has schema 999,")


def test_a_store_that_is_no_store_is_said_in_one_line(deployment: Deployment) -> None:
    deployment.data_dir.mkdir()
    (deployment.data_dir / "credence.sqlite").write_text("not a database, but a text that is long enough" * 10)
    assert deployment.refused("serve", "--port", str(free_port())).startswith("The store is unavailable:")


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("CREDENCE_PORT", "s3cret", "CREDENCE_PORT is not valid: Input should be a valid integer"),
        ("CREDENCE_TRUSTED_PROXIES", "s3cret", "CREDENCE_TRUSTED_PROXIES is not valid: Networks whose forwarded"),
        ("CREDENCE_ALGORITHM", "s3cret", "CREDENCE_ALGORITHM is not valid: must be one of RS256"),
        ("CREDENCE_KEY_ENCRYPTION_KEY", "s3cret", "CREDENCE_KEY_ENCRYPTION_KEY must hold 64 hexadecimal digits."),
    ],
)
def test_a_variable_that_cannot_be_read_is_named_and_not_repeated(
    deployment: Deployment, variable: str, value: str, line: str
) -> None:
    said = deployment.refused("serve", **{variable: value})
    assert said.startswith(line)
    assert value not in said


def test_the_command_line_wins_over_the_variable(start_server: StartServer) -> None:
    server = start_server("--base-url", "https://told.example.com", CREDENCE_BASE_URL="https://variable.example.com")
    assert server.client.get("/.well-known/openid-configuration").json()["issuer"] == "https://told.example.com"


def test_a_server_stops_when_told_to(start_server: StartServer) -> None:
    server = start_server()
    assert server.stop() in (0, -signal.SIGTERM)


def test_the_installed_command_answers_a_usage_error_in_one_line(tmp_path: Path) -> None:
    done = run_command("frobnicate", CREDENCE_DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "credence: No such command 'frobnicate'.\n")
