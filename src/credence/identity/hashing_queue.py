"""Decides which password is hashed next when more wait than there are hashing threads (threats A7, §8).

Waiting callers are served round robin over applications and, within an application, round robin over addresses. If the
queue is full, the last caller of the address with the most callers, in the application with the most callers, is refused.
So no caller can exclude another, and a single caller may use the whole queue.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST

MAX_WAITING = 64
"""Maximum callers in the queue. A hash takes tens of milliseconds, so two cores serve them in about a second."""

MAX_WAIT_SECONDS = 2.0
"""The maximum wait of a caller (threats §3)."""

MAX_IDLE_WAITING = 64
MAX_IDLE_WAIT_SECONDS = 60.0
"""The maximum wait of optional work for an idle thread."""

RETRY_AFTER_SECONDS = 2

Disconnected = Callable[[], Awaitable[None]]
"""Returns when the caller has disconnected."""

Waiter = asyncio.Future[None]


async def never_disconnects() -> None:
    """Wait without end, for a caller that cannot disconnect."""
    await asyncio.get_running_loop().create_future()


class HashingQueue:
    """A fair queue for hashing threads. The caller that acquires one releases it when the work is done."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._waiting: dict[str, dict[str, deque[Waiter]]] = {}
        self._idle: deque[Waiter] = deque()

    async def acquire(self, client_id: str, network: str, disconnected: Disconnected = never_disconnects) -> None:
        """Wait for a thread.

        Raises Refused with a spike arrest if the queue is full, the wait is too long or the caller disconnects.
        """
        if self._free:
            self._free -= 1
            return
        waiter = self._join(client_id, network)
        disconnect = asyncio.ensure_future(disconnected())
        try:
            await asyncio.wait((waiter, disconnect), timeout=MAX_WAIT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._withdraw(waiter, client_id, network)
            raise
        finally:
            disconnect.cancel()
        if not waiter.done():
            self._withdraw(waiter, client_id, network)
            reason = "password.caller_disconnected" if disconnect.done() else "password.queue_slow"
            raise Refused(SPIKE_ARREST, reason, retry_after=RETRY_AFTER_SECONDS)
        waiter.result()  # raises Refused if a newer caller took its place

    async def acquire_idle(self) -> bool:
        """Wait for a thread that no caller needs, for optional work. Returns False if it gets no thread in time."""
        if self._free:
            self._free -= 1
            return True
        if len(self._idle) >= MAX_IDLE_WAITING:
            return False
        waiter: Waiter = asyncio.get_running_loop().create_future()
        self._idle.append(waiter)
        try:
            await asyncio.wait((waiter,), timeout=MAX_IDLE_WAIT_SECONDS)
        finally:
            if not waiter.done():
                self._idle.remove(waiter)
        return waiter.done()

    def release(self) -> None:
        """Pass the thread to the next caller, or to optional work if no caller waits."""
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
        if len(self) > MAX_WAITING:
            self._evict(client_id, network)
        return waiter

    def _evict(self, client_id: str, network: str) -> None:
        """Refuse the last caller of the address with the most callers; if several have as many, refuse the newcomer."""
        heavy = max(self._waiting, key=lambda each: (_length(self._waiting[each]), each == client_id))
        networks = self._waiting[heavy]
        heaviest = max(networks, key=lambda each: (len(networks[each]), each == network))
        waiter = networks[heaviest].pop()
        self._remove_if_empty(heavy, heaviest)
        waiter.set_exception(Refused(SPIKE_ARREST, "password.queue_full", retry_after=RETRY_AFTER_SECONDS))

    def _next(self) -> Waiter:
        client_id, networks = next(iter(self._waiting.items()))
        network, waiters = next(iter(networks.items()))
        waiter = waiters.popleft()
        # Move the address and the application to the end of their round-robin orders.
        del self._waiting[client_id], networks[network]
        if waiters:
            networks[network] = waiters
        if networks:
            self._waiting[client_id] = networks
        return waiter

    def _withdraw(self, waiter: Waiter, client_id: str, network: str) -> None:
        if not waiter.done():
            self._waiting[client_id][network].remove(waiter)
            self._remove_if_empty(client_id, network)
        elif waiter.exception() is None:
            self.release()  # the thread was granted just when the caller disconnected

    def _remove_if_empty(self, client_id: str, network: str) -> None:
        networks = self._waiting[client_id]
        if not networks[network]:
            del networks[network]
        if not networks:
            del self._waiting[client_id]


def _length(networks: dict[str, deque[Waiter]]) -> int:
    return sum(map(len, networks.values()))
