"""A node whose database does not answer starts unready and waits; the service manager learns of both (threats F9)."""

import os
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from credence.background.service_manager import SILENCE_SECONDS
from tests.conftest import StartServer
from tests.forked import ForkedProcess
from tests.nodes import shared
from tests.ports import free_port
from tests.running import clean_environment, run_command
from tests.waiting import wait_until
from tests.wire import wire

PATIENCE = 60.0

PRODUCTION = {
    "CREDENCE_ENVIRONMENT": "production",
    "CREDENCE_PASSWORD_PROFILE": "standard",
    "CREDENCE_SUPPORT_EMAIL": "support@example.com",
    "CREDENCE_HTTP": "true",
}


@contextmanager
def served(folder: Path, **variables: str) -> Iterator[tuple[httpx.Client, Path]]:
    """Start a node, ready or not, and yield a client of it and what it prints."""
    port, output = free_port(), folder / "output.txt"
    own = {"CREDENCE_PORT": str(port), "CREDENCE_DATA_DIR": str(folder / "data")}
    process = ForkedProcess(["serve"], clean_environment(**(PRODUCTION | own | variables)), output)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=30) as client:
        try:
            wait_until(lambda: answers(client), PATIENCE)
            yield client, output
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def answers(client: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        return client.get("/livez").status_code == 200
    return False


def test_a_node_whose_database_is_away_waits_for_it_and_then_serves(tmp_path: Path, postgres: str) -> None:
    port = int(postgres.rpartition(":")[2].partition("/")[0])
    with wire(port) as path:
        path.silent = True
        away = shared(postgres.replace(f":{port}/", f":{path.port}/"))
        with served(tmp_path, **away) as (client, output):
            ready = client.get("/readyz")
            assert (ready.status_code, ready.json()) == (503, {"status": "store unavailable"})
            refused = client.post("/oauth2/v1/token", json={})
            assert (refused.status_code, refused.json()["success"]) == (500, False)
            assert refused.headers["x-request-id"]
            assert client.get("/nowhere").status_code == 404
            wait_until(lambda: "The node waits for it." in output.read_text(), PATIENCE)
            path.silent = False
            wait_until(lambda: client.get("/readyz").status_code == 200, PATIENCE)
            variables = PRODUCTION | shared(postgres) | {"CREDENCE_DATA_DIR": str(tmp_path / "data")}
            assert run_command("app", "create", "Ledger", **variables).returncode == 0
            wait_until(lambda: '"store_available"' in output.read_text(), PATIENCE)
            assert "Traceback" not in output.read_text()


def test_a_command_says_by_its_exit_code_that_the_store_is_away(tmp_path: Path) -> None:
    away = shared("postgresql://credence@127.0.0.1:1/credence")
    done = run_command("account", "list", CREDENCE_DATA_DIR=str(tmp_path), **away)
    assert (done.returncode, done.stderr.startswith("credence: The store is unavailable")) == (5, True)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket on which a service manager listens (sd_notify(3))."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(PATIENCE)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        yield listening


def test_the_service_manager_is_told_of_readiness_and_of_a_worker_that_stands_still(
    start_server: StartServer, manager: socket.socket
) -> None:
    server = start_server("--http", NOTIFY_SOCKET=manager.getsockname())
    assert told(manager) == ("READY=1\nWATCHDOG=1", server.process.pid)
    assert told(manager) == ("WATCHDOG=1", server.process.pid)
    worker = worker_of(server.process.pid)
    os.kill(worker, signal.SIGSTOP)
    try:
        manager.settimeout(SILENCE_SECONDS / 2)
        assert falls_silent(manager)
    finally:
        os.kill(worker, signal.SIGCONT)
    manager.settimeout(PATIENCE)
    assert told(manager)[0] == "WATCHDOG=1"


def falls_silent(manager: socket.socket) -> bool:
    """Return whether the messages end; those sent before are read first."""
    with suppress(TimeoutError):
        for _ in range(100):
            told(manager)
        return False
    return True


def told(manager: socket.socket) -> tuple[str, int]:
    """Return the next message and the process that sent it: systemd takes messages of the first process alone."""
    text, ancillary, _, _ = manager.recvmsg(4_096, socket.CMSG_SPACE(12))
    ((_, _, credentials),) = ancillary
    return text.decode(), struct.unpack("3i", credentials)[0]


def worker_of(parent: int) -> int:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return int(children[-1])
