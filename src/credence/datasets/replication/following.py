"""Fetches new editions while a server runs, in a separate thread, so that requests do not wait for it.

One of the processes that share a folder does this; when it ends, another one takes over. A data set that cannot be fetched
is logged and tried again later; the others are still fetched.
"""

import asyncio
import fcntl
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path

from credence.datasets.catalogue import CatalogueDamaged
from credence.datasets.replication.fetching import fetch_edition, outdated
from credence.datasets.sources.source import LoadError
from credence.store.contract import StoreUnavailable
from credence.store.postgres.credit_sets import Published, Superseded, follow
from credence.telemetry.log import event, log_unexpected, warning

RECONNECT_SECONDS = 1.0
"""Pause before the next attempt after a lost connection, or while another process follows for the folder."""

REST_RATIO = 4.0
"""Seconds of rest for each second of processor time of a fetch, which leaves the core to requests."""

STOP_SECONDS = 5.0
"""How long the end of a server waits for a fetch to end."""

RETRY_SECONDS = 10.0
"""Pause before an edition that could not be fetched is tried again."""


def follow_in_thread(address: str, folder: Path) -> Callable[[], None]:
    """Start the thread and return a function that stops it. An interrupted fetch is repeated at the next start."""
    following = _Following(address, folder)
    loop = asyncio.new_event_loop()
    task = loop.create_task(following.run())

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.close()

    thread = threading.Thread(target=run, name="credit-data", daemon=True)
    thread.start()

    def stop() -> None:
        with suppress(RuntimeError):  # the thread has ended already
            loop.call_soon_threadsafe(task.cancel)
        thread.join(STOP_SECONDS)  # a thread that waits for the database ends with the process

    return stop


class _Following:
    """Fetches new editions in one process."""

    def __init__(self, address: str, folder: Path) -> None:
        self._address = address
        self._folder = folder
        self._not_before: dict[bytes, float] = {}
        """Edition -> the time of the event loop's clock, in seconds, before which it is not tried again."""

    async def run(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                with _only_follower(self._folder):
                    await self._follow()
            except (StoreUnavailable, CatalogueDamaged, OSError):
                pass  # the health check and the store log these
            except Exception as error:  # noqa: BLE001 - any failure is tried again later
                log_unexpected(error)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _follow(self) -> None:
        async with aclosing(follow(self._address)) as editions:
            async for published in editions:
                for each in outdated(self._folder, published):
                    await self._fetch(each)

    async def _fetch(self, newest: Published) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._not_before.get(newest.edition, 0):
            return
        try:
            await fetch_edition(self._address, self._folder, newest, REST_RATIO)
        except Superseded:
            return
        except (LoadError, StoreUnavailable, OSError) as fault:
            warning("credit_data_fetch_failed", source=newest.name, fault=str(fault))
            self._not_before[newest.edition] = loop.time() + RETRY_SECONDS
        else:
            self._not_before.clear()
            event("credit_data_fetched", source=newest.name, removed=newest.removed)


@contextmanager
def _only_follower(folder: Path) -> Iterator[None]:
    """Lock the folder for one following process. Raises BlockingIOError if another one follows."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "following.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
