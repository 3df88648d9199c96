"""Writes the refusals of this process to a shared store, in one batch a second."""

from collections.abc import Awaitable, Callable

from credence.service import Service
from credence.store.shared_refusals import SharedRefusal, SharedRefusals
from credence.telemetry.refusal_queue import RefusalQueue

SHARING_SECONDS = 1.0

BATCH_ROWS = 500
"""The most refusals in one batch, and so in a second: a flood of refusals costs the database no more than this."""


def refusal_sharing(service: Service, queue: RefusalQueue, refusals: SharedRefusals) -> Callable[[], Awaitable[None]]:
    """Return a function that writes the oldest waiting refusals; if the store does not answer, they stay in the queue."""
    node = service.settings.node

    async def share() -> None:
        batch = queue.oldest(BATCH_ROWS)
        if batch:
            at = service.clock()
            await refusals.add([SharedRefusal(request_id, node, at, line) for request_id, line in batch])
            queue.remove(len(batch))

    return share
