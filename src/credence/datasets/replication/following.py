"""Follows what is published for as long as a server runs, in a thread of its own: requests never wait for it.

Of the processes that share a folder one follows, and another as soon as that one is gone. A data set that cannot be taken
is said in the log and tried again after a while; meanwhile the others are still followed.
"""

import asyncio
import fcntl
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path

from credence.datasets.catalogue import CatalogueDamaged
from credence.datasets.replication.fetching import fetch_edition, outdated
from credence.datasets.sources import LoadError
from credence.store.contract import StoreUnavailable
from credence.store.postgres.credit_sets import Published, Superseded, follow
from credence.telemetry.log import event, log_unexpected

LOOK_AGAIN_AFTER = 1.0
"""Seconds until a lost connection, or a folder that another process follows for, is tried again."""

REST = 4.0
"""Seconds for each second of processor time that a fetch takes: the core belongs to those who ask for reports."""

STOPPED_WITHIN = 5.0
"""Seconds for which the end of a server waits for a fetch to end."""

RETRY_AFTER = 10.0
"""Seconds until an edition that could not be taken is tried again."""


def follow_in_thread(address: str, folder: Path) -> Callable[[], None]:
    """Begin to follow and return how to stop; what is under way then is given up and begun again by the next start."""
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
        with suppress(RuntimeError):  # it has ended already
            loop.call_soon_threadsafe(task.cancel)
        thread.join(STOPPED_WITHIN)  # one that waits for a database that does not answer ends with the process

    return stop


class _Following:
    """One process's way of keeping up with what is published."""

    def __init__(self, address: str, folder: Path) -> None:
        self._address = address
        self._folder = folder
        self._not_before: dict[bytes, float] = {}
        """Edition -> when it may be tried again, in seconds of the loop."""

    async def run(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                with _alone(self._folder):
                    await self._keep_up()
            except (StoreUnavailable, CatalogueDamaged, OSError):
                pass  # others say so, as often as is good
            except Exception as error:  # noqa: BLE001 - what fails today is tried again
                log_unexpected(error)
            await asyncio.sleep(LOOK_AGAIN_AFTER)

    async def _keep_up(self) -> None:
        async with aclosing(follow(self._address)) as news:
            async for published in news:
                for each in outdated(self._folder, published):
                    await self._take(each)

    async def _take(self, newest: Published) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._not_before.get(newest.edition, 0):
            return
        try:
            await fetch_edition(self._address, self._folder, newest, REST)
        except Superseded:
            return
        except (LoadError, StoreUnavailable, OSError) as fault:
            event("credit_data_fetch_failed", source=newest.name, fault=str(fault))
            self._not_before[newest.edition] = loop.time() + RETRY_AFTER
        else:
            self._not_before.clear()
            event("credit_data_fetched", source=newest.name, removed=newest.removed)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Follow for all processes that share the folder; BlockingIOError when another does."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "following.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
