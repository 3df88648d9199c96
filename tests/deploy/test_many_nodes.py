"""The recipes for many nodes by the real programs: routing, health and what is sent twice (issue 8 §7, threats P17, L1, F9).

The nodes are three copies of one sandbox: they share credentials and keys, so a token of one opens reports at all. Their
stores are their own, so nothing here speaks of refreshing or revoking over several nodes.
"""

import os
import shutil
import signal
import socket
import sqlite3
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.deploy.failing_nodes import failing_nodes
from tests.deploy.proxies import missing, proxy
from tests.deploy.recipes import MANY_NODES, Ports, Recipe
from tests.ports import free_port
from tests.running import RunningServer, start
from tests.waiting import wait_until

PATIENCE = 20.0
"""Seconds within which a proxy has noticed what became of a node."""


@dataclass
class Deployment:
    """Nodes behind a proxy."""

    recipe: Recipe
    nodes: list[RunningServer]
    client: httpx.Client
    output: Path
    """What the proxy printed."""

    def login(self) -> httpx.Response:
        node = self.nodes[0]
        return self.client.post(
            "/oauth2/v1/token",
            headers=node.client_headers,
            json={"username": node.username, "password": node.password},
        )

    def answering(self, times: int = 30) -> set[str]:
        """Return who answered: the part of the request id that each process has for itself."""
        answers = [self.client.get("/livez") for _ in range(times)]
        assert {answer.status_code for answer in answers} == {200}
        return {identity(answer) for answer in answers}

    def restart(self, number: int) -> None:
        old = self.nodes[number]
        old.client.close()
        self.nodes[number] = start(old.data_dir, old.output, **old.variables)


def identity(answer: httpx.Response) -> str:
    return answer.headers["x-request-id"].rpartition("-")[0]


@pytest.fixture(scope="module", params=MANY_NODES)
def deployment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    recipe = MANY_NODES[request.param]
    if reason := missing(recipe):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(recipe.program)
    with ExitStack() as stack:
        public = free_port()
        nodes = copies(folder, f"https://localhost:{public}")
        deployment = Deployment(recipe, nodes, httpx.Client(), folder / "output.txt")
        stack.callback(lambda: [node.stop() for node in deployment.nodes])
        ports = Ports(public, free_port(), tuple(node.client.base_url.port or 0 for node in nodes))
        trusted = stack.enter_context(proxy(recipe, folder, ports, nodes_ca=authority_file(nodes[0].data_dir / "tls")))
        deployment.client = stack.enter_context(caller(public, trusted))
        yield deployment


def copies(folder: Path, base_url: str) -> list[RunningServer]:
    """Start a sandbox, and again as three with its data each."""
    variables = {"CREDENCE_BASE_URL": base_url, "CREDENCE_TRUSTED_PROXIES": "127.0.0.1"}
    first = folder / "node-0"
    start(first, folder / "first.txt", **variables).stop()
    others = [Path(shutil.copytree(first, folder / f"node-{number}")) for number in (1, 2)]
    return [start(data, folder / f"{data.name}.txt", **variables) for data in (first, *others)]


def caller(port: int, trusted: Path) -> httpx.Client:
    context = ssl.create_default_context(cafile=trusted)
    return httpx.Client(base_url=f"https://localhost:{port}", verify=context, trust_env=False, timeout=20)


def test_every_node_is_asked_and_nobody_sticks_to_one(deployment: Deployment) -> None:
    """One caller, one connection."""
    assert deployment.answering() == {identity(node.client.get("/livez")) for node in deployment.nodes}


def test_a_token_of_one_node_opens_a_report_at_every_other(deployment: Deployment) -> None:
    """threats P17: the login's names with underscores pass."""
    login = deployment.login()
    assert login.status_code == 200, login.text
    path = f"/risk/business/v1/registeredcompanycredit/{deployment.nodes[0].company_number}"
    authorization = {"Authorization": f"Bearer {login.json()['access_token']}"}
    reports = [deployment.client.get(path, headers=authorization) for _ in range(12)]
    assert {report.status_code for report in reports} == {200}
    assert len({identity(report) for report in reports}) == 3


def test_the_nodes_see_the_caller_and_not_the_proxy(deployment: Deployment) -> None:
    """threats A9."""
    forged = [("X-Forwarded-For", "192.0.2.1")] * 2
    seen = [deployment.client.get("/callerz", headers=forged).json() for _ in range(6)]
    assert {(each["caller"], each["forwarded"]) for each in seen} == {("loopback", "believed")}


def test_a_node_that_is_not_ready_is_spared(deployment: Deployment) -> None:
    """threats F9: no caller meets it, and it is asked again when it is ready. HAProxy alone asks nodes for that."""
    others = {identity(node.client.get("/livez")) for node in deployment.nodes[1:]}
    with not_ready(deployment.nodes[0]):
        if deployment.recipe.program == "haproxy":
            wait_until(lambda: deployment.answering() == others, PATIENCE)
        assert {deployment.client.get("/readyz").status_code for _ in range(12)} == {200}
    wait_until(lambda: len(deployment.answering()) == 3, PATIENCE)


def test_a_node_that_is_killed_is_missed_by_nobody(deployment: Deployment) -> None:
    """threats F1: from the moment it is gone. Nothing was sent to it, so a token request too may go elsewhere."""
    os.killpg(deployment.nodes[1].process.pid, signal.SIGKILL)
    deployment.nodes[1].process.wait()
    wait_until(lambda: nobody_listens(deployment.nodes[1]), PATIENCE)
    try:
        assert [deployment.login().status_code for _ in range(12)] == [200] * 12
        assert len(deployment.answering()) == 2
    finally:
        deployment.restart(1)
    wait_until(lambda: len(deployment.answering()) == 3, PATIENCE)


def test_a_roll_of_every_node_fails_no_request(deployment: Deployment) -> None:
    """One after the other is told to stop and started again, while requests come."""
    statuses: list[int] = []

    def ask() -> bool:
        statuses.extend((deployment.login().status_code, deployment.client.get("/oauth2/v1/keys").status_code))
        return len(deployment.answering(9)) == 3

    for number, node in enumerate(deployment.nodes.copy()):
        assert node.stop() == 0
        ask()
        deployment.restart(number)
        wait_until(ask, PATIENCE)
    assert set(statuses) == {200}


def test_while_no_node_is_ready_what_needs_no_store_is_answered(deployment: Deployment) -> None:
    """threats F3: key set and discovery; and the refusal of a login is Credence's own."""
    with ExitStack() as stack:
        for node in deployment.nodes:
            stack.enter_context(not_ready(node))
        if deployment.recipe.program == "haproxy":
            wait_until(lambda: "backend 'credence' has no server available" in deployment.output.read_text(), PATIENCE)
        wait_until(lambda: deployment.client.get("/readyz").status_code == 503, PATIENCE)
        for path in ("/oauth2/v1/keys", "/.well-known/openid-configuration"):
            assert deployment.client.get(path).status_code == 200
        refused = deployment.login()
        assert refused.status_code >= 500
        assert identity(refused)
    wait_until(lambda: deployment.login().status_code == 200, PATIENCE)


@pytest.mark.parametrize("program", MANY_NODES)
@pytest.mark.parametrize(("status", "seen"), [(None, 502), (503, 503)])
def test_a_token_request_that_was_sent_is_not_sent_again(
    tmp_path: Path, program: str, status: int | None, seen: int
) -> None:
    """threats L1: a refresh token that comes twice would look stolen."""
    with before_failing_nodes(tmp_path, MANY_NODES[program], status) as (client, received):
        assert client.post("/oauth2/v1/token", json={"username": "ada"}).status_code == seen
        assert received == ["POST"]


@pytest.mark.parametrize("program", MANY_NODES)
@pytest.mark.parametrize("status", [None, 503])
def test_what_only_reads_is_asked_of_another_node(tmp_path: Path, program: str, status: int | None) -> None:
    with before_failing_nodes(tmp_path, MANY_NODES[program], status) as (client, received):
        assert client.get("/oauth2/v1/keys").status_code in {502, 503}
        assert received == ["GET"] * 3


@pytest.mark.parametrize("program", MANY_NODES)
def test_a_node_that_the_authority_does_not_vouch_for_is_sent_nothing(tmp_path: Path, program: str) -> None:
    other = tmp_path / "other"
    ensure_certificates(other, "127.0.0.1")
    with before_failing_nodes(tmp_path, MANY_NODES[program], 200, authority_file(other)) as (client, received):
        assert client.post("/oauth2/v1/token", json={"username": "ada"}).status_code in {502, 503}
        assert received == []


def nobody_listens(node: RunningServer) -> bool:
    """Whether the last of its processes is gone."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", node.client.base_url.port or 0)) != 0


@contextmanager
def before_failing_nodes(
    folder: Path, recipe: Recipe, status: int | None, nodes_ca: Path | None = None
) -> Iterator[tuple[httpx.Client, list[str]]]:
    """A caller of a proxy before nodes that fail, and what they are sent."""
    if reason := missing(recipe):
        pytest.skip(reason)
    tls = folder / "nodes"
    pair = ensure_certificates(tls, "127.0.0.1")
    with failing_nodes(pair, status) as (nodes, received):
        ports = Ports(free_port(), free_port(), nodes)
        with (
            proxy(recipe, folder, ports, nodes_ca=nodes_ca or authority_file(tls)) as trusted,
            caller(ports.public, trusted) as client,
        ):
            yield client, received


@contextmanager
def not_ready(node: RunningServer) -> Iterator[None]:
    """Hold the store's only place to write, as a wedged disk would."""
    with closing(sqlite3.connect(node.data_dir / "credence.sqlite", isolation_level=None)) as held:
        held.execute("BEGIN IMMEDIATE")
        yield
        held.rollback()
