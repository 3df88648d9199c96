"""`credence why` and `credence audit refusals` on one node about the answers of another (spec §7, threats A11)."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.metrics import figure
from tests.nodes import shared
from tests.ports import free_port
from tests.running import RunningServer, start
from tests.waiting import wait_until

WITHIN = 60.0


@pytest.fixture
def alpha_and_beta(migrated_postgres: str, tmp_path: Path) -> Iterator[tuple[RunningServer, RunningServer]]:
    """Two nodes, each with a data folder of its own, and so an audit trail."""
    with ExitStack() as stopping:
        started = []
        for name in ("alpha", "beta"):
            node = start(
                tmp_path / name,
                tmp_path / f"{name}-output.txt",
                "--http",
                **shared(migrated_postgres),
                CREDENCE_NODE_NAME=name,
                CREDENCE_METRICS_PORT=str(free_port()),
            )
            stopping.callback(node.stop)
            started.append(node)
        yield started[0], started[1]


def refused_by(node: RunningServer) -> str:
    """Log in with a wrong password and return the request id of the refusal."""
    body = {"username": node.username, "password": "wrong horse battery"}
    reply = node.client.post("/oauth2/v1/token", headers=node.client_headers, json=body)
    assert reply.status_code == 401
    return str(reply.headers["x-request-id"])


def listed(node: RunningServer, *options: str) -> list[dict[str, Any]]:
    done = node.command("audit", "refusals", "--json", *options)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_a_refusal_is_explained_on_every_node_and_after_its_node_is_gone(
    alpha_and_beta: tuple[RunningServer, RunningServer],
) -> None:
    alpha, beta = alpha_and_beta
    unknown = alpha.command("why", "ab-1")
    assert (unknown.returncode, "any node" in unknown.stderr) == (3, True)
    request_id = refused_by(beta)
    wait_until(lambda: alpha.command("why", request_id).returncode == 0, WITHIN)
    said = json.loads(alpha.command("why", request_id, "--json").stdout)
    assert (said["node"], said["reason"], said["account"]) == ("beta", "password.mismatch", beta.username)
    own = json.loads(beta.command("why", request_id, "--json").stdout)
    for told in (said, own):
        told.pop("checks", None)  # each node has a request log of its own, and a check says what would come of it now
    assert own == said  # from its own trail
    assert figure(int(beta.variables["CREDENCE_METRICS_PORT"]), "credence_refusals_not_shared_total") == 0

    assert beta.command("app", "create", "Shop").returncode == 0
    last = refused_by(beta)
    assert beta.stop() == 0  # which writes what waits
    found = listed(alpha, "--node", "beta", "--reason", "password.mismatch")
    assert [each["request_id"] for each in found] == [last, request_id]
    assert {(each["node"], each["application"], each["status"]) for each in found} == {("beta", beta.client_id, 401)}
    assert listed(alpha, "--node", "alpha") == []
    assert [each["request_id"] for each in listed(alpha, "--account", beta.username, "--newest", "1")] == [last]


def test_refusals_of_a_node_of_its_own_are_listed_from_its_trail(sandbox: RunningServer) -> None:
    one, other = refused_by(sandbox), refused_by(sandbox)
    wait_until(lambda: sandbox.command("why", other).returncode == 0, WITHIN)
    found = listed(sandbox, "--application", sandbox.client_id, "--reason", "password.mismatch", "--newest", "2")
    assert [each["request_id"] for each in found] == [other, one]
    assert {each["node"] for each in found} == {socket.gethostname()}
    assert listed(sandbox, "--address", "192.0.2.1") == []
