"""Checks passwords off the event loop, at a bounded pace, and remembers for a while what it verified (threats A1, A7, §8).

The hashing threads are as many as cores; the C code lets go of the interpreter while it hashes. What does not fit into
the queue is refused as a spike. An account nobody knows costs one hash, like a wrong password.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

from credence.clock import Milliseconds
from credence.crypto.chance import new_password, random_bytes
from credence.crypto.digest import keyed_digest, same
from credence.crypto.passwords import hash_password, needs_rehash, verify_password
from credence.recent import Recent
from credence.refusals import SPIKE_ARREST, Refused
from credence.store.records import Account

LONGEST_QUEUE = 64
"""Checks waiting for a thread; one takes tens of milliseconds, so the last of them waits about two seconds."""

MOST_REMEMBERED = 10_000

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True, slots=True)
class _Remembered:
    digest: bytes
    password_version: int
    until: Milliseconds


class PasswordCheck:
    """The one place where a password is compared with an account."""

    def __init__(self, profile: str, memory_seconds: int) -> None:
        self.profile = profile
        self._memory = memory_seconds * 1000
        self._remembered: Recent[str, _Remembered] = Recent(MOST_REMEMBERED)
        self._key = random_bytes(32)
        self._decoy = hash_password(profile, new_password())
        self._threads = ThreadPoolExecutor(_cores(), thread_name_prefix="password")
        self._waiting = 0

    async def verify(self, account: Account | None, password: str, now: Milliseconds) -> bool:
        """Tell whether this is the account's password; Refused with a spike arrest when the queue is full."""
        if account is not None and self._remembers(account, password, now):
            return True
        password_hash = account.password_hash if account else self._decoy
        matches = await self._off_loop(verify_password, self.profile, password_hash, password)
        if account is None or not matches:
            return False
        self._remember(account, password, now)
        return True

    async def rehash(self, account: Account, password: str) -> str | None:
        """Return a hash at the current cost when the account's is at another one, else None."""
        if not needs_rehash(self.profile, account.password_hash):
            return None
        return await self._off_loop(hash_password, self.profile, password)

    def close(self) -> None:
        """Let the running hashes end and take no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _off_loop(self, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        if self._waiting >= LONGEST_QUEUE:
            raise Refused(SPIKE_ARREST, "password.queue_full", retry_after=2)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        finally:
            self._waiting -= 1

    def _remembers(self, account: Account, password: str, now: Milliseconds) -> bool:
        kept = self._remembered.get(account.username)
        return (
            kept is not None
            and now < kept.until
            and kept.password_version == account.password_version
            and same(kept.digest, self._digest(account, password))
        )

    def _remember(self, account: Account, password: str, now: Milliseconds) -> None:
        if not self._memory:
            return
        digest = self._digest(account, password)
        kept = _Remembered(digest, account.password_version, now + self._memory)
        self._remembered.put(account.username, kept)

    def _digest(self, account: Account, password: str) -> bytes:
        return keyed_digest(self._key, "password", account.username.encode(), password.encode())


def _cores() -> int:
    return len(os.sched_getaffinity(0))
