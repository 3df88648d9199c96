"""How a test of a store is told: a story, run against a store that is opened before and closed after."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from credence.store.contract import Store

Opened = Callable[[], AbstractAsyncContextManager[Store]]


def with_store(opened: Opened, story: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        async with opened() as store:
            await story(store)

    asyncio.run(run())
