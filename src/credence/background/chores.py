"""What a running service does again and again, whatever it is asked meanwhile. A chore that fails is tried again."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial

from credence.background.clock_difference import compare_clocks
from credence.background.data_faults import log_new_faults
from credence.background.loop_lag import LoopLag
from credence.background.metrics import serve_metrics
from credence.background.revocation_sync import revocation_sync
from credence.background.sweeping import Sweeper
from credence.oauth.keys.rotation import rotate_keys
from credence.service import Service
from credence.store.contract import StoreUnavailable
from credence.telemetry.log import log_unexpected, store_unavailable
from credence.transport.sockets import INSPECTION_INTERVAL_SECONDS, Sockets, close_expired

FOLLOW_EVERY = 1.0
"""Seconds between two looks at the change log that nothing announced: a process may die between commit and bell."""

LOOK_AT_DATA_EVERY = 1.0
"""Seconds between two looks for damaged credit data."""

TEND_EVERY = 10.0
"""Seconds between two looks for keys that are due, and for what need not be remembered any more."""

BODY_TICK_EVERY = 1.0
"""Seconds: the unit in which `transport/body_deadlines.py` counts."""

SWEEP_EVERY = 10.0
"""Seconds between the end of one sweep of the store and the next."""

SWEEP_MARGIN = 600_000
"""Milliseconds for which the expired is kept, so that a clock that steps back revives nothing (threats I2, T11)."""

End = Callable[[], Awaitable[None]]


def begin(service: Service) -> End:
    """Begin every chore, and the telling of metrics where a port is set for them; return how to end them all."""
    sweeper = Sweeper(service.authority.store)
    chores = [
        *(_again(FOLLOW_EVERY, act) for act in revocation_sync(service)),
        _again(TEND_EVERY, partial(_tend, service)),
    ]
    chores.append(_at_once_and_again(SWEEP_EVERY, partial(_sweep, service, sweeper)))
    chores.append(_again(LOOK_AT_DATA_EVERY, log_new_faults(service)))
    chores.append(_again(FOLLOW_EVERY, compare_clocks(service)))
    chores.append(_again(BODY_TICK_EVERY, partial(_tick_bodies, service)))
    if sys.platform == "linux":
        chores.append(
            _again(INSPECTION_INTERVAL_SECONDS, partial(_close_expired, service, Sockets(service.settings.port)))
        )
    stop_following = stop_metrics = None
    if service.settings.store:
        # Imported late: a node with a SQLite file does without PostgreSQL.
        from credence.datasets.replication.following import follow_in_thread

        stop_following = follow_in_thread(service.settings.store, service.settings.credit_folder)
    if service.settings.metrics_port:
        lag = LoopLag()
        chores.append(lag.measure())
        stop_metrics = serve_metrics(service, lag, sweeper)
    tasks = [asyncio.create_task(chore) for chore in chores]

    async def end() -> None:
        for task in tasks:
            task.cancel()
        for stop in (stop_following, stop_metrics):
            if stop is not None:
                await asyncio.to_thread(stop)

    return end


async def _again(seconds: float, act: Callable[[], Awaitable[None]]) -> None:
    await asyncio.sleep(seconds)
    await _at_once_and_again(seconds, act)


async def _at_once_and_again(seconds: float, act: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await act()
        except StoreUnavailable as error:
            store_unavailable(error)
        except Exception as error:  # noqa: BLE001 - a chore that fails today is tried again
            log_unexpected(error)
        await asyncio.sleep(seconds)


async def _tick_bodies(service: Service) -> None:
    service.bodies.tick()


async def _close_expired(service: Service, sockets: Sockets) -> None:
    settings = service.settings
    await close_expired(
        sockets, service.connections, service.clock, settings.trusted_proxies, settings.connections_per_address
    )


async def _tend(service: Service) -> None:
    now, authority = service.clock(), service.authority
    authority.revocation_cache.forget_expired(now - SWEEP_MARGIN)
    await rotate_keys(authority.store, authority.keks, service.settings, now)


async def _sweep(service: Service, sweeper: Sweeper) -> None:
    """Begins at once: the store makes room for the days to come as well, best before the first login."""
    await sweeper.sweep(service.clock() - SWEEP_MARGIN)
