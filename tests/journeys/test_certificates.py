"""Certificates that end, change or are wrong while a server runs (threats E6)."""

import datetime as dt
import os
import signal
import ssl
import subprocess
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.conftest import StartServer
from tests.ports import free_port
from tests.running import RunningServer, run_command
from tests.waiting import wait_until

PATIENCE = 60.0
"""Seconds for a reload on a busy machine: a look every two, six for each worker, and the start of a process."""


def make(folder: Path, name: str, *, days: int = 90, ends: dt.datetime | None = None) -> tuple[Path, Path]:
    """Have OpenSSL make a certificate for localhost, signed by its own key, and return both files."""
    folder.mkdir(exist_ok=True)
    chain, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    now = dt.datetime.now(dt.UTC)
    ends = ends or now + dt.timedelta(days=days)
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-subj",
        "/CN=x",
    ]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(chain)]
    clock = ["faketime", f"{ends - dt.timedelta(days=90):%Y-%m-%d %H:%M:%S}"]
    subprocess.run([*clock, *command, "-days", "90"], check=True, capture_output=True)
    key.chmod(0o600)
    return chain, key


def put(pair: tuple[Path, Path], target: tuple[Path, Path]) -> None:
    """Put a pair in place of another, as programs that renew certificates do: each file by a rename."""
    for source, file in zip(pair, target, strict=True):
        draft = file.with_name(f"{file.name}.draft")
        draft.write_bytes(source.read_bytes())
        draft.chmod(0o600)
        draft.replace(file)


def served(server: RunningServer) -> bytes:
    """Return the certificate that a new connection gets."""
    port = int(server.base_url.rsplit(":", 1)[1])
    return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("localhost", port), timeout=60))


def der(chain: Path) -> bytes:
    return ssl.PEM_cert_to_DER_cert(chain.read_text())


@pytest.fixture
def server(start_server: StartServer) -> RunningServer:
    """A sandbox, whose pair a test replaces."""
    server = start_server()
    assert served(server)
    return server


def files(server: RunningServer) -> tuple[Path, Path]:
    return server.data_dir / "tls" / "server.pem", server.data_dir / "tls" / "server-key.pem"


@pytest.mark.parametrize("way", ["the files change", "SIGHUP"])
def test_a_new_pair_is_taken_without_a_restart_and_a_wrong_one_is_not(
    server: RunningServer, tmp_path: Path, way: str
) -> None:
    first, old = served(server), tuple(file.read_bytes() for file in files(server))
    one, two = make(tmp_path / "new", "one"), make(tmp_path / "new", "two")
    token = server.tokens()["access_token"]

    def announce() -> None:
        if way == "SIGHUP":
            os.kill(server.process.pid, signal.SIGHUP)

    for wrong, fault in (
        ((one[0], two[1]), "does not belong to the certificate"),
        (make(tmp_path / "new", "ended", ends=dt.datetime.now(dt.UTC) - dt.timedelta(days=1)), "expired on"),
        ((tmp_path / "half", one[1]), "does not hold a complete certificate"),
    ):
        (tmp_path / "half").write_bytes(one[0].read_bytes()[:200])
        put((Path(wrong[0]), Path(wrong[1])), files(server))
        announce()
        wait_until(partial(printed, server, fault), PATIENCE)
        assert served(server) == first
    wait_until(lambda: server.output.read_text().count("certificate_refused") >= 3, PATIENCE)
    # A worker that dies meanwhile is replaced by one with the pair that was checked.
    kill_a_worker(server)
    wait_until(lambda: is_alive(server), PATIENCE)
    assert served(server) == first

    put(one, files(server))
    announce()
    wait_until(lambda: "certificate_taken" in server.output.read_text(), PATIENCE)
    wait_until(lambda: is_alive(server) and served(server) == der(one[0]), PATIENCE)
    assert server.process.poll() is None
    for file, content in zip(files(server), old, strict=True):
        file.write_bytes(content)
    announce()
    wait_until(lambda: is_alive(server) and served(server) == first, PATIENCE)
    wait_until(lambda: answers(server, token), PATIENCE)  # its client trusts the authority of the sandbox alone
    assert "Traceback" not in server.output.read_text()


def printed(server: RunningServer, text: str) -> bool:
    return text in server.output.read_text()


def is_alive(server: RunningServer) -> bool:
    try:
        served(server)
    except OSError:
        return False
    return True


def answers(server: RunningServer, token: str) -> bool:
    try:
        return server.report(token).status_code == 200
    except httpx.TransportError:
        return False


def kill_a_worker(server: RunningServer) -> None:
    os.kill(workers_of(server)[0], signal.SIGKILL)


def workers_of(server: RunningServer) -> list[int]:
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(child) for child in children]


@pytest.mark.parametrize(
    ("ends", "words"), [(-1, "expired on"), (91, "is not valid before")], ids=["expired", "not yet valid"]
)
def test_a_certificate_that_is_not_valid_today_is_refused_before_the_start(
    tmp_path: Path, ends: int, words: str
) -> None:
    chain, key = make(tmp_path / "own", "own", ends=dt.datetime.now(dt.UTC) + dt.timedelta(days=ends))
    variables = {
        "CREDENCE_TLS_CERTIFICATE": str(chain),
        "CREDENCE_TLS_KEY": str(key),
        "CREDENCE_DATA_DIR": str(tmp_path / "data"),
        "CREDENCE_PORT": str(free_port()),
    }
    for command in (["config", "check"], ["serve"]):
        done = run_command(*command, **variables)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"The certificate in {chain} {words}" in done.stderr
    assert not (tmp_path / "data" / "credence.sqlite").exists()


def test_a_check_opens_what_a_start_opens(tmp_path: Path, start_server: StartServer) -> None:
    one, two = make(tmp_path / "own", "one"), make(tmp_path / "own", "two")
    pair = {"CREDENCE_TLS_CERTIFICATE": str(one[0]), "CREDENCE_TLS_KEY": str(one[1])}
    server = start_server("--http")
    data = {"CREDENCE_DATA_DIR": str(server.data_dir)}
    away = {"CREDENCE_STORE": f"postgresql://127.0.0.1:{free_port()}/x", "CREDENCE_KEY_ENCRYPTION_KEY": "01" * 32}
    for wrong, code, words in (
        ({"CREDENCE_TLS_KEY": str(two[1])}, 2, "does not belong to the certificate"),
        ({"CREDENCE_TLS_CERTIFICATE": "/nowhere"}, 2, "does not exist"),
        ({"CREDENCE_KEY_ENCRYPTION_KEY": "0123456789abcdef" * 4}, 4, "does not open this store"),
        ({"CREDENCE_COUNTERS_URL": f"redis://127.0.0.1:{free_port()}"}, 4, "CREDENCE_COUNTERS_URL"),
        (away, 5, "The store is unavailable"),
    ):
        variables = pair | data | wrong
        done = run_command("config", "check", **variables)
        assert (done.returncode, done.stdout) == (code, ""), (wrong, done)
        assert words in done.stderr
        assert run_command("config", "check", "--settings-only", **variables).returncode == 0
    assert run_command("config", "check", **pair, **data).returncode == 0
