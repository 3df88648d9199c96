"""A cut connection, a kill and a full disk in the middle of a fetch or a publication change nothing (threats F3)."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from credence.datasets import catalogue
from credence.datasets.loading.load import load_register
from credence.datasets.replication.following import follow_in_thread
from credence.datasets.replication.publishing import publisher
from credence.store.contract import StoreUnavailable
from credence.store.postgres import credit_sets
from credence.store.postgres.credit_sets import published
from tests.datasets.replication.conftest import NUMBER, Nodes, name_in
from tests.datasets.snapshots import company, write
from tests.wire import wire

SOON = 10.0
"""Seconds; a second or two where nothing else is done."""

FETCH = """
import sys, pathlib
from credence.datasets.replication.publishing import catch_up
catch_up(sys.argv[1], pathlib.Path(sys.argv[2]))
"""
LIMITED = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)){FETCH}"
PUBLISH = """
import sys, pathlib
from credence.datasets.replication.publishing import publisher
publisher(sys.argv[1])("register", pathlib.Path(sys.argv[2]), b"{}", sys.argv[3])
"""


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + SOON
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()


@contextmanager
def slow_way(address: str) -> Iterator[str]:
    """An address of the same database whose answers take their time, so that a fetch over it can be met in the middle.

    At the end of the block its connections are cut.
    """
    parts = urlsplit(address)
    with wire(parts.port or 5432) as path:
        path.delay = 0.05
        yield urlunsplit(parts._replace(netloc=f"{parts.username}:{parts.password}@127.0.0.1:{path.port}"))


@pytest.fixture
def large(nodes: Nodes, tmp_path: Path) -> Nodes:
    """The other node serves a small register; one of 16 megabytes was published since."""
    nodes.load("OLD LTD")
    nodes.fetch()

    def publish(name: str, content: Path | bytes | None, entry: bytes, base: str, /, **_: bool) -> str:
        assert isinstance(content, Path)
        with closing(sqlite3.connect(content)) as draft, draft:
            draft.execute("CREATE TABLE padding AS SELECT randomblob(16000000) AS octets")
        return publisher(nodes.address)(name, content, entry, base)

    file = write(tmp_path / "new.csv", company(NUMBER, "NEW LTD"))
    load_register([file], nodes.one, 1, publish=publish)
    return nodes


def under_way(nodes: Nodes) -> bool:
    return any(draft.stat().st_size > 0 for draft in nodes.other.glob("*.draft"))


def cut_all(address: str) -> None:
    with psycopg.connect(address) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def newest(nodes: Nodes) -> str:
    return catalogue.read(nodes.one).sources["register"].file


def is_as_published(nodes: Nodes) -> bool:
    entry = catalogue.read(nodes.other).sources["register"]
    return (nodes.other / entry.file).read_bytes() == (nodes.one / newest(nodes)).read_bytes()


def test_a_connection_cut_in_the_middle_of_a_fetch_leaves_the_old_data_set(large: Nodes) -> None:
    failed: list[BaseException] = []

    def fetch(address: str) -> None:
        try:
            large.fetch(address=address)
        except StoreUnavailable as error:
            failed.append(error)

    with slow_way(large.address) as address:
        fetching = threading.Thread(target=fetch, args=(address,))
        fetching.start()
        assert eventually(lambda: under_way(large))
    fetching.join()
    assert len(failed) == 1
    assert name_in(large.other) == "OLD LTD"
    large.fetch()
    assert is_as_published(large)


def test_a_node_killed_in_the_middle_of_a_fetch_has_the_old_data_set_and_then_the_new_one(large: Nodes) -> None:
    with slow_way(large.address) as address:
        process = subprocess.Popen([sys.executable, "-c", FETCH, address, str(large.other)])
        assert eventually(lambda: under_way(large))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert name_in(large.other) == "OLD LTD"
    large.fetch()
    assert is_as_published(large)
    assert not list(large.other.glob("*.draft"))


def test_a_disk_that_does_not_take_it_leaves_the_old_data_set(large: Nodes) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, large.address, str(large.other)], capture_output=True, text=True, check=False
    )
    assert "LoadError: The data set cannot be written" in done.stderr
    assert name_in(large.other) == "OLD LTD"
    assert not list(large.other.glob("*.draft"))


def test_a_publication_killed_in_the_middle_has_not_happened_and_hinders_nobody(nodes: Nodes, tmp_path: Path) -> None:
    nodes.load("OLD LTD")
    before = asyncio.run(published(nodes.address))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    edition = before[0].edition.hex()
    process = subprocess.Popen([sys.executable, "-c", PUBLISH, nodes.address, str(pipe), edition])
    with pipe.open("wb") as stream:
        stream.write(bytes(3_000_000))
        stream.flush()
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert asyncio.run(published(nodes.address)) == before
    nodes.fetch()
    assert name_in(nodes.other) == "OLD LTD"
    assert eventually(lambda: not is_publishing(nodes.address))
    nodes.load("NEW LTD")
    nodes.fetch()
    assert name_in(nodes.other) == "NEW LTD"


def is_publishing(address: str) -> bool:
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
    return found != (0,)


def test_a_follower_fetches_what_is_published_and_goes_on_after_its_connection_was_cut(nodes: Nodes) -> None:
    stop = follow_in_thread(nodes.address, nodes.other)
    try:
        nodes.load("FIRST LTD")
        assert eventually(lambda: name_of(nodes) == "FIRST LTD")
        cut_all(nodes.address)
        nodes.load("SECOND LTD")
        assert eventually(lambda: name_of(nodes) == "SECOND LTD")
    finally:
        stop()


def test_a_follower_that_is_stopped_in_the_middle_of_a_fetch_leaves_the_old_data_set(
    large: Nodes,
) -> None:
    with slow_way(large.address) as address:
        stop = follow_in_thread(address, large.other)
        assert eventually(lambda: under_way(large))
        stop()
    assert name_in(large.other) == "OLD LTD"
    assert eventually(lambda: not list(large.other.glob("*.draft")))


def test_of_two_followers_of_one_folder_the_second_takes_over_when_the_first_ends(nodes: Nodes) -> None:
    """As the workers of one node."""
    first = follow_in_thread(nodes.address, nodes.other)
    second = follow_in_thread(nodes.address, nodes.other)
    try:
        nodes.load("FIRST LTD")
        assert eventually(lambda: name_of(nodes) == "FIRST LTD")
        first()
        nodes.load("SECOND LTD")
        assert eventually(lambda: name_of(nodes) == "SECOND LTD")
    finally:
        first()
        second()


def name_of(nodes: Nodes) -> str | None:
    return name_in(nodes.other) if "register" in catalogue.read(nodes.other).sources else None


async def test_a_fetch_that_waits_for_the_database_ends_with_the_time_of_its_first_step(
    migrated_postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credit_sets, "STEP_SECONDS", 0.2)
    with psycopg.connect(migrated_postgres) as holder:
        holder.execute("LOCK TABLE credit_sets IN ACCESS EXCLUSIVE MODE")
        async with asyncio.timeout(60):
            with pytest.raises(StoreUnavailable):
                await credit_sets.fetch(migrated_postgres, b"e" * 16, tmp_path / "set")
