"""Every store that must keep the contract; a third needs one more line here."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from credence.store.contract import Store
from credence.store.postgres.store import open_postgres
from credence.store.sqlite.store import SqliteStore

Opened = Callable[[], AbstractAsyncContextManager[Store]]


async def _sqlite(request: pytest.FixtureRequest) -> Store:
    folder: Path = request.getfixturevalue("tmp_path")
    return SqliteStore(folder / "credence.sqlite")


OPENERS: dict[str, Callable[[pytest.FixtureRequest], Awaitable[Store]]] = {
    "postgres": lambda request: open_postgres(request.getfixturevalue("migrated_postgres")),
    "sqlite": _sqlite,
}


@pytest.fixture(params=sorted(OPENERS))
def opened(request: pytest.FixtureRequest) -> Opened:
    """A function that opens a fresh store of this kind as an async context."""
    if request.param == "postgres":
        request.getfixturevalue("migrated_postgres")  # here, where a loop does not run yet

    @asynccontextmanager
    async def open_store() -> AsyncIterator[Store]:
        store = await OPENERS[request.param](request)
        try:
            yield store
        finally:
            await store.close()

    return open_store


@pytest.fixture
async def store(opened: Opened) -> AsyncIterator[Store]:
    """A fresh store of each kind, closed at the end of the test."""
    async with opened() as store:
        yield store
