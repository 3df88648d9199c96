"""What becomes of the processes (threats F1, F8)."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import httpx

from tests.conftest import StartServer
from tests.metrics import figure
from tests.nodes import nodes
from tests.ports import free_port
from tests.running import RunningServer
from tests.waiting import wait_until

PATIENCE = 60.0
"""Seconds for the start of a process on a busy machine."""


def test_a_worker_does_not_outlive_the_process_that_started_it(start_server: StartServer) -> None:
    """A killed master leaves the port free for the next."""
    server = start_server()
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            server.client.get("/livez")
        except httpx.TransportError:
            return
        time.sleep(0.05)
    raise AssertionError("the worker still answers")


def test_a_server_asked_to_stop_ends_by_itself_without_an_error(start_server: StartServer) -> None:
    server = start_server()
    server.tokens()
    server.client.close()
    assert server.stop() == 0
    assert "Traceback" not in server.output.read_text()


def test_a_worker_that_is_killed_is_replaced_and_the_node_serves_on(postgres: str, tmp_path: Path) -> None:
    """threats F1: of two workers one dies, then the other; each time the node answers and gets a new worker."""
    with nodes(tmp_path, postgres, 1, CREDENCE_WORKERS="2") as (node,):
        token = node.tokens()["access_token"]
        seen = set(workers_of(node))
        assert len(seen) == 2
        for victim in tuple(seen):
            os.kill(victim, signal.SIGKILL)
            wait_until(lambda: len(set(workers_of(node)) - {victim}) == 2, PATIENCE)  # noqa: B023 - waited for here
            wait_until(lambda: answers(node, token), PATIENCE)
        assert seen.isdisjoint(workers_of(node))
        assert node.process.poll() is None
        assert node.stop() == 0


def test_the_only_worker_is_replaced_too_and_nothing_acknowledged_is_lost(start_server: StartServer) -> None:
    server = start_server("--http")
    tokens = server.tokens()
    (worker,) = workers_of(server)
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: answers(server, tokens["access_token"]), PATIENCE)
    refreshed = server.client.post(
        "/oauth2/v1/token",
        headers=server.client_headers | {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
    )
    assert refreshed.status_code == 200
    assert server.process.poll() is None


def test_a_reload_replaces_every_worker_and_the_server_answers_throughout(start_server: StartServer) -> None:
    metrics = free_port()
    server = start_server("--http", CREDENCE_METRICS_PORT=str(metrics))
    token = server.tokens()["access_token"]
    (before,) = workers_of(server)
    server.process.send_signal(signal.SIGHUP)
    statuses = set()
    deadline = time.monotonic() + PATIENCE
    while before in workers_of(server) and time.monotonic() < deadline:
        statuses.add(asked_again_if_closed(server, token).status_code)
    assert statuses == {200}
    assert before not in workers_of(server)
    wait_until(lambda: answers(server, token), PATIENCE)
    wait_until(lambda: figure(metrics, "credence_workers") == 1, PATIENCE)
    assert figure(metrics, "process_resident_memory_bytes")


def test_a_worker_whose_successor_cannot_start_serves_on(start_server: StartServer) -> None:
    """The key-encryption key is wrong at the moment of a reload."""
    server = start_server("--http")
    token = server.tokens()["access_token"]
    key = server.data_dir / "key-encryption-key"
    kept = key.read_text()
    key.write_text("0123456789abcdef" * 4)
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: "worker_kept" in server.output.read_text(), PATIENCE)
    key.write_text(kept)
    assert server.report(token).status_code == 200
    assert server.process.poll() is None


def test_a_worker_that_is_slow_to_start_replaces_none_before_it_serves(start_server: StartServer) -> None:
    server = start_server("--http")
    token = server.tokens()["access_token"]
    (before,) = workers_of(server)
    server.process.send_signal(signal.SIGHUP)
    (successor,) = new_workers(server, {before})
    os.kill(successor, signal.SIGSTOP)
    statuses = set()
    held_until = time.monotonic() + 8
    while time.monotonic() < held_until:
        statuses.add(server.report(token).status_code)
        time.sleep(0.1)
    assert statuses == {200}
    assert before in workers_of(server)
    os.kill(successor, signal.SIGCONT)
    wait_until(lambda: workers_of(server) == [successor], PATIENCE)
    wait_until(lambda: answers(server, token), PATIENCE)


def test_a_worker_that_is_asked_to_stop_while_it_starts_ends(start_server: StartServer) -> None:
    server = start_server("--http")
    (before,) = workers_of(server)
    os.kill(before, signal.SIGKILL)
    (successor,) = new_workers(server, {before})
    os.kill(successor, signal.SIGSTOP)
    server.process.send_signal(signal.SIGTERM)
    wait_until(lambda: asked_to_stop(successor), PATIENCE)
    with suppress(ProcessLookupError):
        os.kill(successor, signal.SIGCONT)
    assert server.stop() == 0


def asked_again_if_closed(server: RunningServer, token: str) -> httpx.Response:
    """Ask for a report, and once more if the server closed the idle connection at that moment (RFC 9112 §9.3.1, §9.5)."""
    try:
        return server.report(token)
    except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
        return server.report(token)


def new_workers(server: RunningServer, before: set[int]) -> set[int]:
    deadline = time.monotonic() + PATIENCE
    while not (found := set(workers_of(server)) - before):
        assert time.monotonic() < deadline
    return found


def asked_to_stop(process: int) -> bool:
    """Whether SIGTERM waits for this stopped process (proc(5), `ShdPnd`) or, having come before the stop, has ended it."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    (waiting,) = (line.split()[1] for line in status.splitlines() if line.startswith("ShdPnd:"))
    return bool(int(waiting, 16) >> signal.SIGTERM - 1 & 1)


def workers_of(server: RunningServer) -> list[int]:
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(child) for child in children]


def answers(server: RunningServer, token: str) -> bool:
    try:
        return server.report(token).status_code == 200
    except httpx.TransportError:
        return False
