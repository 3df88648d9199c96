"""Who is hashed next, when more passwords wait than there are cores (threats A7, §8).

As many turns as threads. Those who wait are served one application after the other and, within an application, one
address after the other. A queue that is full makes room at the cost of whoever fills it: the application with the most
waiting, its address with the most waiting, the last to come. So nobody can keep another out, and one who is alone may use
all of it.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from credence.refusals import SPIKE_ARREST, Refused

LONGEST = 64
"""Who may wait in all; a hash takes tens of milliseconds, so two cores serve them in about a second."""

PATIENCE = 2.0
"""Seconds somebody waits at most (threats §3)."""

LONGEST_IDLE = 64
IDLE_PATIENCE = 60.0
"""Seconds for work that can be left undone."""

RETRY_AFTER = 2

Disconnected = Callable[[], Awaitable[None]]
"""Returns when the caller has hung up."""

Waiter = asyncio.Future[None]


async def never_disconnects() -> None:
    """Wait for ever: a caller that cannot hang up."""
    await asyncio.get_running_loop().create_future()


class HashingQueue:
    """Gives out turns. Whoever got one calls `release` when the work is done."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._waiting: dict[str, dict[str, deque[Waiter]]] = {}
        self._idle: deque[Waiter] = deque()

    async def acquire(self, client_id: str, network: str, disconnected: Disconnected = never_disconnects) -> None:
        """Return when it is this caller's turn; Refused with a spike arrest when that does not come in time."""
        if self._free:
            self._free -= 1
            return
        waiter = self._join(client_id, network)
        leaves = asyncio.ensure_future(disconnected())
        try:
            await asyncio.wait((waiter, leaves), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._withdraw(waiter, client_id, network)
            raise
        finally:
            leaves.cancel()
        if not waiter.done():
            self._withdraw(waiter, client_id, network)
            reason = "password.caller_disconnected" if leaves.done() else "password.queue_slow"
            raise Refused(SPIKE_ARREST, reason, retry_after=RETRY_AFTER)
        waiter.result()  # raises when another took the place

    async def acquire_idle(self) -> bool:
        """Return True when nobody else waits and it is one's turn, False when that does not come: leave it undone."""
        if self._free:
            self._free -= 1
            return True
        if len(self._idle) >= LONGEST_IDLE:
            return False
        waiter: Waiter = asyncio.get_running_loop().create_future()
        self._idle.append(waiter)
        try:
            await asyncio.wait((waiter,), timeout=IDLE_PATIENCE)
        finally:
            if not waiter.done():
                self._idle.remove(waiter)
        return waiter.done()

    def release(self) -> None:
        """Hand the turn to the next: to idle work only when nobody else waits."""
        waiter = self._next() if self._waiting else self._idle.popleft() if self._idle else None
        if waiter is None:
            self._free += 1
        else:
            waiter.set_result(None)

    def __len__(self) -> int:
        return sum(map(_length, self._waiting.values()))

    def _join(self, client_id: str, network: str) -> Waiter:
        waiter: Waiter = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client_id, {}).setdefault(network, deque()).append(waiter)
        if len(self) > LONGEST:
            self._push_out(client_id, network)
        return waiter

    def _push_out(self, client_id: str, network: str) -> None:
        """Refuse the last to come of those who have most waiting; of equals, the newcomer."""
        heavy = max(self._waiting, key=lambda each: (_length(self._waiting[each]), each == client_id))
        networks = self._waiting[heavy]
        heaviest = max(networks, key=lambda each: (len(networks[each]), each == network))
        waiter = networks[heaviest].pop()
        self._tidy(heavy, heaviest)
        waiter.set_exception(Refused(SPIKE_ARREST, "password.queue_full", retry_after=RETRY_AFTER))

    def _next(self) -> Waiter:
        client_id, networks = next(iter(self._waiting.items()))
        network, waiters = next(iter(networks.items()))
        waiter = waiters.popleft()
        # To the end of both lines: the others come first.
        del self._waiting[client_id], networks[network]
        if waiters:
            networks[network] = waiters
        if networks:
            self._waiting[client_id] = networks
        return waiter

    def _withdraw(self, waiter: Waiter, client_id: str, network: str) -> None:
        if not waiter.done():
            self._waiting[client_id][network].remove(waiter)
            self._tidy(client_id, network)
        elif waiter.exception() is None:
            self.release()  # the turn came in the moment in which the caller left

    def _tidy(self, client_id: str, network: str) -> None:
        networks = self._waiting[client_id]
        if not networks[network]:
            del networks[network]
        if not networks:
            del self._waiting[client_id]


def _length(networks: dict[str, deque[Waiter]]) -> int:
    return sum(map(len, networks.values()))
