"""Work that several callers wait for together, each by `asyncio.shield`."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def shared_task(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start work that ends although a caller gives up waiting. Its error is for those who still wait, if any."""
    task = asyncio.create_task(work)
    task.add_done_callback(_retrieve)
    return task


def _retrieve(ended: asyncio.Task[Any]) -> None:
    """Retrieve the error, which asyncio would otherwise print if all callers have given up."""
    if not ended.cancelled():
        ended.exception()
