"""The part of the store a process keeps in memory, exact because it follows the change log (threats §7).

What is revoked is held whole: the log drops an entry only when nothing can depend on it. Applications and accounts are
held as they are asked for and forgotten when the log says that they changed. So a bearer check reads no row, and a
change made by any process is seen by the next request.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from credence import clock
from credence.clock import Milliseconds
from credence.store.contract import Store, StoreUnavailable
from credence.store.records import Account, Application, Change

MOST_HELD = 50_000
"""Applications and accounts held in memory, each; beyond it the memory is dropped and filled anew."""

PATIENCE = 0.1
"""Seconds for which requests wait for a look at a log on another machine; then they go on with what is known."""

T = TypeVar("T", Application, Account)


class StaleRevocationState(StoreUnavailable):
    """The change log has not been heard for so long that what is held in memory may not be relied upon (threats L9)."""


class RevocationCache:
    """Follows one store. `keys_version` grows whenever the signing keys must be read again."""

    def __init__(
        self, store: Store, max_staleness_seconds: float | None = None, seconds: Callable[[], float] = clock.seconds
    ) -> None:
        """`max_staleness_seconds` is in seconds, for a log on another machine; None for one that is read at each request."""
        self._store = store
        self._max_staleness_seconds = max_staleness_seconds
        self._seconds = seconds
        self._marker = -1
        self._sequence = 0
        self._lineage = store.timeline()
        self._revoked: dict[str, Milliseconds] = {}
        self._applications: dict[str, Application] = {}
        self._accounts: dict[str, Account] = {}
        self.keys_version = 0
        self._heard: float | None = None
        self._look: asyncio.Task[None] | None = None
        self._began = 0.0

    async def ensure_current(self) -> None:
        """Bring what is held up to date, at the start of a request.

        A log on this machine has been read when this returns; StoreUnavailable when it cannot be. A log elsewhere has been
        read too if that is a matter of milliseconds. If it is not, nobody waits for it, until it has been silent too long.
        """
        if self._max_staleness_seconds is None:
            await self._catch_up()
            return
        if self._store.change_marker() != self._marker:
            began = self._seconds() if self._look is None else self._began
            with suppress(TimeoutError, StoreUnavailable):
                async with asyncio.timeout(began + PATIENCE - self._seconds()):
                    await self._catch_up()
        if self.is_stale():
            raise StaleRevocationState(f"the change log has not been heard for {self.staleness_seconds():.1f} s")

    async def sync(self) -> None:
        """Read the log to its end whether or not anything was announced, and make sure that this is its end.

        StoreUnavailable when it cannot be read, or when the server it was read from may have lost its place to another.
        """
        while self._look is not None:
            await asyncio.wait({self._look})
        await asyncio.shield(self._begin_look(acknowledged=True))

    def staleness_seconds(self) -> float:
        """Return the seconds since the log was last heard: whatever is older is known here. Infinite before that."""
        return math.inf if self._heard is None else self._seconds() - self._heard

    def is_stale(self) -> bool:
        """Tell whether what is held may not be relied upon: the log has not been heard for longer than it may be."""
        return self._max_staleness_seconds is not None and self.staleness_seconds() > self._max_staleness_seconds

    def mark_revoked(self, subject: str, until: Milliseconds) -> None:
        """Know at once what this process has revoked, before the log says it: so it holds before that is answered (D11)."""
        self._revoked[subject] = max(until, self._revoked.get(subject, until))

    def is_revoked(self, subject: str) -> bool:
        """Tell whether this token id (`jti`) or family (`sid`) has been revoked."""
        return subject in self._revoked

    def revoked(self) -> list[str]:
        """Return every token id and family that has been revoked and is remembered, as a copy."""
        return list(self._revoked)

    @property
    def sequence(self) -> int:
        """That of the last change that was applied: while it stands, nothing was revoked, closed or cut off."""
        return self._sequence

    async def application(self, client_id: str) -> Application | None:
        """Return the application as it stands."""
        held = self._applications.get(client_id)
        return held if held is not None else await self._hold(self._applications, client_id, self._store.application)

    async def account(self, username: str) -> Account | None:
        """Return the account as it stands."""
        held = self._accounts.get(username)
        return held if held is not None else await self._hold(self._accounts, username, self._store.account)

    def cached_account(self, username: str) -> Account | None:
        """Return the account as it stands if it is held: no read, whoever is asked for."""
        return self._accounts.get(username)

    async def read_account(self, username: str) -> Account | None:
        """Return the account as it stands, by one read of the store whether it is held, not held or unknown (threats A1)."""
        return await self._hold(self._accounts, username, self._store.account)

    def forget_expired(self, now: Milliseconds) -> None:
        """Free the revocations that nothing can depend on any more."""
        self._revoked = {subject: until for subject, until in self._revoked.items() if until > now}

    async def _catch_up(self) -> None:
        """Apply what was announced. Of many requests one looks for all."""
        for _ in range(2):  # a look that is under way may have begun before the last announcement; the next has not
            if self._store.change_marker() == self._marker:
                return
            await asyncio.shield(self._look or self._begin_look())

    def _begin_look(self, *, acknowledged: bool = False) -> asyncio.Task[None]:
        self._began = self._seconds()
        self._look = asyncio.create_task(self._look_at_log(acknowledged=acknowledged))
        return self._look

    async def _look_at_log(self, *, acknowledged: bool) -> None:
        marker, timeline = self._store.change_marker(), self._store.timeline()
        try:
            anew = timeline != self._lineage
            read = self._store.acknowledged_changes if acknowledged else self._store.changes
            changes = await read(0 if anew else self._sequence)
            if anew:
                self._begin_anew()
            for change in changes:
                self._apply(change)
            self._marker, self._lineage = marker, timeline
            if acknowledged:
                self._heard = self._began
        finally:
            self._look = None

    def _begin_anew(self) -> None:
        """Forget what may rest on changes that were lost; what was revoked stays so."""
        self._sequence = 0
        self._applications.clear()
        self._accounts.clear()
        self.keys_version += 1

    def _apply(self, change: Change) -> None:
        self._sequence = change.sequence
        match change.kind:
            case "token" | "family":
                self._revoked[change.subject] = change.until
            case "application":
                self._applications.pop(change.subject, None)
            case "account":
                self._accounts.pop(change.subject, None)
            case "key":
                self.keys_version += 1

    async def _hold(self, held: dict[str, T], key: str, read: Callable[[str], Awaitable[T | None]]) -> T | None:
        sequence = self._sequence
        value = await read(key)
        # Unknown names are not held, or a stranger could fill the memory; nor is what changed while it was read.
        if value is not None and self._sequence == sequence:
            if len(held) >= MOST_HELD:
                held.clear()
            held[key] = value
        return value
