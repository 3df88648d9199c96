"""What becomes of the processes (threats F1, F8)."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import httpx
import pytest

from credence.server import _begin_worker
from tests.conftest import StartServer
from tests.metrics import figure
from tests.nodes import nodes
from tests.ports import free_port
from tests.running import RunningServer
from tests.waiting import wait_until

TOKEN, REVOKE = "/oauth2/v1/token", "/oauth2/v1/revokeToken"

PATIENCE = 60.0
"""Seconds for the start of a process on a busy machine."""


def test_a_worker_does_not_outlive_the_process_that_started_it(start_server: StartServer) -> None:
    """A killed master leaves the port free for the next."""
    server = start_server()
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            server.client.get("/livez")
        except httpx.TransportError:
            return
        time.sleep(0.05)
    raise AssertionError("the worker still answers")


def test_a_worker_whose_parent_was_killed_before_it_could_be_told_ends_and_does_not_keep_the_port() -> None:
    """The kernel sends the signal of a death after the call that asks for it, and not for an earlier death."""
    reading, writing = os.pipe()
    parent = os.fork()
    if parent == 0:
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            dead = os.getppid()
            os.kill(dead, signal.SIGKILL)
            while os.getppid() == dead:
                time.sleep(0.001)
            _begin_worker(dead)
            os.write(writing, b"the worker goes on")
        os._exit(0)
    os.close(writing)
    os.waitpid(parent, 0)
    said = os.read(reading, 100)
    os.close(reading)
    assert said == b""


def test_a_server_asked_to_stop_ends_by_itself_without_an_error(start_server: StartServer) -> None:
    server = start_server()
    server.tokens()
    server.client.close()
    assert server.stop() == 0
    assert "Traceback" not in server.output.read_text()


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_a_worker_that_is_killed_is_replaced_and_the_node_serves_on(
    store: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """threats F1: of two workers one dies, then the other; each time the node answers and gets a new worker."""
    with two_workers(store, request, tmp_path) as node:
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


def test_two_workers_over_one_file_know_at_once_what_either_has_acknowledged(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """threats I2, I5: of two connections each reaches one of the workers."""
    with two_workers("sqlite", request, tmp_path) as server, ExitStack() as open_clients:
        one, other = (open_clients.enter_context(connected_to(server, worker)) for worker in workers_of(server))
        ask = partial(token_request, server)
        login = {"username": server.username, "password": server.password}
        kept, revoked = (ask(one, json=login).json() for _ in range(2))
        assert [report(server, other, pair) for pair in (kept, revoked)] == [200, 200]
        refreshed = ask(other, refresh_token=kept["refresh_token"])
        assert refreshed.status_code == 200
        again = ask(one, refresh_token=kept["refresh_token"])
        assert again.json() == refreshed.json()  # the same pair within the retry window (D7)
        revocation = one.post(REVOKE, headers={**server.client_headers, "token": revoked["refresh_token"]})
        assert revocation.status_code == 200
        assert report(server, other, revoked) == 401
        assert ask(other, refresh_token=revoked["refresh_token"]).status_code == 401
        suspended = server.command("account", "status", server.username, "suspended")
        assert suspended.returncode == 0, suspended.stderr
        assert [report(server, each, kept) for each in (one, other)] == [401, 401]


def test_refreshes_at_once_over_two_workers_of_one_file_leave_one_live_token(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """D7, threats L1, I1: each gets the pair that the first one got."""
    with two_workers("sqlite", request, tmp_path) as server, ThreadPoolExecutor(16) as clients:
        token = server.tokens()["refresh_token"]
        replies = list(clients.map(lambda _: refreshed_apart(server, token), range(32)))
        assert {reply.status_code for reply in replies} == {200}
        assert len({reply.content for reply in replies}) == 1


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
        time.sleep(0.002)  # fewer requests than the 1,000 a second that an application may send
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
    assert server.process.wait(timeout=PATIENCE) == 0  # a second signal may come when its handlers are gone already


@contextmanager
def two_workers(store: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[RunningServer]:
    """A node with two workers over a store of this kind."""
    if store == "postgresql":
        with nodes(folder, request.getfixturevalue("postgres"), 1, CREDENCE_WORKERS="2") as (node,):
            yield node
    else:
        yield request.getfixturevalue("start_server")("--http", CREDENCE_WORKERS="2")


@contextmanager
def connected_to(server: RunningServer, worker: int) -> Iterator[httpx.Client]:
    """A client with one connection, which this worker has."""
    with ExitStack() as tried:
        for _ in range(100):
            client = tried.enter_context(httpx.Client(base_url=server.base_url, trust_env=False, timeout=PATIENCE))
            _, port = client.get("/livez").extensions["network_stream"].get_extra_info("client_addr")[:2]
            if has_connection(worker, port):
                yield client
                return
        raise AssertionError("no connection reached this worker")


def has_connection(process: int, remote_port: int) -> bool:
    """Whether a process has the connection from this port of the machine (proc(5), `net/tcp`)."""
    lines = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()]
    sockets = {f"socket:[{line[9]}]" for line in lines if line[2].endswith(f":{remote_port:04X}")}
    return not sockets.isdisjoint(files_of(process))


def files_of(process: int) -> Iterator[str]:
    for file in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed since
            yield str(file.readlink())


def token_request(
    server: RunningServer, client: httpx.Client, json: object = None, **attributes: str
) -> httpx.Response:
    return client.post(TOKEN, headers={**server.client_headers, **attributes}, json=json)


def refreshed_apart(server: RunningServer, token: str) -> httpx.Response:
    """A refresh over a connection of its own, which any worker may have."""
    with httpx.Client(base_url=server.base_url, trust_env=False, timeout=PATIENCE) as client:
        return token_request(server, client, refresh_token=token)


def report(server: RunningServer, client: httpx.Client, pair: dict[str, str]) -> int:
    path = f"/risk/business/v1/registeredcompanycredit/{server.company_number}"
    return client.get(path, headers={"Authorization": f"Bearer {pair['access_token']}"}).status_code


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
