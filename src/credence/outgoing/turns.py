"""Limits the calls to one host: two at a time, a few that wait, and all others are refused (threats E3).

Waiting is limited in number and time, so that calls to a slow host use few of the places that all deliveries share.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from credence.outgoing.connecting import CallFailed

MAX_CONCURRENT_PER_HOST = 2

MAX_WAITING_PER_HOST = 16


class NoTurn(CallFailed):
    """The host was not called, because too many other calls to it are in progress."""

    def __init__(self) -> None:
        super().__init__("host_busy")


class Turns:
    """The running and waiting calls by host and port. Hosts without calls are not stored."""

    def __init__(self, concurrent: int = MAX_CONCURRENT_PER_HOST) -> None:
        self._concurrent = concurrent
        self._hosts: dict[tuple[str, int], _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, port: int, wait_seconds: float) -> AsyncIterator[None]:
        """Hold a turn at a host for the block; raises NoTurn if too many wait already, or after `wait_seconds`."""
        key = (host, port)
        found = self._hosts.setdefault(key, _Host(self._concurrent))
        if found.users >= self._concurrent + MAX_WAITING_PER_HOST:
            raise NoTurn
        found.users += 1
        try:
            try:
                async with asyncio.timeout(wait_seconds):
                    await found.semaphore.acquire()
            except TimeoutError:
                raise NoTurn from None
            try:
                yield
            finally:
                found.semaphore.release()
        finally:
            found.users -= 1
            if not found.users:
                del self._hosts[key]

    def __len__(self) -> int:
        """Return the number of hosts with running or waiting calls."""
        return len(self._hosts)


class _Host:
    def __init__(self, concurrent: int) -> None:
        self.semaphore = asyncio.Semaphore(concurrent)
        self.users = 0
