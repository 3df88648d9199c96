"""Every store that must keep the contract; a third needs one more line here."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from credence.store.contract import Store
from credence.store.memory import MemoryStore
from credence.store.sqlite import SqliteStore

OPENERS: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _folder: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(folder / "credence.sqlite"),
}

OpenStore = Callable[[], Awaitable[Store]]


@pytest.fixture(params=sorted(OPENERS))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], object]:
    """A function that opens a fresh store of this kind as an async context."""

    @asynccontextmanager
    async def open_store() -> AsyncIterator[Store]:
        store = OPENERS[request.param](tmp_path)
        try:
            yield store
        finally:
            await store.close()

    return open_store
