"""Revocations, applications and accounts in memory, kept exact by the change log (threats §7).

The cache holds every revocation that a valid token can depend on: the log deletes an entry only after that. Applications
and accounts are cached when they are first read and dropped when the log reports a change. A bearer check therefore reads
no row, and a change made by any process takes effect with the next request.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import islice
from typing import TypeVar

import msgspec

from credence import clock
from credence.clock import Milliseconds
from credence.loop_pass import LoopPass
from credence.shared_task import shared_task
from credence.store.change_log import LogGap
from credence.store.contract import Store, StoreUnavailable
from credence.store.records import Account, Application, Change

MAX_ENTRIES = 50_000
"""Entries of the cache of applications, and of that of accounts. A full cache loses the tenth that it read first."""

MAX_WAIT_SECONDS = 0.1
"""How long requests wait for the log of a remote store. After that they use the cached state if it is not stale."""

T = TypeVar("T", Application, Account)


class StaleRevocationState(StoreUnavailable):
    """The change log has not been read for longer than the deployment allows (threats L9)."""


class RevocationCache:
    """The cached state of one store.

    `keys_version` grows whenever the signing keys must be read again, `applications_version` with each change of an
    application.
    """

    def __init__(
        self,
        store: Store,
        max_staleness_seconds: float | None = None,
        seconds: Callable[[], float] = clock.seconds,
        *,
        test_clocks: bool = False,
    ) -> None:
        """`max_staleness_seconds` is for a remote store; None for a store on this machine, whose log requests read.

        Without `test_clocks`, the test clocks in the records are ignored and every application has the real time.
        """
        self._store = store
        self._max_staleness_seconds = max_staleness_seconds
        self._seconds = seconds
        self._read_application = store.application if test_clocks else self._application_in_real_time
        self._marker = -1
        self._sequence = self._restarts = 0
        self._timeline = store.timeline()
        self._revoked: dict[str, Milliseconds] = {}
        self._applications: dict[str, Application] = {}
        self._accounts: dict[str, Account] = {}
        self.keys_version = 0
        self.applications_version = 0
        self._synced_at: float | None = None
        self._poll: asyncio.Task[None] | None = None
        self._poll_began = 0.0
        self._compared = LoopPass()

    def is_current(self) -> bool:
        """Return whether `ensure_current` has nothing to do, as for almost every request.

        With a local store, requests that wait together are compared once with the change log (`loop_pass`). The marker of a
        remote store is in memory, and a write advances it when its request goes on, so it is compared each time.
        """
        if self._max_staleness_seconds is not None:
            return self._store.change_marker() == self._marker and not self.is_stale()
        if self._compared.holds():
            return True
        if self._store.change_marker() != self._marker:
            return False
        self._compared.hold()
        return True

    async def ensure_current(self) -> None:
        """Bring the cache up to date at the start of a request.

        Local store: the log has been read when this returns; StoreUnavailable if it cannot be. Remote store: waits up to
        `MAX_WAIT_SECONDS` for announced changes; StaleRevocationState if the last complete read is too old.
        """
        if self._max_staleness_seconds is None:
            await self._catch_up()
            return
        if self._store.change_marker() != self._marker:
            began = self._seconds() if self._poll is None else self._poll_began
            with suppress(TimeoutError, StoreUnavailable):
                async with asyncio.timeout(began + MAX_WAIT_SECONDS - self._seconds()):
                    await self._catch_up()
        if self.is_stale():
            raise StaleRevocationState(f"the change log was last read {self.staleness_seconds():.1f} s ago")

    async def sync(self) -> None:
        """Read the log to its end, whether or not a change was announced, and verify that this is its end.

        StoreUnavailable if it cannot be read, or if another server may have replaced the one that answered.
        """
        while self._poll is not None:
            await asyncio.wait({self._poll})
        await asyncio.shield(self._start_poll(acknowledged=True))

    def staleness_seconds(self) -> float:
        """Return the age of the last complete read of the log in seconds; infinite before the first."""
        return math.inf if self._synced_at is None else self._seconds() - self._synced_at

    def is_stale(self) -> bool:
        """Return whether the cache is older than `max_staleness_seconds`, so that no token can be accepted."""
        return self._max_staleness_seconds is not None and self.staleness_seconds() > self._max_staleness_seconds

    def mark_revoked(self, subject: str, until: Milliseconds) -> None:
        """Add a revocation by this process before it is read from the log, so that it takes effect at once (D11)."""
        self._revoked[subject] = max(until, self._revoked.get(subject, until))

    def is_revoked(self, subject: str) -> bool:
        """Return whether this token id (`jti`) or family (`sid`) has been revoked."""
        return subject in self._revoked

    def revoked(self) -> list[str]:
        """Return a copy of all cached revocations: token ids and family ids."""
        return list(self._revoked)

    @property
    def sequence(self) -> int:
        """The sequence number of the last applied change."""
        return self._sequence

    async def application(self, client_id: str) -> Application | None:
        """Return the application, from the cache or the store."""
        cached = self._applications.get(client_id)
        return cached if cached is not None else await self._read(self._applications, client_id, self._read_application)

    async def _application_in_real_time(self, client_id: str) -> Application | None:
        found = await self._store.application(client_id)
        return found if found is None or found.clock is None else msgspec.structs.replace(found, clock=None)

    async def account(self, username: str) -> Account | None:
        """Return the account, from the cache or the store."""
        cached = self._accounts.get(username)
        return cached if cached is not None else await self._read(self._accounts, username, self._store.account)

    def cached_application(self, client_id: str) -> Application | None:
        """Return the application if it is cached. Never reads the store; asked first, it spares a request a coroutine."""
        return self._applications.get(client_id)

    def cached_account(self, username: str) -> Account | None:
        """Return the account if it is cached. Never reads the store."""
        return self._accounts.get(username)

    async def read_account(self, username: str) -> Account | None:
        """Return the account by one read of the store, cached or not, so that the cost is always the same (threats A1)."""
        return await self._read(self._accounts, username, self._store.account)

    def forget_expired(self, now: Milliseconds) -> None:
        """Drop the revocations of tokens that have expired."""
        self._revoked = {subject: until for subject, until in self._revoked.items() if until > now}

    async def _catch_up(self) -> None:
        """Apply announced changes. Concurrent requests share one read."""
        for _ in range(2):  # a read in progress may have begun before the last announcement; the next one did not
            if self._store.change_marker() == self._marker:
                return
            await asyncio.shield(self._poll or self._start_poll())

    def _start_poll(self, *, acknowledged: bool = False) -> asyncio.Task[None]:
        self._poll_began = self._seconds()
        self._poll = shared_task(self._read_log(acknowledged=acknowledged))
        return self._poll

    async def _read_log(self, *, acknowledged: bool) -> None:
        marker, timeline = self._store.change_marker(), self._store.timeline()
        try:
            restart = timeline != self._timeline
            read = self._store.acknowledged_changes if acknowledged else self._store.changes
            try:
                changes = await read(0 if restart else self._sequence)
            except LogGap:  # this process did not run for longer than the log keeps its entries
                restart, changes = True, await read(0)
            if restart:
                self._restart()
            for change in changes:
                self._apply(change)
            self._marker, self._timeline = marker, timeline
            if acknowledged:
                self._synced_at = self._poll_began
        finally:
            self._poll = None

    def _restart(self) -> None:
        """Drop everything that may depend on lost changes. Revocations remain."""
        self._sequence = 0
        self._restarts += 1
        self._applications.clear()
        self._accounts.clear()
        self.keys_version += 1
        self.applications_version += 1

    def _apply(self, change: Change) -> None:
        self._sequence = change.sequence
        match change.kind:
            case "token" | "family":
                self._revoked[change.subject] = change.until
            case "application":
                self._applications.pop(change.subject, None)
                self.applications_version += 1
            case "account":
                self._accounts.pop(change.subject, None)
            case "key":
                self.keys_version += 1

    async def _read(self, cache: dict[str, T], key: str, read: Callable[[str], Awaitable[T | None]]) -> T | None:
        state = self._sequence, self._restarts
        value = await read(key)
        # Unknown names are not cached, or a caller could fill the memory; nor is a value that changed during the read.
        if value is not None and (self._sequence, self._restarts) == state:
            if len(cache) >= MAX_ENTRIES and key not in cache:
                for oldest in list(islice(cache, MAX_ENTRIES // 10)):
                    del cache[oldest]
            cache[key] = value
        return value
