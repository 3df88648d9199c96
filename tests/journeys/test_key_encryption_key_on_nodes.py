"""The key-encryption key is replaced on nodes that share a store: add, distribute, switch, drop (D13, threats T13)."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from credence.crypto.sealing import key_id, read_keys
from tests.metrics import figure
from tests.nodes import ISSUER, KEY
from tests.ports import free_port
from tests.running import RunningServer, start
from tests.waiting import wait_until

WITHIN = 60.0
"""Seconds; a node reads its file every two."""

BETWEEN_LOGINS = 0.2
"""Seconds from one login of a client to its next: each step of the change meets some dozen requests."""

UNLIMITED = dict.fromkeys(
    ("CREDENCE_SPIKE_PER_MINUTE", "CREDENCE_SPIKE_ACCOUNT_PER_MINUTE", "CREDENCE_SPIKE_ADDRESS_PER_MINUTE"), "0"
)


def start_node(folder: Path, url: str, name: str) -> RunningServer:
    """Start a node with a file of keys of its own; the nodes share the folder, and so the credentials of the sandbox."""
    file = folder / f"{name}-keys"
    if not file.exists():
        file.write_text(f"{KEY}\n")
        file.chmod(0o600)
    return start(
        folder / "data",
        folder / f"{name}-output.txt",
        "--http",
        CREDENCE_STORE=url,
        CREDENCE_BASE_URL=ISSUER,
        CREDENCE_NODE_NAME=name,
        CREDENCE_METRICS_PORT=str(free_port()),
        CREDENCE_KEY_ENCRYPTION_KEY_FILE=str(file),
        **UNLIMITED,
    )


@pytest.fixture
def alpha_and_beta(migrated_postgres: str, tmp_path: Path) -> Iterator[tuple[RunningServer, RunningServer]]:
    with ExitStack() as stopping:
        started = []
        for name in ("alpha", "beta"):
            node = start_node(tmp_path, migrated_postgres, name)
            stopping.callback(node.stop)
            started.append(node)
        alpha, beta = started
        wait_until(lambda: status(alpha)["nodes"] == {"alpha": [key_id(bytes.fromhex(KEY))], "beta": [OLD]}, WITHIN)
        yield alpha, beta


OLD = key_id(bytes.fromhex(KEY))


def unreadable(node: RunningServer) -> float | None:
    """Whether the node cannot read its keys again, as its metrics say."""
    return figure(int(node.variables["CREDENCE_METRICS_PORT"]), "credence_key_encryption_key_unreadable")


def kek(node: RunningServer, *arguments: str) -> str:
    """Run a step that is expected to succeed and return what it printed."""
    done = node.command("keys", "kek", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(node: RunningServer, *arguments: str) -> str:
    """Run a step that is expected to be refused and return why."""
    done = node.command("keys", "kek", *arguments)
    assert (done.returncode, done.stdout) == (4, ""), done
    return done.stderr


def status(node: RunningServer) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(kek(node, "status", "--json"))
    return {**told, "nodes": {each["node"]: each["keys"] for each in told["nodes"]}}


def keys_in(folder: Path, name: str) -> list[str]:
    return [key_id(key) for key in read_keys((folder / f"{name}-keys").read_text().splitlines()).keys]


def sealing_keys(url: str) -> set[str]:
    """The ids of the keys that sealed what is in the store: octets 2 to 5 of each value."""
    with psycopg.connect(url) as connection:
        return {bytes(sealed)[1:5].hex() for (sealed,) in connection.execute("SELECT sealed FROM sealed_secrets")}


@contextmanager
def requests_on(nodes: tuple[RunningServer, ...]) -> Iterator[list[int]]:
    """Log in, refresh and read on all nodes until the end of the block; the statuses are complete after it."""
    done, found = Event(), list[int]()

    def work(node: RunningServer, other: RunningServer) -> None:
        while not done.is_set():
            tokens = node.tokens()
            headers = {**node.client_headers, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
            refreshed = other.client.post("/oauth2/v1/token", headers=headers)
            found.append(refreshed.status_code)
            found.append(other.report(tokens["access_token"]).status_code)
            found.append(node.client.get("/oauth2/v1/keys").status_code)
            done.wait(BETWEEN_LOGINS)

    with ThreadPoolExecutor(len(nodes)) as workers:
        working = [workers.submit(work, node, nodes[number - 1]) for number, node in enumerate(nodes)]
        try:
            yield found
        finally:
            done.set()
        for each in working:
            each.result()


def test_the_key_is_replaced_on_two_nodes_and_no_request_fails(
    alpha_and_beta: tuple[RunningServer, RunningServer], migrated_postgres: str, tmp_path: Path
) -> None:
    alpha, beta = alpha_and_beta
    with requests_on(alpha_and_beta) as statuses:
        assert "kek add" in refused(alpha, "switch")
        assert "first credence keys kek switch" in refused(alpha, "drop")

        new = json.loads(kek(alpha, "add", "--json"))["added"]
        assert keys_in(tmp_path, "alpha") == [OLD, new]
        assert "alpha-keys has a further key already" in refused(alpha, "add")
        wait_until(lambda: status(alpha)["nodes"] == {"alpha": [OLD, new], "beta": [OLD]}, WITHIN)
        assert refused(beta, "add") == "credence: alpha has a further key already: a change is in progress there.\n"
        assert status(alpha)["next_step"] == "copy the file of the keys to beta"
        assert f"beta does not have the key {new}" in refused(alpha, "switch")
        assert "beta runs: --without" in refused(alpha, "switch", "--without", "beta")
        assert sealing_keys(migrated_postgres) == {OLD}

        # Distribute. A key that is made now is still sealed with the old one, whichever node makes it.
        shutil.copy(tmp_path / "alpha-keys", tmp_path / "beta-keys")
        wait_until(lambda: status(alpha)["nodes"] == {"alpha": [OLD, new], "beta": [OLD, new]}, WITHIN)
        assert status(alpha)["next_step"] == "credence keys kek switch"
        assert alpha.command("app", "create", "Shop", "--algorithm", "ES256").returncode == 0
        assert sealing_keys(migrated_postgres) == {OLD}
        assert "first credence keys kek switch" in refused(alpha, "drop")

        kek(alpha, "switch")
        assert sealing_keys(migrated_postgres) == {new}
        assert status(beta)["next_step"] == "credence keys kek drop"
        assert beta.command("app", "create", "Market", "--algorithm", "EdDSA").returncode == 0
        assert sealing_keys(migrated_postgres) == {new}

        kek(alpha, "drop")
        assert keys_in(tmp_path, "alpha") == [new]
        wait_until(lambda: status(alpha)["next_step"] == "copy the file of the keys to beta", WITHIN)
        shutil.copy(tmp_path / "alpha-keys", tmp_path / "beta-keys")
        wait_until(lambda: status(alpha)["nodes"] == {"alpha": [new], "beta": [new]}, WITHIN)
        assert status(alpha)["next_step"] == "none: one key seals everything"
        before = len(statuses)
        wait_until(lambda: len(statuses) > before + 6, WITHIN)
    assert set(statuses) == {200}
    assert beta.stop() == 0
    assert set(status(alpha)["nodes"]) == {"alpha"}  # it signed off, so nothing waits for it
    again = start_node(tmp_path, migrated_postgres, "beta")
    assert again.report(alpha.tokens()["access_token"]).status_code == 200
    again.stop()


def test_a_node_that_was_killed_is_waited_for_until_the_operator_or_ten_minutes_say_otherwise(
    alpha_and_beta: tuple[RunningServer, RunningServer], migrated_postgres: str
) -> None:
    """It may come back with its old file, and would not open the store then."""
    alpha, beta = alpha_and_beta
    os.killpg(beta.process.pid, signal.SIGKILL)  # its worker too, which would sign off
    beta.process.wait(timeout=WITHIN)
    new = json.loads(kek(alpha, "add", "--json"))["added"]
    wait_until(lambda: status(alpha)["nodes"]["alpha"] == [OLD, new], WITHIN)
    silent_for(migrated_postgres, "beta", 9 * 60_000)
    assert refused(alpha, "switch").strip().endswith("If it no longer runs: --without beta")
    assert json.loads(kek(alpha, "switch", "--without", "beta", "--json"))["sealing_key"] == new
    kek(alpha, "switch", "--to", OLD)  # and back, as long as every node has it
    assert sealing_keys(migrated_postgres) == {OLD}
    silent_for(migrated_postgres, "beta", 11 * 60_000)
    kek(alpha, "switch")
    assert sealing_keys(migrated_postgres) == {new}
    assert alpha.report(alpha.tokens()["access_token"]).status_code == 200


def silent_for(url: str, node: str, milliseconds: int) -> None:
    """Let the last note of a killed node be that old."""
    with psycopg.connect(url) as connection:
        statement = (
            "UPDATE nodes SET seen_at = floor(extract(epoch FROM clock_timestamp()) * 1000) - %s WHERE node = %s"
        )
        assert connection.execute(statement, (milliseconds, node)).rowcount == 1


def test_a_node_whose_file_lost_its_keys_goes_on_and_says_so(
    alpha_and_beta: tuple[RunningServer, RunningServer], tmp_path: Path
) -> None:
    alpha, beta = alpha_and_beta
    assert unreadable(beta) == 0
    (tmp_path / "beta-keys").write_text("")
    wait_until(lambda: status(alpha)["nodes"] == {"alpha": [OLD], "beta": []}, WITHIN)
    wait_until(lambda: "key_encryption_key_unreadable" in (tmp_path / "beta-output.txt").read_text(), WITHIN)
    assert status(alpha)["next_step"] == "copy the file of the keys to beta"
    assert beta.tokens()
    assert unreadable(beta) == 1
    (tmp_path / "beta-keys").write_text(f"{KEY}\n")
    wait_until(lambda: status(alpha)["nodes"] == {"alpha": [OLD], "beta": [OLD]}, WITHIN)
    assert unreadable(beta) == 0


def test_a_store_of_one_node_is_resealed_in_one_step(tmp_path: Path) -> None:
    node = start(tmp_path / "data", tmp_path / "output.txt", "--http")
    try:
        for step in ("status", "add", "switch", "drop"):
            assert "credence keys reseal" in refused(node, step)
    finally:
        node.stop()
