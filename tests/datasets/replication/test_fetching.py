"""A data set is fetched whole or not at all; what was here goes on serving (docs/adr/credit-data-on-nodes.md)."""

import asyncio
import datetime as dt
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import psycopg
import pytest

from credence.companies.facts.dispute import DisputeStatus
from credence.datasets import catalogue, disputes, holds
from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.loading.retention import remove
from credence.datasets.loading.staging import source_lock
from credence.datasets.publish import Publish
from credence.datasets.register import CurrentRegister
from credence.datasets.replication.changing import changed
from credence.datasets.replication.fetching import outdated
from credence.datasets.replication.publishing import catch_up, publish_local, publisher
from credence.datasets.sources.source import LoadError, LoadRunning
from credence.store.contract import Conflict, StoreUnavailable
from credence.store.postgres.credit_sets import published
from tests.datasets.replication.conftest import NUMBER, Nodes, name_in

DAY = dt.date(2026, 11, 1)


def look(nodes: Nodes, folder: Path) -> None:
    """Look at what is published, as a node that starts does, and fetch nothing."""
    outdated(folder, asyncio.run(published(nodes.address)))


def dispute(nodes: Nodes, folder: Path, note: str) -> None:
    disputes.record(folder, NUMBER, "Name", note, DisputeStatus.OPEN, DAY, publisher(nodes.address))


def test_another_node_has_the_same_file_under_a_name_of_its_own(nodes: Nodes) -> None:
    nodes.load("FIRST LTD")
    nodes.load("SECOND LTD")
    nodes.fetch()
    entries = [catalogue.read(folder).sources["register"] for folder in (nodes.one, nodes.other)]
    contents = [
        (folder / entry.file).read_bytes() for folder, entry in zip((nodes.one, nodes.other), entries, strict=True)
    ]
    assert contents[0] == contents[1]
    assert name_in(nodes.other) == "SECOND LTD"


def test_of_a_data_set_only_the_newest_edition_is_kept_in_the_store(nodes: Nodes) -> None:
    nodes.load("FIRST LTD")
    nodes.load("SECOND LTD")
    with psycopg.connect(nodes.address) as connection:
        rows = connection.execute("SELECT DISTINCT edition FROM credit_pieces").fetchall()
    assert rows == [(each.edition,) for each in asyncio.run(published(nodes.address))]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE credit_pieces SET data = set_byte(data, 5000, get_byte(data, 5000) # 1)",
        "UPDATE credit_pieces SET data = set_byte(data, 5000, 1), digest = sha256(set_byte(data, 5000, 1))",
        "DELETE FROM credit_pieces",
        "UPDATE credit_pieces SET place = place + 1",
        "UPDATE credit_sets SET entry = '{}'",
        (
            "UPDATE credit_sets SET entry = "
            "convert_to(replace(convert_from(entry, 'UTF8'), '\"loaded_at\":0', '\"loaded_at\":-1'), 'UTF8')"
        ),
        (
            "UPDATE credit_sets SET entry = "
            "convert_to(replace(convert_from(entry, 'UTF8'), '\"loaded_at\":0', '\"loaded_at\":100000000000000000'), 'UTF8')"
        ),
    ],
)
def test_what_is_not_as_it_was_published_is_refused_and_the_old_data_set_serves(nodes: Nodes, damage: str) -> None:
    nodes.load("OLD LTD")
    nodes.fetch()
    nodes.load("NEW LTD")
    with psycopg.connect(nodes.address) as connection:
        connection.execute(damage.encode())
    with pytest.raises(LoadError, match="The published register cannot be used"):
        nodes.fetch()
    assert name_in(nodes.other) == "OLD LTD"
    assert catalogue.read(nodes.other).pending == ("register",)
    assert not list(nodes.other.glob("*.draft"))


def test_a_data_set_of_another_version_is_refused_and_the_old_one_serves(nodes: Nodes, tmp_path: Path) -> None:
    """In a rolling upgrade a node of the version before meets the layout of the one after."""
    nodes.load("OLD LTD")
    nodes.fetch()
    later = tmp_path / "later.sqlite"
    later.write_bytes((nodes.one / catalogue.read(nodes.one).sources["register"].file).read_bytes())
    with closing(sqlite3.connect(later)) as connection:
        connection.execute("PRAGMA user_version = 99")
    held = catalogue.read(nodes.one)
    entry = b'{"publisher":"","licence":"","as_of":null,"loaded_at":0,"layout":99,"companies":1,"facts":1}'
    publisher(nodes.address)("register", later, entry, held.editions["register"])
    with pytest.raises(LoadError, match="is not for this version"):
        nodes.fetch()
    assert name_in(nodes.other) == "OLD LTD"


def test_a_name_that_this_version_does_not_know_is_passed_over(nodes: Nodes) -> None:
    publisher(nodes.address)("../escape", b"x", b"", "")
    nodes.fetch()
    assert not (nodes.other.parent / "escape.sqlite.draft").exists()
    assert not outdated(nodes.other, asyncio.run(published(nodes.address)))


def test_the_second_of_two_nodes_that_extend_one_edition_is_refused(nodes: Nodes) -> None:
    """Or what the first one added would be lost with the second one's file."""
    nodes.load("OLD LTD")
    nodes.fetch()
    nodes.load("FROM ONE LTD")
    with pytest.raises(Conflict):
        nodes.load("FROM THE OTHER LTD", into=nodes.other)
    assert name_in(nodes.other) == "OLD LTD"
    nodes.fetch()
    assert name_in(nodes.other) == "FROM ONE LTD"


def test_what_is_awaited_and_not_here_is_not_denied(nodes: Nodes) -> None:
    """A node that has no register yet must not say that a company does not exist."""
    nodes.load("NEW LTD")
    look(nodes, nodes.other)
    with closing(CreditData(nodes.other)) as credit_data:
        assert credit_data.unavailable == ("register",)
        with pytest.raises(UnusableDataSet, match="being fetched"):
            credit_data.company(NUMBER)
    with closing(CurrentRegister(nodes.other)) as register, pytest.raises(UnusableDataSet, match="being fetched"):
        register.newest()
    nodes.fetch()
    assert name_in(nodes.other) == "NEW LTD"


def test_while_a_newer_edition_is_awaited_the_old_one_serves(nodes: Nodes) -> None:
    nodes.load("OLD LTD")
    nodes.fetch()
    nodes.load("NEW LTD")
    look(nodes, nodes.other)
    with closing(CreditData(nodes.other)) as credit_data:
        assert (credit_data.pending, credit_data.unavailable) == (("register",), ())
        found = credit_data.company(NUMBER)
    assert found is not None
    assert found.register is not None
    assert found.register.value.name == "OLD LTD"


def test_a_source_that_one_node_removes_is_gone_on_every_node(nodes: Nodes) -> None:
    """Credit §10: personal data that is deleted is deleted everywhere."""
    nodes.load("OLD LTD")
    nodes.fetch()
    assert remove("register", nodes.one, publisher(nodes.address))
    nodes.fetch()
    assert not list(nodes.other.glob("register-*.sqlite"))
    with psycopg.connect(nodes.address) as connection:
        assert connection.execute("SELECT count(*) FROM credit_pieces").fetchone() == (0,)
    nodes.load("AGAIN LTD")
    nodes.fetch()
    assert name_in(nodes.other) == "AGAIN LTD"


def test_a_store_in_which_nothing_is_published_takes_nothing_away(nodes: Nodes) -> None:
    """As one that is restored, or the wrong one."""
    nodes.load("OLD LTD")
    with psycopg.connect(nodes.address) as connection:
        connection.execute("DELETE FROM credit_sets")
    nodes.fetch(into=nodes.one)
    assert name_in(nodes.one) == "OLD LTD"


def test_disputes_of_both_nodes_are_kept_and_shown_by_both(nodes: Nodes) -> None:
    dispute(nodes, nodes.one, "The first.")
    nodes.fetch()
    disputes.record(nodes.other, "00000002", "Name", "The second.", DisputeStatus.OPEN, DAY, publisher(nodes.address))
    catch_up(nodes.address, nodes.one)
    assert disputes.read(nodes.one) == disputes.read(nodes.other)
    assert set(disputes.read(nodes.one)) == {NUMBER, "00000002"}


def test_a_dispute_that_cannot_be_published_is_not_recorded(nodes: Nodes) -> None:
    dispute(nodes, nodes.one, "The first.")
    with pytest.raises(Conflict):
        dispute(nodes, nodes.other, "Made without knowing of it.")
    assert disputes.read(nodes.other) == {}


@pytest.mark.parametrize("change", ["dispute", "hold"])
def test_a_change_of_a_small_data_set_waits_until_its_node_has_fetched_it(nodes: Nodes, change: str) -> None:
    """A server fetches the disputes and the holds within a second of a change elsewhere."""
    dispute(nodes, nodes.one, "The first.")
    hold = partial(holds.hold, by="ada", reason="It is incomplete.", now=0)
    changed(nodes.one, nodes.address, holds.HOLDS, lambda publish: hold(nodes.one, "psc", publish=publish))
    nodes.other.mkdir()
    name = holds.HOLDS if change == "hold" else disputes.DISPUTES

    def act(publish: Publish) -> None:
        if change == "hold":
            hold(nodes.other, "register", publish=publish)
        else:
            disputes.receive(nodes.other, "00000002", "Name", "The second.", "app", DAY, publish)

    with ExitStack() as fetch:
        fetch.enter_context(source_lock(nodes.other / name))

        def pauses() -> Iterator[float]:
            yield 0.0
            fetch.close()
            yield 0.0

        changed(nodes.other, nodes.address, name, act, pauses())
    nodes.fetch(into=nodes.one)
    assert set(disputes.read(nodes.one)) == ({NUMBER, "00000002"} if change == "dispute" else {NUMBER})
    assert set(catalogue.read(nodes.one).holds) == ({"psc", "register"} if change == "hold" else {"psc"})


def test_a_change_of_a_data_set_that_cannot_be_fetched_is_refused_as_unavailable(nodes: Nodes) -> None:
    """The disk of the node, or the store, is at fault, and not the request: 500 instead of 422."""
    dispute(nodes, nodes.one, "The first.")
    with psycopg.connect(nodes.address) as connection:
        connection.execute("UPDATE credit_pieces SET data = set_byte(data, 5, 1)")

    def act(_publish: Publish) -> None:
        raise AssertionError("made without the newest edition")

    with pytest.raises(StoreUnavailable, match="The published disputes cannot be used"):
        changed(nodes.other, nodes.address, disputes.DISPUTES, act)


def test_a_load_waits_until_its_node_has_fetched_the_holds(nodes: Nodes) -> None:
    """A command fetches them first, and so does a server of the same node; neither is a load."""
    changed(nodes.one, nodes.address, holds.HOLDS, lambda publish: holds.hold(nodes.one, "psc", "a", "b", 0, publish))
    nodes.other.mkdir()
    with ExitStack() as fetch:
        fetch.enter_context(source_lock(nodes.other / holds.HOLDS))

        def pauses() -> Iterator[float]:
            yield 0.0
            fetch.close()
            yield 0.0

        catch_up(nodes.address, nodes.other, pauses_seconds=pauses())
        assert set(catalogue.read(nodes.other).holds) == {"psc"}
    changed(nodes.other, nodes.address, holds.HOLDS, lambda publish: holds.release(nodes.other, "psc", publish))
    with source_lock(nodes.one / holds.HOLDS), pytest.raises(LoadRunning):
        catch_up(nodes.address, nodes.one, pauses_seconds=[0.0])


def test_an_edition_that_is_replaced_while_it_is_fetched_is_followed_by_its_successor(nodes: Nodes) -> None:
    class Replacing:
        """The names that are fetched; the first question comes between the look at the editions and the fetch."""

        asked = 0

        def __contains__(self, name: object) -> bool:
            self.asked += 1
            if self.asked == 1:
                nodes.load("NEW LTD")
            return name == "register"

    nodes.load("OLD LTD")
    with pytest.raises(StoreUnavailable, match="at the same time"):
        catch_up(nodes.address, nodes.other, Replacing(), pauses_seconds=())
    catch_up(nodes.address, nodes.other, Replacing(), pauses_seconds=[0.0])
    assert name_in(nodes.other) == "NEW LTD"


def test_a_change_of_a_data_set_whose_fetch_does_not_end_is_refused_as_unavailable(nodes: Nodes) -> None:
    dispute(nodes, nodes.one, "The first.")
    nodes.other.mkdir()

    def act(_publish: Publish) -> None:
        raise AssertionError("made without the newest edition")

    with source_lock(nodes.other / "disputes"), pytest.raises(StoreUnavailable, match="changed or fetched elsewhere"):
        changed(nodes.other, nodes.address, disputes.DISPUTES, act, [0.0, 0.0])


def test_disputes_that_were_put_back_are_published_when_they_are_named(nodes: Nodes) -> None:
    dispute(nodes, nodes.one, "The first.")
    backup = (nodes.one / disputes.NAME).read_bytes()
    dispute(nodes, nodes.one, "A mistake.")
    (nodes.one / disputes.NAME).write_bytes(backup)
    assert publish_local(nodes.address, nodes.one, []) == []
    assert publish_local(nodes.address, nodes.one, ["disputes"]) == ["disputes"]
    nodes.fetch()
    assert disputes.read(nodes.other)[NUMBER][0].note == "The first."
