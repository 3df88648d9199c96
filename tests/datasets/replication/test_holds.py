"""A hold reaches every node that shares the store, and what was published before it is still fetched."""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from credence.clock import Milliseconds
from credence.datasets import catalogue, holds
from credence.datasets.loading.load import load_register
from credence.datasets.replication.changing import changed
from credence.datasets.replication.publishing import publish_local, publisher
from credence.store.postgres import credit_sets
from credence.store.postgres.credit_sets import published
from tests.datasets.replication.conftest import NUMBER, Nodes, name_in
from tests.datasets.replication.test_fetching import dispute
from tests.datasets.snapshots import company, write
from tests.waiting import wait_until

NOW: Milliseconds = 1_700_000_000_000


def hold(nodes: Nodes, folder: Path) -> None:
    """Hold the register on the node of this folder."""
    changed(
        folder,
        nodes.address,
        holds.HOLDS,
        lambda publish: holds.hold(folder, "register", "ada", "It is incomplete.", NOW, publish),
    )


@contextmanager
def publishing(nodes: Nodes, pipe: Path, *, unless_held: bool) -> Iterator[Future[str]]:
    """While the block runs, the first node publishes a register of which it has sent a part; the end of it comes after."""
    os.mkfifo(pipe)
    base = catalogue.read(nodes.one).editions["register"]
    with ThreadPoolExecutor(1) as node:
        done = node.submit(publisher(nodes.address), "register", pipe, b"{}", base, unless_held=unless_held)
        with pipe.open("wb") as stream:
            stream.write(bytes(3_000_000))
            yield done


def test_a_hold_of_one_node_refuses_loads_of_the_other(nodes: Nodes) -> None:
    nodes.load("BEFORE")
    hold(nodes, nodes.one)
    nodes.fetch()
    assert name_in(nodes.other) == "BEFORE"
    assert catalogue.read(nodes.other).holds == {"register": catalogue.Hold(NOW, "ada", "It is incomplete.")}
    with pytest.raises(holds.SourceHeld, match="on hold since 2023-11-14 by ada"):
        nodes.load("AFTER", into=nodes.other)
    changed(nodes.other, nodes.address, holds.HOLDS, lambda publish: holds.release(nodes.other, "register", publish))
    nodes.fetch(nodes.one)
    nodes.load("AFTER")
    nodes.fetch()
    assert name_in(nodes.other) == "AFTER"
    assert [each.source for each in catalogue.read(nodes.other).loads] == ["register"]


@pytest.mark.parametrize("first", [True, False], ids=["the first hold", "a second hold"])
def test_a_hold_of_one_node_refuses_what_the_other_is_publishing(nodes: Nodes, tmp_path: Path, *, first: bool) -> None:
    nodes.load("BEFORE")
    if not first:
        changed(
            nodes.other,
            nodes.address,
            holds.HOLDS,
            lambda publish: holds.hold(nodes.other, "psc", "a", "b", 0, publish),
        )
    before = [each for each in asyncio.run(published(nodes.address)) if each.name == "register"]
    with publishing(nodes, tmp_path / "pipe", unless_held=True) as done:
        hold(nodes, nodes.other)
    with pytest.raises(holds.SourceHeld, match="on hold since 2023-11-14 by ada"):
        done.result()
    assert [each for each in asyncio.run(published(nodes.address)) if each.name == "register"] == before


def test_a_load_asks_for_the_holds_of_all_nodes_when_it_is_published(nodes: Nodes, tmp_path: Path) -> None:
    """The load has looked at the holds of its own node already."""
    nodes.load("BEFORE")
    file = write(tmp_path / "snapshot.csv", company(NUMBER, "AFTER"))

    def publish(name: str, content: Path | bytes | None, entry: bytes, base: str, /, **options: bool) -> str:
        hold(nodes, nodes.other)
        return publisher(nodes.address)(name, content, entry, base, **options)

    with pytest.raises(holds.SourceHeld, match="on hold since 2023-11-14 by ada"):
        load_register([file], nodes.one, 1, publish=publish)
    assert name_in(nodes.one) == "BEFORE"
    assert not list(nodes.one.glob("*.draft"))


def test_what_retention_deletes_is_published_during_a_hold(nodes: Nodes, tmp_path: Path) -> None:
    nodes.load("BEFORE")
    with publishing(nodes, tmp_path / "pipe", unless_held=False) as done:
        hold(nodes, nodes.other)
    assert done.result() in {each.edition.hex() for each in asyncio.run(published(nodes.address))}


def test_a_hold_waits_for_a_publication_that_has_asked_for_the_holds(nodes: Nodes) -> None:
    """Otherwise both could succeed: the hold is placed, and newer data comes into service after it."""
    nodes.load("BEFORE")
    with ThreadPoolExecutor(1) as node:
        with psycopg.connect(nodes.address) as publication:
            publication.execute("SELECT pg_advisory_xact_lock(%s)", (credit_sets._LOCK,))
            done = node.submit(hold, nodes, nodes.other)
            wait_until(lambda: done.done() or is_waiting(nodes.address), 10)
            assert not done.done()
        done.result()
    assert catalogue.read(nodes.other).holds["register"].by == "ada"


def is_waiting(address: str) -> bool:
    with psycopg.connect(address) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        ).fetchone()
    return found != (0,)


def test_a_held_source_is_not_replaced_by_what_another_node_publishes(nodes: Nodes) -> None:
    nodes.load("SERVED")
    holds.hold(nodes.one, "register", "ada", "It is incomplete.", NOW)
    before = asyncio.run(published(nodes.address))
    with pytest.raises(holds.SourceHeld, match="on hold since 2023-11-14 by ada"):
        publish_local(nodes.address, nodes.one, ["register"])
    assert asyncio.run(published(nodes.address)) == before


def test_nothing_is_published_if_one_of_the_named_sources_is_held(nodes: Nodes) -> None:
    """The command fails, so its operator does not expect that the others were replaced."""
    nodes.load("SERVED")
    dispute(nodes, nodes.one, "The first.")
    holds.hold(nodes.one, "register", "ada", "It is incomplete.", NOW)
    before = asyncio.run(published(nodes.address))
    with pytest.raises(holds.SourceHeld):
        publish_local(nodes.address, nodes.one, ["disputes", "register"])
    assert asyncio.run(published(nodes.address)) == before


def test_holds_from_before_the_move_to_a_shared_store_are_published(nodes: Nodes) -> None:
    holds.hold(nodes.one, "psc", "ada", "Owners are missing.", NOW)
    assert "holds" in publish_local(nodes.address, nodes.one, ())
    assert "holds" in {each.name for each in asyncio.run(published(nodes.address))}
    nodes.fetch()
    assert catalogue.read(nodes.other).holds["psc"].reason == "Owners are missing."
