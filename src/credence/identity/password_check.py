"""The one place where a password is compared with an account (threats A1, A2, A4, A7, §8).

In this order: what is remembered, the limits on guessing, the queue, the limits again as they stand when the turn has
come, one hash, the tally. A guess that is throttled costs no hash and no write. Every other costs the same reads, the same
hash and the same writes for an account that exists, one that may not log in, and one that nobody knows.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

from credence.clock import Milliseconds
from credence.crypto.digest import DIGEST_BYTES, constant_time_equal, keyed_digest
from credence.crypto.passwords import hash_password, needs_rehash, verify_password
from credence.crypto.randomness import new_password, random_bytes
from credence.generational_cache import GenerationalCache
from credence.identity.accounts import with_rehashed_password
from credence.identity.hashing_queue import Disconnected, HashingQueue, never_disconnects
from credence.identity.login_attempts import LoginAttempt, LoginLimits, TallyKeys, in_order, trusted_until
from credence.refusals import WRONG_USER, Refused
from credence.store.contract import Conflict, Store, StoreUnavailable
from credence.store.records import Account, Tally
from credence.store.revocation_cache import RevocationCache
from credence.telemetry.log import log_unexpected, store_unavailable

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class PasswordCheck:
    """Checks passwords off the event loop, at a bounded pace.

    The hashing threads are as many as cores; the C code lets go of the interpreter while it hashes. They hold threads
    times the profile's memory and never more.
    """

    def __init__(
        self, store: Store, revocation_cache: RevocationCache, limits: LoginLimits, profile: str, memory_seconds: int
    ) -> None:
        self.profile = profile
        self._store = store
        self._revocation_cache = revocation_cache
        self._limits = limits
        self._remembered = RememberedPasswords(memory_seconds)
        self._decoy = hash_password(profile, new_password())
        self._threads = ThreadPoolExecutor(_cores(), thread_name_prefix="password")
        self._queue = HashingQueue(_cores())
        self._running: set[asyncio.Task[Any]] = set()
        self._rehashing: set[str] = set()

    async def verify(
        self, attempt: LoginAttempt, password: str, now: Milliseconds, disconnected: Disconnected = never_disconnects
    ) -> Account:
        """Return the account whose password this is.

        Refused with the wrong-password answer when it is not and when too many were not, with a spike arrest when the
        queue is full. A caller that leaves while it waits is dropped; a hash that has begun ends and counts (§8).
        """
        held = self._revocation_cache.cached_account(attempt.username)
        if self._remembered.holds(attempt, held, password, now) and held is not None:
            return held
        keys = self._limits.keys(attempt)
        await self._require_room(attempt, keys, now)
        await self._queue.acquire(attempt.client_id, attempt.network, disconnected)
        outcome = await asyncio.shield(self._start(self._outcome(attempt, keys, password, now)))
        if isinstance(outcome, Refused):
            raise outcome
        return outcome

    @property
    def waiting(self) -> int:
        """How many callers wait for a thread."""
        return len(self._queue)

    async def at_rest(self) -> None:
        """Return when everything that was begun has ended, rehashing included."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self) -> None:
        """Let what was begun end and be counted, and let go of the threads."""
        await self.at_rest()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _outcome(
        self, attempt: LoginAttempt, keys: TallyKeys, password: str, now: Milliseconds
    ) -> Account | Refused:
        """Return a refusal as a value: a task whose caller has left must not end with an exception that nobody takes."""
        try:
            return await self._judge(attempt, keys, password, now)
        except Refused as refused:
            return refused

    async def _judge(self, attempt: LoginAttempt, keys: TallyKeys, password: str, now: Milliseconds) -> Account:
        try:
            origin = await self._require_room(attempt, keys, now)
            account = await self._revocation_cache.read_account(attempt.username)
            password_hash = account.password_hash if account else self._decoy
            matches = await self._off_loop(verify_password, self.profile, password_hash, password)
            if account is None or not matches:
                self._remembered.forget(attempt)
                await self._store.count_failure(self._limits.increments(keys), now)
                raise Refused(WRONG_USER, "password.mismatch")
        finally:
            self._queue.release()
        until = trusted_until(origin, now)
        if until is not None:
            await self._store.count_success(keys.origin, until)
        self._remembered.put(attempt, account, password, now)
        if needs_rehash(self.profile, account.password_hash) and account.username not in self._rehashing:
            self._start(self._rehash(account, password, now))
        return account

    async def _require_room(self, attempt: LoginAttempt, keys: TallyKeys, now: Milliseconds) -> Tally:
        """Return the tally of the origin; refuse an attempt over the limit like a wrong password (D3, threats A2)."""
        tallies = await self._store.tallies(in_order(keys))
        reason = self._limits.throttled(tallies, now)
        if reason is not None:
            self._remembered.forget(attempt)
            raise Refused(WRONG_USER, reason)
        return tallies[0]

    async def _rehash(self, account: Account, password: str, now: Milliseconds) -> None:
        """Keep the password at the current cost, when there is time for it and nobody changed the account meanwhile (§8)."""
        self._rehashing.add(account.username)
        try:
            if not await self._queue.acquire_idle():
                return
            try:
                rehashed = await self._off_loop(hash_password, self.profile, password)
            finally:
                self._queue.release()
            await self._store.save_account(with_rehashed_password(account, rehashed), now)
        except Conflict:
            return  # the next login tries again
        except StoreUnavailable as error:
            store_unavailable(error)
        except Exception as error:  # noqa: BLE001 - nobody waits for it
            log_unexpected(error)
        finally:
            self._rehashing.discard(account.username)

    async def _off_loop(self, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run it to its end whoever waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


_MAX_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class _Remembered:
    digest: bytes
    password_version: int
    until: Milliseconds


_NOTHING = _Remembered(b"\0" * DIGEST_BYTES, password_version=0, until=0)


class RememberedPasswords:
    """Caches verified passwords as keyed hashes, so that a busy client is not hashed at every login.

    An entry is valid for its origin only: from another origin the limits apply first (threats A5).
    """

    def __init__(self, seconds: int) -> None:
        self._memory = seconds * 1000
        self._kept: GenerationalCache[LoginAttempt, _Remembered] = GenerationalCache(_MAX_REMEMBERED)
        self._key = random_bytes(32)

    def holds(self, attempt: LoginAttempt, account: Account | None, password: str, now: Milliseconds) -> bool:
        """Return whether this password was verified from this origin recently; always computes one digest (threats A1)."""
        kept = self._kept.get(attempt) or _NOTHING
        matches = constant_time_equal(kept.digest, self._digest(attempt, password))
        return (
            matches and account is not None and now < kept.until and kept.password_version == account.password_version
        )

    def put(self, attempt: LoginAttempt, account: Account, password: str, now: Milliseconds) -> None:
        """Add a password that has just been verified."""
        if self._memory:
            kept = _Remembered(self._digest(attempt, password), account.password_version, now + self._memory)
            self._kept.put(attempt, kept)

    def forget(self, attempt: LoginAttempt) -> None:
        """Remove the entry of this origin after a wrong password: the next attempt passes the limits (threats A5)."""
        if self._kept.get(attempt) is not None:
            self._kept.put(attempt, _NOTHING)

    def _digest(self, attempt: LoginAttempt, password: str) -> bytes:
        return keyed_digest(self._key, "password", attempt.username.encode(), password.encode())


def _cores() -> int:
    return len(os.sched_getaffinity(0))
