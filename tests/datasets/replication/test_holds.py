"""A hold reaches every node that shares the store, and what was published before it is still fetched."""

import asyncio

import pytest

from credence.clock import Milliseconds
from credence.datasets import catalogue, holds
from credence.datasets.replication.changing import changed
from credence.datasets.replication.publishing import publish_local
from credence.store.postgres.credit_sets import published
from tests.datasets.replication.conftest import Nodes, name_in
from tests.datasets.replication.test_fetching import dispute

NOW: Milliseconds = 1_700_000_000_000


def test_a_hold_of_one_node_refuses_loads_of_the_other(nodes: Nodes) -> None:
    nodes.load("BEFORE")
    changed(
        nodes.one,
        nodes.address,
        holds.HOLDS,
        lambda publish: holds.hold(nodes.one, "register", "ada", "It is incomplete.", NOW, publish),
    )
    nodes.fetch()
    assert name_in(nodes.other) == "BEFORE"
    assert catalogue.read(nodes.other).holds == {"register": catalogue.Hold(NOW, "ada", "It is incomplete.")}
    with pytest.raises(holds.SourceHeld, match="held since 2023-11-14 by ada"):
        nodes.load("AFTER", into=nodes.other)
    changed(nodes.other, nodes.address, holds.HOLDS, lambda publish: holds.release(nodes.other, "register", publish))
    nodes.fetch(nodes.one)
    nodes.load("AFTER")
    nodes.fetch()
    assert name_in(nodes.other) == "AFTER"
    assert [each.source for each in catalogue.read(nodes.other).loads] == ["register"]


def test_a_held_source_is_not_replaced_by_what_another_node_publishes(nodes: Nodes) -> None:
    nodes.load("SERVED")
    holds.hold(nodes.one, "register", "ada", "It is incomplete.", NOW)
    before = asyncio.run(published(nodes.address))
    with pytest.raises(holds.SourceHeld, match="held since 2023-11-14 by ada"):
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
