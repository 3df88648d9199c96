"""A database that is away, slow, full, crowded or read-only: what is answered meanwhile, and afterwards (threats F2, F3).

Meanwhile: what needs the database is refused as documented within its deadline, all else goes on. Afterwards, without a
restart: whatever was refused can be asked again, and what was acknowledged is there.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.nodes import shared
from tests.postgres import PASSWORD, PostgresServer, postgres_server
from tests.running import RunningServer, start
from tests.waiting import wait_until
from tests.wire import Wire, wire

PATIENCE = 10.0
"""Seconds until a probe shows the state: one look a second is shared, and each may wait for the database."""

DEADLINE = 2.0
"""Seconds for one question to the database (threats §3)."""

A_BUSY_MACHINE = 2.0
"""Seconds in which what has been decided is sent."""

RECOVERED_WITHIN = 15.0

CONNECTIONS = 20
"""Connections that the database accepts."""

TOKEN, REVOKE = "/oauth2/v1/token", "/oauth2/v1/revokeToken"


@dataclass(frozen=True)
class Rig:
    """One node, its database, and the path between the two."""

    server: PostgresServer
    wire: Wire
    node: RunningServer

    def log_in(self) -> httpx.Response:
        body = {"username": self.node.username, "password": self.node.password}
        return self.node.client.post(TOKEN, headers=self.node.client_headers, json=body)

    def refresh(self, token: str) -> httpx.Response:
        headers = {**self.node.client_headers, "grant_type": "refresh_token", "refresh_token": token}
        return self.node.client.post(TOKEN, headers=headers)

    def revoke(self, token: str) -> httpx.Response:
        return self.node.client.post(REVOKE, headers={**self.node.client_headers, "token": token})

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def when_answered(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        """Ask until the answer is another than 500, as a client does."""
        deadline = time.monotonic() + RECOVERED_WITHIN
        while (reply := ask()).status_code == 500:
            assert time.monotonic() < deadline, "no recovery without a restart"
            time.sleep(0.2)
        return reply


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    folder: Path = tmp_path_factory.mktemp("faults")
    with postgres_server(max_connections=str(CONNECTIONS)) as server, wire(server.port) as path:
        url = server.url.replace(f":{server.port}/", f":{path.port}/")
        node = start(folder / "data", folder / "output.txt", "--http", **shared(url))
        yield Rig(server, path, node)
        node.stop()
    output = (folder / "output.txt").read_text()
    assert PASSWORD not in output
    logged = output[output.index('\n{"event"') :].splitlines()[1:]
    assert [line for line in logged if not line.startswith("{")] == []


@contextmanager
def stopped(rig: Rig) -> Iterator[None]:
    rig.server.stop()
    yield
    rig.server.start()


@contextmanager
def standing_still(rig: Rig) -> Iterator[None]:
    with rig.server.frozen():
        yield


@contextmanager
def deaf(rig: Rig) -> Iterator[None]:
    rig.wire.silent = True
    yield
    rig.wire.silent = False


@contextmanager
def slow(rig: Rig) -> Iterator[None]:
    rig.wire.delay = 1.5 * DEADLINE
    yield
    rig.wire.delay = 0


@contextmanager
def read_only(rig: Rig) -> Iterator[None]:
    with psycopg.connect(rig.server.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        connection.execute("SELECT pg_reload_conf()")
    time.sleep(0.5)  # every session has read it
    yield
    with psycopg.connect(rig.server.url, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute("ALTER SYSTEM RESET default_transaction_read_only")
        connection.execute("SELECT pg_reload_conf()")


@contextmanager
def crowded(rig: Rig) -> Iterator[None]:
    """Others hold every connection, those for administrators too.

    A connection of the node that is just being made has no name yet, so only the number held says that none is left.
    """
    held: list[psycopg.Connection] = []
    evict = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'credence'"
    while len(held) < CONNECTIONS:
        with suppress(psycopg.OperationalError):
            while True:
                held.append(psycopg.connect(rig.server.url, autocommit=True))
        held[0].execute(evict)
    yield
    for connection in held:
        connection.close()


FAULTS = {fault.__name__: fault for fault in (stopped, standing_still, deaf, slow, read_only, crowded)}


def refused_in_time(ask: Callable[[], httpx.Response]) -> None:
    began = time.monotonic()
    reply = ask()
    took = time.monotonic() - began
    (error,) = reply.json()["errors"]
    assert (reply.status_code, error["errorType"]) == (500, "Internal Server Error")
    assert error["message"].startswith("Internal Server Error. If problems persist, please contact ")
    assert took < DEADLINE + A_BUSY_MACHINE


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_meanwhile_only_what_needs_the_database_is_refused_and_afterwards_all_is_as_it_was(
    rig: Rig, fault: Callable[[Rig], AbstractContextManager[None]]
) -> None:
    held, ended = (rig.when_answered(rig.log_in).json() for _ in range(2))
    assert rig.node.report(held["access_token"]).status_code == 200
    with fault(rig):
        assert rig.node.report(held["access_token"]).status_code == 200
        with ThreadPoolExecutor() as at_once:
            asked = [
                at_once.submit(refused_in_time, lambda: rig.refresh(held["refresh_token"])),
                at_once.submit(refused_in_time, lambda: rig.revoke(ended["refresh_token"])),
                at_once.submit(refused_in_time, rig.log_in),
            ]
        for refused in asked:
            refused.result()
        for path in ("/livez", "/oauth2/v1/keys", "/.well-known/oauth-authorization-server"):
            assert rig.node.client.get(path).status_code == 200
        wait_until(lambda: rig.node.client.get("/readyz").status_code == 503, PATIENCE)
    refreshed = rig.when_answered(lambda: rig.refresh(held["refresh_token"]))
    assert refreshed.status_code == 200
    # Whether or not the first refresh took effect, there is one successor. Another connection may still have to be given up.
    again = rig.when_answered(lambda: rig.refresh(held["refresh_token"]))
    assert again.json()["refresh_token"] == refreshed.json()["refresh_token"]
    assert rig.when_answered(lambda: rig.revoke(ended["refresh_token"])).status_code == 200
    assert rig.node.report(ended["access_token"]).status_code == 401
    assert rig.when_answered(lambda: rig.refresh(ended["refresh_token"])).status_code == 401
    assert rig.node.report(refreshed.json()["access_token"]).status_code == 200
    wait_until(lambda: rig.node.client.get("/readyz").status_code == 200, PATIENCE)


@pytest.mark.parametrize("way", ["losing", "half_closing"])
def test_a_refresh_whose_commit_was_not_heard_of_is_repeated_and_has_one_successor(rig: Rig, way: str) -> None:
    """D7, threats L2, F3: commit outcome unknown."""
    token = rig.when_answered(rig.log_in).json()["refresh_token"]
    before = rig.rows("SELECT sum(generation) FROM families")
    setattr(rig.wire, way, b"rotate_families")
    assert rig.refresh(token).status_code == 500
    rotated = rig.rows("SELECT sum(generation) FROM families")
    assert rotated[0][0] == before[0][0] + 1  # type: ignore[operator]
    retries = [rig.when_answered(lambda: rig.refresh(token)) for _ in range(3)]
    assert {retry.status_code for retry in retries} == {200}
    assert len({retry.json()["refresh_token"] for retry in retries}) == 1
    assert rig.rows("SELECT sum(generation) FROM families") == rotated
    assert rig.refresh(retries[0].json()["refresh_token"]).status_code == 200


def test_a_revocation_whose_commit_was_not_heard_of_is_not_acknowledged_and_can_be_repeated(rig: Rig) -> None:
    """threats L4, F3."""
    tokens = rig.when_answered(rig.log_in).json()
    rig.wire.losing = b"log_change"
    assert rig.revoke(tokens["refresh_token"]).status_code == 500
    assert rig.when_answered(lambda: rig.revoke(tokens["refresh_token"])).status_code == 200
    assert rig.refresh(tokens["refresh_token"]).status_code == 401
    assert rig.node.report(tokens["access_token"]).status_code == 401


def test_a_login_whose_commit_was_not_heard_of_gives_no_token(rig: Rig) -> None:
    """threats F3: the family it left is nobody's and expires."""
    before = rig.rows("SELECT count(*) FROM families")
    rig.wire.losing = b"INSERT INTO families"
    reply = rig.log_in()
    assert (reply.status_code, "access_token" in reply.text) == (500, False)
    assert rig.rows("SELECT count(*) FROM families")[0][0] == before[0][0] + 1  # type: ignore[operator]
    assert rig.when_answered(rig.log_in).status_code == 200
