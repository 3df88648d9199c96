"""Deployments of two nodes over one store, of which each request meets the other one than the request before.

A test that passes here shows that pages, codes, sessions and tallies belong to the deployment and not to a node. The
folders that import the fixture run each of their tests over SQLite in memory, and in `make test-long` over SQLite and
PostgreSQL too.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from credence.app import open_store
from credence.settings import Settings
from credence.store.contract import Store
from credence.telemetry.counts import Counts
from tests.deployment import Deployment, OpenDeployment, Reply, deploy, deployed, served

STORES = [
    "memory",
    pytest.param("sqlite", marks=pytest.mark.long),
    pytest.param("postgresql", marks=pytest.mark.long),
]

ON_THE_MEMORY_STORE = pytest.mark.parametrize("open_deployment", ["memory"], indirect=True)
"""For tests that count the calls of the store or look into it."""


@dataclass
class Nodes(Deployment):
    """A deployment whose requests go to its nodes in turn."""

    nodes: tuple[Deployment, ...] = ()
    sent: int = 0

    def __setattr__(self, name: str, value: Any) -> None:
        """Let the clocks of all nodes show the same."""
        super().__setattr__(name, value)
        if name == "now":
            for node in self.nodes:
                node.now = value

    async def send(self, *args: Any, **more: Any) -> Reply:
        """Send one request to the node whose turn it is, after it has read the change log to its end."""
        node = self.nodes[self.sent % len(self.nodes)]
        self.sent += 1
        await node.service.authority.revocation_cache.sync()
        return await node.send(*args, **more)

    @asynccontextmanager
    async def another_node(
        self, store: Store | None = None, counts: Counts | None = None, **settings_of_its_own: Any
    ) -> AsyncIterator[Deployment]:
        """One more node, which closes its own connection to the store."""
        another = super().another_node(None if store is self.store else store, counts, **settings_of_its_own)
        async with another as node:
            yield node


@pytest.fixture(params=STORES)
async def open_deployment(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenDeployment]:
    """Opens deployments of one node over SQLite in memory, or of two over another; a test that names a store gets that.

    The marker `each_node` says that what a test shows holds for each node, such as a limit that is counted in memory; then
    there is one.
    """
    opened: list[Path | None] = []  # a second deployment of a test has a store of its own, in its folder
    count = 1 if request.node.get_closest_marker("each_node") else 2
    async with AsyncExitStack() as running:

        async def open_one(folder: Path | None = None, **settings: Any) -> Deployment:
            if request.param == "memory" or "store" in settings:
                return await running.enter_async_context(deployed(folder or tmp_path, **settings))
            if request.param == "postgresql" and not opened:
                settings["store"] = request.getfixturevalue("postgres")
            opened.append(folder)
            return await _nodes(running, folder or tmp_path, count, settings)

        yield open_one


async def _nodes(running: AsyncExitStack, folder: Path, count: int, settings: dict[str, Any]) -> Nodes:
    store = await open_store(Settings(data_dir=folder, store=settings.get("store", "")))
    first = await deploy(folder, store, **settings)
    await running.enter_async_context(served(first.asgi))
    others = [
        await running.enter_async_context(first.another_node(counts=first.service.counts)) for _ in range(1, count)
    ]
    whole = Nodes(first.service, first.asgi, first.store, first.application, first.secret)
    whole.nodes = (first, *others)
    return whole
