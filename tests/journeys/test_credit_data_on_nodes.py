"""Credit data loaded on one node and served by every other (docs/adr/credit-data-on-nodes.md)."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from credence.sandbox.provision import REGISTER_SAMPLE
from tests.datasets.snapshots import company, write
from tests.nodes import shared
from tests.running import RunningServer, run_command, start

EVERYWHERE_WITHIN = 10.0
"""Seconds in which every node serves a data set of this size; a second or two where nothing else is done."""

FILED = "01873499"
"""A company of the sandbox with filed accounts. The sandbox answers for its invented ones from elsewhere."""

Node = Callable[[], RunningServer]


@pytest.fixture
def node(migrated_postgres: str, tmp_path: Path) -> Iterator[Node]:
    """Starts nodes of one sandbox, each with a folder of its own, as on machines of their own; they share credentials."""
    with ExitStack() as stopping:
        started: list[RunningServer] = []

        def another() -> RunningServer:
            folder = tmp_path / f"node-{len(started)}"
            folder.mkdir()
            if started:
                shutil.copy(started[0].data_dir / "sandbox.json", folder)
            output = tmp_path / f"output-{len(started)}.txt"
            started.append(start(folder, output, "--http", **shared(migrated_postgres)))
            stopping.callback(started[-1].stop)
            return started[-1]

        yield another


def report(node: RunningServer, number: str) -> tuple[int, str, bytes]:
    """Status, entity tag and body of a report as this node makes it."""
    reply = node.report(node.tokens()["access_token"], number)
    return reply.status_code, reply.headers.get("etag", ""), reply.content


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + EVERYWHERE_WITHIN
    while not holds() and time.monotonic() < until:
        time.sleep(0.1)
    return holds()


def test_what_one_node_is_given_every_node_serves_with_the_same_entity_tag(node: Node, tmp_path: Path) -> None:
    one, other = node(), node()
    note = "A note of one node."
    for given in (
        ("data", "load", "register", str(REGISTER_SAMPLE)),
        ("data", "dispute", FILED, "open", "--field", "NumberOfEmployees", "--note", note),
    ):
        done = one.command(*given)
        assert done.returncode == 0, done.stderr
    assert eventually(lambda: note.encode() in report(other, FILED)[2])
    assert report(one, FILED) == report(other, FILED)
    later = node()
    assert report(later, FILED) == report(one, FILED)

    replaced = write(tmp_path / "BasicCompanyData-2026-11-01.csv", company("09999991", "AFTER THE CHANGE LTD"))
    done = later.command("data", "load", "register", "--accept-fewer", str(replaced))
    assert done.returncode == 0, done.stderr
    assert eventually(lambda: report(one, "09999991")[0] == report(other, "09999991")[0] == 200)
    assert report(one, "09999991") == report(other, "09999991") == report(later, "09999991")

    done = other.command("data", "remove", "register")
    assert done.returncode == 0, done.stderr
    assert eventually(lambda: report(one, "09999991")[0] == report(later, "09999991")[0] == 404)


def test_a_load_that_cannot_be_published_is_one_that_failed(tmp_path: Path) -> None:
    away = shared("postgresql://credence@127.0.0.1:1/credence")
    done = run_command(
        "data", "load", "register", str(REGISTER_SAMPLE), CREDENCE_DATA_DIR=str(tmp_path / "data"), **away
    )
    assert done.returncode == 5
    assert done.stderr.startswith("credence: The store is unavailable:")
    assert not (tmp_path / "data" / "credit" / "catalogue.json").exists()


def test_what_was_loaded_before_a_move_to_postgresql_is_published_by_command(node: Node, tmp_path: Path) -> None:
    folder = tmp_path / "before"
    snapshot = write(tmp_path / "BasicCompanyData-2026-11-01.csv", company("09999991", "FROM BEFORE LTD"))
    assert run_command("data", "load", "register", str(snapshot), CREDENCE_DATA_DIR=str(folder)).returncode == 0
    running = node()
    done = run_command("data", "publish", **(running.variables | {"CREDENCE_DATA_DIR": str(folder)}))
    assert done.stdout.split() == ["published", "register"], done.stderr
    assert eventually(lambda: report(running, "09999991")[0] == 200)
