"""Decides which password is hashed next when more wait than there are hashing threads (threats A7, §8).

Waiting callers are served round robin over groups and, within a group, round robin over addresses; those at trusted origins
over accounts, because one account is trusted wherever its owner has signed in. A group is an application that has proved who
it is, or all people from trusted origins, or all people from unknown origins: a page may be opened for any application, and
client_ids are free where applications register themselves. Among unknown origins an address with fewer wrong passwords comes
first.

Unknown origins have one half of the places and all others the other half, so neither can take those of the other. If a half
is full, the last caller of the address or account with the most callers and wrong passwords, in the group with the most, is
refused. So no caller can exclude another, and a single caller may use a whole half.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST

MAX_WAITING = 64
"""Maximum callers in a half of the queue. A hash takes tens of milliseconds, so two cores serve them in about a second."""

MAX_WAIT_SECONDS = 2.0
"""The maximum wait of a caller (threats §3)."""

MAX_IDLE_WAITING = 64
MAX_IDLE_WAIT_SECONDS = 60.0
"""The maximum wait of optional work for an idle thread."""

RETRY_AFTER_SECONDS = 2

Disconnected = Callable[[], Awaitable[None]]
"""Returns when the caller has disconnected."""

Waiter = asyncio.Future[None]

UNKNOWN_ORIGINS = ""
TRUSTED_ORIGINS = "trusted origins"
"""The names of two groups; those of the others are client_ids."""


class Caller(NamedTuple):
    """Who waits."""

    client_id: str
    """The application that has proved who it is, or empty."""
    member: str
    """Whose turns in the group these are: an account at trusted origins, an address prefix otherwise."""
    trusted: bool = False
    """Whether a person without such an application comes from a trusted origin."""
    failures: int = 0
    """The wrong passwords from the network that count now."""

    @property
    def group(self) -> str:
        """The checks that share one turn: those of an application, or of people from known or from unknown origins."""
        return self.client_id or (TRUSTED_ORIGINS if self.trusted else UNKNOWN_ORIGINS)


@dataclass(slots=True)
class _Line:
    """The waiting callers of one member of a group."""

    failures: int = 0
    waiters: deque[Waiter] = field(default_factory=deque)


async def never_disconnects() -> None:
    """Wait without end, for a caller that cannot disconnect."""
    await asyncio.get_running_loop().create_future()


class HashingQueue:
    """A fair queue for hashing threads. The caller that acquires one releases it when the work is done."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._waiting: dict[str, dict[str, _Line]] = {}
        """Group -> member -> line, in the order of their turns."""
        self._idle: deque[Waiter] = deque()

    async def acquire(self, caller: Caller, disconnected: Disconnected = never_disconnects) -> None:
        """Wait for a thread.

        Raises Refused with a spike arrest if its half is full, the wait is too long or the caller disconnects.
        """
        if self._free:
            self._free -= 1
            return
        waiter = self._join(caller)
        disconnect = asyncio.ensure_future(disconnected())
        try:
            await asyncio.wait((waiter, disconnect), timeout=MAX_WAIT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._withdraw(waiter, caller)
            raise
        finally:
            disconnect.cancel()
        if not waiter.done():
            self._withdraw(waiter, caller)
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

    def _join(self, caller: Caller) -> Waiter:
        waiter: Waiter = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(caller.group, {}).setdefault(caller.member, _Line())
        line.failures = caller.failures
        line.waiters.append(waiter)
        half = [each for each in self._waiting if (each == UNKNOWN_ORIGINS) is (caller.group == UNKNOWN_ORIGINS)]
        if sum(_length(self._waiting[each]) for each in half) > MAX_WAITING:
            self._refuse_one(half, caller)
        return waiter

    def _refuse_one(self, half: Sequence[str], newcomer: Caller) -> None:
        """Refuse the last caller of the heaviest member; if several are as heavy, refuse the newcomer."""
        group = max(half, key=lambda each: (_length(self._waiting[each]), each == newcomer.group))
        lines = self._waiting[group]
        member = max(lines, key=lambda each: (len(lines[each].waiters) + lines[each].failures, each == newcomer.member))
        waiter = lines[member].waiters.pop()
        self._remove_if_empty(group, member)
        waiter.set_exception(Refused(SPIKE_ARREST, "password.queue_full", retry_after=RETRY_AFTER_SECONDS))

    def _next(self) -> Waiter:
        group, lines = next(iter(self._waiting.items()))
        member = min(lines, key=lambda each: lines[each].failures)  # the first one of several
        line = lines[member]
        waiter = line.waiters.popleft()
        # Move the member and the group to the end of their round-robin orders.
        del self._waiting[group], lines[member]
        if line.waiters:
            lines[member] = line
        if lines:
            self._waiting[group] = lines
        return waiter

    def _withdraw(self, waiter: Waiter, caller: Caller) -> None:
        if not waiter.done():
            self._waiting[caller.group][caller.member].waiters.remove(waiter)
            self._remove_if_empty(caller.group, caller.member)
        elif waiter.exception() is None:
            self.release()  # the thread was granted just when the caller disconnected

    def _remove_if_empty(self, group: str, member: str) -> None:
        lines = self._waiting[group]
        if not lines[member].waiters:
            del lines[member]
        if not lines:
            del self._waiting[group]


def _length(lines: Mapping[str, _Line]) -> int:
    return sum(len(each.waiters) for each in lines.values())
