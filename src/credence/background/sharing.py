"""Writes to a shared store: refusals in one batch a second, and complete blocks of the request log.

docs/adr/shared-request-log.md has the reasons.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path

from credence.background.clock_watch import ClockWatch
from credence.clock import Milliseconds
from credence.request_log.block import Block, records_of, unpacked
from credence.request_log.log_file import LogFile, delete_log
from credence.request_log.search import NEWEST
from credence.service import Service
from credence.store.shared_refusals import SharedRefusal, SharedRefusals
from credence.store.shared_requests import RequestBlock, SharedRequests
from credence.telemetry.refusal_queue import RefusalQueue

REQUEST_SHARING_SECONDS = 5.0

MAX_WAITING = 64
"""Blocks that wait for a store that does not answer: a megabyte. The requests of older ones are counted as lost."""

TRIM_SECONDS = 600.0
"""Seconds between two deletions of what is too old or too much."""

_DAY_MS = 86_400_000


def request_sharing(
    service: Service, log: LogFile, requests: SharedRequests, watch: ClockWatch
) -> Callable[..., Awaitable[None]]:
    """Return a function that writes the blocks that are complete; those that it cannot write wait for the next time.

    With `stops` it writes the last block as it is.
    """
    settings, waiting = service.settings, deque[Block]()
    trimmed_at: Milliseconds = service.clock()

    def take(now: Milliseconds | None) -> None:
        waiting.extend(log.closed(now))  # in the thread: a task that is cancelled meanwhile loses nothing

    async def share(stops: bool = False) -> None:
        nonlocal trimmed_at
        now = service.clock()
        await asyncio.to_thread(take, None if stops else now)
        while len(waiting) > MAX_WAITING:
            oldest = waiting.popleft()
            lost = oldest.lost + len(records_of(unpacked(oldest.content)))
            waiting[0] = waiting[0]._replace(lost=waiting[0].lost + lost)
        while waiting:
            await requests.add([RequestBlock(settings.node, *waiting[0])])
            waiting.popleft()
        if not stops and not 0 <= now - trimmed_at < TRIM_SECONDS * 1_000:
            trusted = watch.trusted()  # without it, nothing is deleted for its age (threats T11)
            since = 0 if trusted is None else trusted - settings.request_log_days * _DAY_MS
            await requests.trim(since, settings.request_log_megabytes * 1_000_000)
            trimmed_at = now

    return share


def request_deletion(file: Path, requests: SharedRequests | None) -> Callable[[], Awaitable[None]]:
    """Return a function that deletes what was logged before `CREDENCE_REQUEST_LOG_DAYS` was 0.

    It deletes the file of this node, and the shared blocks of all nodes, whose least bound decides.
    """

    async def delete() -> None:
        await asyncio.to_thread(delete_log, file)
        if requests is not None:
            await requests.trim(NEWEST.at, 0)

    return delete


REFUSAL_SHARING_SECONDS = 1.0

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
