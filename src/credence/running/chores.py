"""What a running service does again and again, whatever it is asked meanwhile. A chore that fails is tried again."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial

from credence.oauth.keys import tend_keys
from credence.running.data_faults import telling_faults
from credence.running.loop_lag import LoopLag
from credence.running.metrics import tell_metrics
from credence.running.sockets import LOOK_EVERY, Sockets, look
from credence.service import Service
from credence.telemetry.log import surprise

FOLLOW_EVERY = 1.0
"""Seconds between two looks at the change log that nothing announced: a process may die between commit and bell."""

LOOK_AT_DATA_EVERY = 1.0
"""Seconds between two looks for damaged credit data."""

LOOK_AT_BODIES_EVERY = 1.0
"""Seconds: their deadline is counted in these looks (`guard/bodies.py`)."""

SWEEP_EVERY = 10.0
"""Seconds between two looks for rows that nothing can depend on any more and for keys that are due."""

SWEEP_MARGIN = 600_000
"""Milliseconds for which the expired is kept, so that a clock that steps back revives nothing (threats I2, T11)."""

SWEEP_MOST = 10_000
"""Rows freed at a time: short enough not to hold up the writes beside it."""

End = Callable[[], Awaitable[None]]


def begin(service: Service) -> End:
    """Begin every chore, and the telling of metrics where a port is set for them; return how to end them all."""
    chores = [_again(FOLLOW_EVERY, partial(_follow, service)), _again(SWEEP_EVERY, partial(_sweep, service))]
    chores.append(_again(LOOK_AT_DATA_EVERY, telling_faults(service)))
    chores.append(_again(LOOK_AT_BODIES_EVERY, partial(_look_at_bodies, service)))
    if sys.platform == "linux":
        chores.append(_again(LOOK_EVERY, partial(look, Sockets(service.settings.port), service)))
    stop_metrics = None
    if service.settings.metrics_port:
        lag = LoopLag()
        chores.append(lag.measure())
        stop_metrics = tell_metrics(service, lag)
    tasks = [asyncio.create_task(chore) for chore in chores]

    async def end() -> None:
        for task in tasks:
            task.cancel()
        if stop_metrics is not None:
            await asyncio.to_thread(stop_metrics)

    return end


async def _again(seconds: float, act: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await act()
        except Exception as error:  # noqa: BLE001 - a chore that fails today is tried again
            surprise(error)


async def _follow(service: Service) -> None:
    await service.authority.mirror.follow(anyway=True)


async def _look_at_bodies(service: Service) -> None:
    service.bodies.look()


async def _sweep(service: Service) -> None:
    """Free space. It decides nothing: expiry is judged at each read (threats L11)."""
    now, authority = service.clock(), service.authority
    authority.mirror.forget_expired(now - SWEEP_MARGIN)
    await authority.store.sweep(now - SWEEP_MARGIN, SWEEP_MOST)
    await tend_keys(authority.store, authority.keks, service.settings, now)
