"""Two nodes and one Redis: they share a limit, lose the server and count alone, and find it again (D16, threats A6)."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import StartServer
from tests.counters import PASSWORD, CountersServer, counters_server
from tests.metrics import figure
from tests.ports import free_port
from tests.running import RunningServer
from tests.waiting import wait_until

WITHIN = 30.0
"""Seconds in which a node notices what became of its server; it looks every second."""


@pytest.fixture
def counters(tmp_path: Path) -> Iterator[CountersServer]:
    with counters_server(tmp_path / "counters") as running:
        yield running


class Node:
    def __init__(self, start_server: StartServer, data_dir: Path, counters: CountersServer) -> None:
        self.metrics_port = free_port()
        self.server: RunningServer = start_server(
            "--http",
            data_dir=data_dir,
            CREDENCE_COUNTERS_URL=counters.url,
            CREDENCE_METRICS_PORT=str(self.metrics_port),
        )

    def hurry(self, row: dict[str, Any]) -> int:
        """Log in through the sandbox's application that is allowed one request a minute."""
        sent = row["send"]
        reply = self.server.client.request(
            sent["method"], sent["path"], headers=sent["headers"], content=sent.get("body")
        )
        assert reply.status_code == 200 or "retry-after" in reply.headers, reply.text
        return reply.status_code

    def wait_until_it_says(self, event: str) -> None:
        """Wait for an event in the log, which a thread writes."""
        wait_until(lambda: event in self.server.output.read_text(), WITHIN)

    def wait_until_up_is(self, expected: float) -> None:
        deadline = time.monotonic() + WITHIN
        while figure(self.metrics_port, "credence_shared_counters_up") != expected:
            assert time.monotonic() < deadline, self.server.output.read_text()
            time.sleep(0.1)


def test_two_nodes_share_a_limit_and_count_alone_while_the_server_is_away(
    start_server: StartServer, tmp_path: Path, counters: CountersServer
) -> None:
    made = start_server("--http", data_dir=tmp_path / "one")
    (hurried,) = (each for each in made.scenarios if each["name"] == "spike-arrest")
    made.stop()
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    one, other = (Node(start_server, tmp_path / name, counters) for name in ("one", "other"))

    one.wait_until_up_is(1)
    other.wait_until_up_is(1)
    assert one.hurry(hurried) == 200
    assert other.hurry(hurried) == 401

    counters.stop()
    one.wait_until_up_is(0)
    other.wait_until_up_is(0)
    assert [one.hurry(hurried), other.hurry(hurried), other.hurry(hurried)] == [401, 200, 401]
    assert figure(other.metrics_port, 'credence_spike_arrests_total{kind="application"}') == 2

    counters.start()
    for node in (one, other):
        node.wait_until_up_is(1)
        node.wait_until_it_says("shared_counters_available")
        said = node.server.output.read_text()
        assert [said.count(each) for each in ("shared_counters_unavailable", "shared_counters_available")] == [1, 1]
        assert PASSWORD not in said


def test_no_address_of_counters_is_shown(start_server: StartServer, counters: CountersServer) -> None:
    """threats I9: the address may hold a password; what the metrics, the log and the settings say holds none."""
    port = free_port()
    server = start_server("--http", CREDENCE_COUNTERS_URL=counters.url, CREDENCE_METRICS_PORT=str(port))
    shown = server.command("config", "show", "--json")
    assert shown.returncode == 0
    (row,) = (each for each in json.loads(shown.stdout) if each["setting"] == "counters_url")
    assert row["value"] == "********"
    said = shown.stdout + shown.stderr + server.output.read_text() + server.client.get("/openapi.json").text
    assert PASSWORD not in said
    refused = server.command("config", "show", stdin="")
    assert PASSWORD not in refused.stdout + refused.stderr


def test_a_wrong_address_of_counters_is_refused_without_being_repeated(start_server: StartServer) -> None:
    server = start_server("--http")
    server.variables["CREDENCE_COUNTERS_URL"] = f"http://:{PASSWORD}@localhost"
    refused = server.command("config", "check")
    assert refused.returncode == 2
    assert "CREDENCE_COUNTERS_URL" in refused.stderr + refused.stdout
    assert PASSWORD not in refused.stderr + refused.stdout
