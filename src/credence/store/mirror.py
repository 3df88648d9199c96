"""The part of the store a process keeps in memory, exact because it follows the change log (threats §7).

What is revoked is held whole: the log drops an entry only when nothing can depend on it. Applications and accounts are
held as they are asked for and forgotten when the log says that they changed. So a bearer check reads no row, and a
change made by any process is seen by the next request.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

from credence.clock import Milliseconds
from credence.store.contract import Store
from credence.store.records import Account, Application, Change

MOST_HELD = 50_000
"""Applications and accounts held in memory, each; beyond it the memory is dropped and filled anew."""

T = TypeVar("T", Application, Account)


class Mirror:
    """Follows one store. `keys_version` grows whenever the signing keys must be read again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._marker = -1
        self._sequence = 0
        self._revoked: dict[str, Milliseconds] = {}
        self._applications: dict[str, Application] = {}
        self._accounts: dict[str, Account] = {}
        self.keys_version = 0
        self._heard: float | None = None
        self._look: asyncio.Task[None] | None = None

    async def follow(self, *, anyway: bool = False) -> None:
        """Apply what the log holds since the last call; `anyway` looks even if nothing was announced.

        Of many requests one looks for all. StoreUnavailable when the log cannot be read: the request fails closed.
        """
        for _ in range(2):  # a look that is under way may have begun before the last announcement; the next has not
            if self._store.marker() == self._marker and not anyway:
                return
            anyway = False
            if self._look is None:
                self._look = asyncio.create_task(self._look_at_log())
            await asyncio.shield(self._look)

    def silent_for(self) -> float:
        """Return the seconds since the log was last read to its end: what is older is known here. Infinite before that.

        An announcement that does not come leaves it as it is, so it grows while the log cannot be heard.
        """
        return math.inf if self._heard is None else asyncio.get_running_loop().time() - self._heard

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

    def held_account(self, username: str) -> Account | None:
        """Return the account as it stands if it is held: no read, whoever is asked for."""
        return self._accounts.get(username)

    async def account_anew(self, username: str) -> Account | None:
        """Return the account as it stands, by one read of the store whether it is held, not held or unknown (A1)."""
        return await self._hold(self._accounts, username, self._store.account)

    def forget_expired(self, now: Milliseconds) -> None:
        """Free the revocations that nothing can depend on any more."""
        self._revoked = {subject: until for subject, until in self._revoked.items() if until > now}

    async def _look_at_log(self) -> None:
        marker, began = self._store.marker(), asyncio.get_running_loop().time()
        try:
            for change in await self._store.changes(self._sequence):
                self._apply(change)
            self._marker, self._heard = marker, began
        finally:
            self._look = None

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
