"""`credence serve` refuses to start in one clear line, or one for each setting, and exit code 2 (D18)."""

import os
import signal
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from credence.cli import serve
from credence.sandbox.certificates import ensure_certificates
from tests.cli.deployment import Deployment
from tests.conftest import StartServer
from tests.ports import free_port
from tests.running import PROGRAM, RunningServer, clean_environment

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
    line = deployment.refused("serve", "--port", "0", **OTHER_KEY)
    assert line == "The key-encryption key does not open this store: use the one it was made with."


def test_a_store_of_a_newer_credence_is_left_alone(deployment: Deployment) -> None:
    deployment.run("app", "create", "Shop")
    with sqlite3.connect(deployment.data_dir / "credence.sqlite") as store:
        store.execute("PRAGMA user_version = 999")
    store.close()
    assert deployment.refused("serve", "--port", "0").startswith("The store has schema 999,")


def test_a_store_that_is_no_store_is_said_in_one_line(deployment: Deployment) -> None:
    deployment.data_dir.mkdir()
    (deployment.data_dir / "key-encryption-key").write_text("0123456789abcdef" * 4)
    (deployment.data_dir / "credence.sqlite").write_text("not a database, but a text that is long enough" * 10)
    assert deployment.refused("serve", "--port", "0").startswith("The store is damaged:")


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
    said = deployment.refused("serve", **{"CREDENCE_PORT": "0", variable: value})
    assert said.startswith(line)
    assert value not in said


@pytest.mark.parametrize(
    "url", ["redis://:s3cret/2@localhost:6379/0", "rediss://:s3cret#2@localhost", "redis://a:s3cret"]
)
def test_a_password_that_breaks_the_address_of_the_counters_is_not_repeated(deployment: Deployment, url: str) -> None:
    """threats I9: it stands where a port would."""
    said = deployment.refused("serve", CREDENCE_PORT="0", CREDENCE_COUNTERS_URL=url)
    assert said.startswith("CREDENCE_COUNTERS_URL: the port is not a number;")
    assert "s3cret" not in said


def test_metrics_do_not_take_the_port_of_the_service(deployment: Deployment) -> None:
    port = str(free_port())
    said = deployment.refused("serve", CREDENCE_PORT=port, CREDENCE_METRICS_PORT=port)
    assert said.startswith("CREDENCE_METRICS_PORT: ")


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"CREDENCE_CLIENT_CERTIFICATE_HEADER": "Client-Cert"}, "CREDENCE_CLIENT_CERTIFICATE_HEADER: certificates are"),
        ({"CREDENCE_UNVERIFIED_CERTIFICATE_HEADER": "X"}, "CREDENCE_UNVERIFIED_CERTIFICATE_HEADER: certificates are"),
        (
            {
                "CREDENCE_CLIENT_CERTIFICATE_HEADER": "Client-Cert",
                "CREDENCE_UNVERIFIED_CERTIFICATE_HEADER": "client-cert",
                "CREDENCE_TRUSTED_PROXIES": "127.0.0.1",
            },
            "CREDENCE_UNVERIFIED_CERTIFICATE_HEADER: set a header other than",
        ),
        ({"CREDENCE_CLIENT_CERTIFICATE_HEADER": "Authorization"}, "CREDENCE_CLIENT_CERTIFICATE_HEADER is not valid"),
        ({"CREDENCE_CLIENT_CERTIFICATE_HEADER": "Client_Cert"}, "CREDENCE_CLIENT_CERTIFICATE_HEADER is not valid"),
    ],
)
def test_headers_of_certificates_that_would_be_believed_wrongly_are_refused(
    deployment: Deployment, variables: dict[str, str], said: str
) -> None:
    """RFC 9440 §4, RFC 8705 §6.5, threats I8."""
    assert deployment.refused("serve", **variables).startswith(said)


@pytest.mark.parametrize("port", ["0", "8443"])
def test_a_host_that_is_not_here_leaves_the_certificates_that_clients_trust(deployment: Deployment, port: str) -> None:
    ensure_certificates(deployment.data_dir / "tls", "127.0.0.1")
    before = {file: file.read_bytes() for file in (deployment.data_dir / "tls").iterdir()}
    line = deployment.refused("serve", "--host", "192.0.2.1", "--port", port)
    assert line.startswith(f"Nothing can listen on 192.0.2.1 port {port}: ")
    assert {file: file.read_bytes() for file in (deployment.data_dir / "tls").iterdir()} == before


def test_a_second_server_on_a_folder_is_refused_in_one_line_and_changes_nothing(
    sandbox: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "MAX_LOCK_WAIT_SECONDS", 0.1)
    before = (sandbox.data_dir / "sandbox.json").stat()
    line = Deployment(sandbox.data_dir).refused("serve", "--port", "0")
    assert line == (f"Another server serves {sandbox.data_dir}: stop it, or choose another folder with --data-dir.")
    assert (sandbox.data_dir / "sandbox.json").stat() == before


def test_a_server_that_is_about_to_end_is_waited_for(tmp_path: Path) -> None:
    with serve.serving_alone(tmp_path) as ending:
        threading.Timer(0.3, ending.close).start()
        with serve.serving_alone(tmp_path) as lock:
            assert not lock.closed


def test_a_killed_server_frees_its_folder_though_its_worker_still_runs(start_server: StartServer) -> None:
    server = start_server("--http")
    master = server.process.pid
    workers = [int(each) for each in Path(f"/proc/{master}/task/{master}/children").read_text().split()]
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    try:
        os.kill(master, signal.SIGKILL)
        server.process.wait()
        assert start_server("--http", data_dir=server.data_dir).tokens()
    finally:
        os.killpg(master, signal.SIGKILL)
    assert workers


def test_a_store_whose_key_is_missing_gets_no_new_one(deployment: Deployment) -> None:
    deployment.json("app", "create", "Shop")
    key = deployment.data_dir / "key-encryption-key"
    key.unlink()
    for arguments in (("serve", "--port", "0"), ("app", "create", "Shop")):
        assert deployment.refused(*arguments) == (
            f"The key-encryption key {key} is missing: put it back. A new key would not open the existing store."
        )
        assert not key.exists()


def test_an_account_may_be_made_before_anything_needs_the_key(deployment: Deployment) -> None:
    deployment.create_account()
    assert deployment.json("app", "create", "Shop")["client_id"]


@pytest.mark.parametrize(
    ("certificate", "key", "fault"),
    [
        ("none", "server-key", "none of the TLS settings does not exist."),
        ("server", "none", "none of the TLS settings does not exist."),
        ("text", "server-key", "text of the TLS settings does not hold a complete certificate in PEM."),
        ("server-half", "server-key", "server-half of the TLS settings does not hold a complete certificate in PEM."),
        ("server", "text", "text of the TLS settings does not hold a complete private key in PEM."),
        (
            "server",
            "server-key-half",
            "server-key-half of the TLS settings does not hold a complete private key in PEM.",
        ),
        ("server", "ca-key", "does not belong to the certificate in"),
        ("server", "encrypted", "encrypted of the TLS settings is encrypted: decrypt it first."),
    ],
)
def test_a_certificate_that_cannot_be_served_with_is_named_before_anything_is_made(
    deployment: Deployment, tmp_path: Path, certificate: str, key: str, fault: str
) -> None:
    folder = tmp_path / "own"
    ensure_certificates(folder, "127.0.0.1")
    for file in list(folder.iterdir()):
        file.rename(folder / file.stem)
        (folder / f"{file.stem}-half").write_bytes((folder / file.stem).read_bytes()[:100])
    (folder / "text").write_text("not PEM at all")
    private = serialization.load_pem_private_key((folder / "server-key").read_bytes(), None)
    (folder / "encrypted").write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"word"),
        )
    )
    line = deployment.refused(
        "serve",
        "--port",
        str(free_port()),
        CREDENCE_TLS_CERTIFICATE=str(folder / certificate),
        CREDENCE_TLS_KEY=str(folder / key),
    )
    assert fault in line
    assert not (deployment.data_dir / "credence.sqlite").exists()


def test_the_command_line_wins_over_the_variable(start_server: StartServer) -> None:
    server = start_server("--base-url", "https://told.example.com", CREDENCE_BASE_URL="https://variable.example.com")
    assert server.client.get("/.well-known/openid-configuration").json()["issuer"] == "https://told.example.com"


def test_a_server_stops_when_told_to(start_server: StartServer) -> None:
    server = start_server()
    assert server.stop() in (0, -signal.SIGTERM)


def test_the_installed_command_answers_a_usage_error_in_one_line(tmp_path: Path) -> None:
    command, variables = [*PROGRAM, "frobnicate"], clean_environment(CREDENCE_DATA_DIR=str(tmp_path))
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "credence: No such command 'frobnicate'. See python -m credence --help.\n",
    )
