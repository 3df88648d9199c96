"""`credence log` on one node about the answers of another, which is stopped or killed (threats A11)."""

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.nodes import shared
from tests.running import RunningServer, start
from tests.waiting import wait_until

Nodes = tuple[RunningServer, RunningServer]


@pytest.fixture
def alpha_and_beta(migrated_postgres: str, tmp_path: Path) -> Iterator[Nodes]:
    with ExitStack() as stopping:
        started = []
        for name in ("alpha", "beta"):
            variables = shared(migrated_postgres) | {"CREDENCE_NODE_NAME": name}
            node = start(tmp_path / name, tmp_path / f"{name}-output.txt", "--http", **variables)
            stopping.callback(node.stop)
            started.append(node)
        yield started[0], started[1]


def answered_by(node: RunningServer) -> str:
    """Log in and return the request id of the answer."""
    body = {"username": node.username, "password": node.password}
    reply = node.client.post("/oauth2/v1/token", headers=node.client_headers, json=body)
    assert reply.status_code == 200
    return str(reply.headers["x-request-id"])


def found_by(node: RunningServer, *terms: str) -> list[dict[str, Any]]:
    done = node.command("log", "--json", *terms)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["requests"]
    return found


def test_an_answer_of_a_node_that_was_stopped_is_found_on_the_other(alpha_and_beta: Nodes) -> None:
    alpha, beta = alpha_and_beta
    request_id = answered_by(beta)
    assert beta.stop() == 0  # which writes what waits
    (found,) = found_by(alpha, f"id:{request_id}")
    assert (found["node"], found["status"], found["account"]) == ("beta", 200, beta.username)
    assert [each["request_id"] for each in found_by(alpha, "node:beta", "path:/oauth2/v1/token")] == [request_id]
    assert found_by(alpha, "node:alpha", f"account:{beta.username}") == []


@pytest.mark.long
def test_an_answer_is_found_on_the_other_node_a_minute_later_although_its_own_was_killed(alpha_and_beta: Nodes) -> None:
    alpha, beta = alpha_and_beta
    request_id = answered_by(beta)
    wait_until(lambda: found_by(alpha, f"id:{request_id}") != [], 75)
    beta.process.send_signal(signal.SIGKILL)
    beta.process.wait()
    (found,) = found_by(alpha, f"id:{request_id}")
    assert (found["node"], found["status"]) == ("beta", 200)


def test_a_node_with_a_new_disk_finds_its_own_earlier_answers(alpha_and_beta: Nodes) -> None:
    """A pod is replaced by one with the same name and an empty disk."""
    _, beta = alpha_and_beta
    request_id = answered_by(beta)
    assert beta.stop() == 0
    for file in (Path(beta.variables["CREDENCE_DATA_DIR"]) / "requests").iterdir():
        file.unlink()
    (found,) = found_by(beta, f"id:{request_id}")
    assert (found["node"], found["status"]) == ("beta", 200)
