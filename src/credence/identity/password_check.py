"""Compares passwords with accounts (threats A1, A2, A4, A7, §8). No other code does.

The order is: remembered passwords, limits on failures, hashing queue, the limits again, one hash, tallies. A throttled
attempt costs no hash and no write. Every other attempt costs the same reads, the same hash and the same writes, whether the
account is active, inactive or unknown.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

from credence.clock import Milliseconds, seconds
from credence.crypto.digest import DIGEST_BYTES, constant_time_equal, keyed_digest
from credence.crypto.passwords import PasswordHashing, needs_rehash
from credence.crypto.randomness import new_password, random_bytes
from credence.generational_cache import GenerationalCache
from credence.identity.accounts import with_rehashed_password
from credence.identity.hashing_queue import Caller, Disconnected, HashingQueue, never_disconnects
from credence.identity.login_attempts import (
    TRUST_MS,
    AdmittedAttempt,
    LoginAttempt,
    LoginLimits,
    Throttled,
    ThrottleRules,
    increments,
    keys_of,
    throttle,
    trusted_until,
)
from credence.identity.password_policy import check_password
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.shared_task import shared_task
from credence.store.contract import Conflict, Store, StoreUnavailable
from credence.store.records import Account
from credence.store.revocation_cache import RevocationCache
from credence.telemetry.histogram import Histogram
from credence.telemetry.log import log_unexpected, store_unavailable

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Matches = Callable[[str, str], Awaitable[bool]]
"""Takes a hash and a password, and returns whether the password matches."""


class PasswordCheck:
    """Checks passwords in threads, at a bounded rate.

    There is one hashing thread per core; the C code releases the interpreter lock. Together they use at most the number of
    threads times the memory of the profile.
    """

    def __init__(
        self, store: Store, revocation_cache: RevocationCache, limits: LoginLimits, profile: str, memory_seconds: int
    ) -> None:
        self.profile = profile
        self._hashing = PasswordHashing(profile)
        self._store = store
        self._revocation_cache = revocation_cache
        self._limits = limits
        self._remembered = RememberedPasswords(memory_seconds)
        self._decoy = self._hashing.hash(new_password())
        self._threads = ThreadPoolExecutor(_cores(), thread_name_prefix="password")
        self._queue = HashingQueue(_cores())
        self._running: set[asyncio.Task[Any]] = set()
        self.hashing_seconds = Histogram()
        """Durations for which password checks used a hashing thread."""
        self._rehashing: set[str] = set()
        self._matches: Matches = self._matches_in_thread

    def change_hashing(self, change: Callable[[Matches], Matches]) -> None:
        """Wrap each comparison of a password with a hash, for example in a tracing span."""
        self._matches = change(self._matches)

    async def verify(
        self, attempt: LoginAttempt, password: str, now: Milliseconds, disconnected: Disconnected = never_disconnects
    ) -> Account:
        """Return the account if this is its password.

        Raises Refused: as for a wrong password, also after too many attempts (`Throttled`), and as a spike arrest if the
        queue is full. A caller that disconnects leaves the queue; a hash that has begun is finished and counted (threats
        §8).
        """
        cached = self._revocation_cache.cached_account(attempt.username)
        if self._remembered.holds(attempt, cached, password, now) and cached is not None:
            return cached
        rules = self._limits.rules(attempt)
        found = await self._require_room(attempt, rules, now)
        member = attempt.username if found.trusted and not attempt.client_id else attempt.network
        await self._queue.acquire(Caller(attempt.client_id, member, found.trusted, found.failures), disconnected)
        outcome = await asyncio.shield(self._start(self._outcome(attempt, rules, password, now)))
        if isinstance(outcome, Refused):
            raise outcome
        return outcome

    async def trust(self, attempt: LoginAttempt, now: Milliseconds) -> None:
        """Trust the origin of a person who has just chosen the password, and forget its wrong ones."""
        await self._store.count_success(keys_of(self._limits.rules(attempt))[0], now + TRUST_MS)

    async def hash_new(self, password: str, username: str, disconnected: Disconnected = never_disconnects) -> str:
        """Return the hash of a new password, after waiting in the queue; InvalidInput if the rules refuse the password.

        The person has proved with a link or the current password who they are. Raises Refused with a spike arrest if the
        queue is full.
        """
        check_password(password)
        await self._queue.acquire(Caller("", username, trusted=True), disconnected)
        return await asyncio.shield(self._start(self._hashed(password)))

    async def _hashed(self, password: str) -> str:
        try:
            return await self._off_loop(self._hashing.hash, password)
        finally:
            self._queue.release()

    @property
    def waiting(self) -> int:
        """The number of callers that wait for a thread."""
        return len(self._queue)

    async def at_rest(self) -> None:
        """Wait until all checks and rehashes have finished."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self) -> None:
        """Finish and count all checks, then stop the threads."""
        await self.at_rest()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _outcome(
        self, attempt: LoginAttempt, rules: ThrottleRules, password: str, now: Milliseconds
    ) -> Account | Refused:
        """Return the account, or the refusal as a value: after a disconnection, no code would retrieve an exception."""
        try:
            return await self._judge(attempt, rules, password, now)
        except Refused as refused:
            return refused

    async def _judge(self, attempt: LoginAttempt, rules: ThrottleRules, password: str, now: Milliseconds) -> Account:
        try:
            found = await self._require_room(attempt, rules, now)
            account = await self._revocation_cache.read_account(attempt.username)
            password_hash = account.password_hash if account else self._decoy
            began = seconds()
            matches = await self._matches(password_hash, password)
            self.hashing_seconds.observe(seconds() - began)
            if account is None or not matches:
                self._remembered.forget(attempt)
                await self._store.count_failure(increments(rules), now)
                raise Refused(WRONG_USER, "password.mismatch")
        finally:
            self._queue.release()
        until = trusted_until(attempt, found.origin, now)
        if until is not None:
            await self._store.count_success(keys_of(rules)[0], until)
        self._remembered.put(attempt, account, password, now)
        if needs_rehash(self.profile, account.password_hash) and account.username not in self._rehashing:
            self._start(self._rehash(account, password, now))
        return account

    async def _matches_in_thread(self, password_hash: str, password: str) -> bool:
        return await self._off_loop(self._hashing.verify, password_hash, password)

    async def _require_room(self, attempt: LoginAttempt, rules: ThrottleRules, now: Milliseconds) -> AdmittedAttempt:
        """Admit the attempt or raise Throttled, which refuses it as a wrong password (D3, threats A2)."""
        tallies = await self._store.tallies(keys_of(rules))
        try:
            return throttle(rules, tallies, WRONG_USER, now)
        except Throttled:
            self._remembered.forget(attempt)
            raise

    async def _rehash(self, account: Account, password: str, now: Milliseconds) -> None:
        """Hash the password at the current cost if a thread is idle; store it if the account is unchanged (threats §8)."""
        self._rehashing.add(account.username)
        try:
            if not await self._queue.acquire_idle():
                return
            try:
                rehashed = await self._off_loop(self._hashing.hash, password)
            finally:
                self._queue.release()
            await self._store.save_account(with_rehashed_password(account, rehashed), now)
        except Conflict:
            return  # the next login tries again
        except StoreUnavailable as error:
            store_unavailable(error)
        except Exception as error:  # noqa: BLE001 - no caller waits for it
            log_unexpected(error)
        finally:
            self._rehashing.discard(account.username)

    async def _off_loop(self, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run the work to completion, even if its caller is cancelled."""
        task = shared_task(work)
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
        self._memory_ms = seconds * 1000
        self._entries: GenerationalCache[LoginAttempt, _Remembered] = GenerationalCache(_MAX_REMEMBERED)
        self._key = random_bytes(32)

    def holds(self, attempt: LoginAttempt, account: Account | None, password: str, now: Milliseconds) -> bool:
        """Return whether this password was verified from this origin recently; always computes one digest (threats A1)."""
        entry = self._entries.get(attempt) or _NOTHING
        matches = constant_time_equal(entry.digest, self._digest(attempt, password))
        return (
            matches and account is not None and now < entry.until and entry.password_version == account.password_version
        )

    def put(self, attempt: LoginAttempt, account: Account, password: str, now: Milliseconds) -> None:
        """Add a password that has just been verified."""
        if self._memory_ms:
            entry = _Remembered(self._digest(attempt, password), account.password_version, now + self._memory_ms)
            self._entries.put(attempt, entry)

    def forget(self, attempt: LoginAttempt) -> None:
        """Remove the entry of this origin after a wrong password: the next attempt passes the limits (threats A5)."""
        if self._entries.get(attempt) is not None:
            self._entries.put(attempt, _NOTHING)

    def _digest(self, attempt: LoginAttempt, password: str) -> bytes:
        return keyed_digest(self._key, "password", attempt.username.encode(), password.encode())


def _cores() -> int:
    return len(os.sched_getaffinity(0))
