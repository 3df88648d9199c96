"""What every store promises. One suite of tests holds each promise against each store.

Rules that hold for every method: a method that returns has made its effect durable, whole and visible to every later
read of this process; one that raises Conflict has had no effect. `StoreUnavailable` says that the store could not be asked
(disk, lock, network), or that its answer was lost on the way: then the effect is whole or none, and who asks again is told
how it stands (D7). It becomes a 500, never a success (threats L4, F2).
"""

from collections.abc import Sequence
from typing import Protocol

from credence.clock import Milliseconds
from credence.store.records import (
    AccessTokenParameters,
    Account,
    Application,
    Change,
    FamilyStatistics,
    SigningKeyRow,
    StatusBlock,
    Tally,
    TallyIncrement,
    TokenFamily,
)

CHANGE_NOTICE_MS = 86_400_000
"""Milliseconds for which the log keeps a notice that something must be read again."""

MAX_REPLAY_CACHE_MS = 320_000
"""Milliseconds for which a mark is remembered, at most, clocks that are apart included: five minutes and a little."""


class StoreUnavailable(Exception):
    """The store could not be read or written, or did not say whether it was: the effect is whole or none."""


class Conflict(Exception):
    """Someone else saved first: the version read is no longer the version kept (threats E10)."""


class Store(Protocol):
    """The promises, one a method."""

    async def application(self, client_id: str) -> Application | None:
        """Return the application with exactly this client_id, or None."""

    async def applications(self) -> list[Application]:
        """Return every application in order of client_id."""

    async def save_application(self, application: Application, at: Milliseconds) -> None:
        """Keep `application` if the version kept is one less (none kept: version 1) and log the change, else Conflict."""

    async def account(self, username: str) -> Account | None:
        """Return the account with exactly this login name, or None."""

    async def accounts(self) -> list[Account]:
        """Return every account in order of login name."""

    async def accounts_named(self, usernames: Sequence[str]) -> list[Account]:
        """Return those of these accounts that there are, in any order; a thousand at most may be asked for."""

    async def save_account(self, account: Account, at: Milliseconds) -> None:
        """Keep `account` if the version kept is one less (none kept: version 1) and log the change, else Conflict."""

    async def open_family(self, family: TokenFamily, account: Account) -> None:
        """Keep a new family, if its account still stands as it was read: password, state and cut-off.

        Otherwise, and for a second family with the same id, it is a Conflict: a login that was verified before a change
        of the account must not take effect after it (threats L3).
        """

    async def family(self, family_id: bytes) -> TokenFamily | None:
        """Return the family as it stands, ended or not, or None."""

    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds = 0
    ) -> TokenFamily | None:
        """Advance a live family from exactly this generation and return it as it now stands.

        None when it was not at this generation, has ended, was opened before `not_before`, or `parameters.issued_at` is not
        before its expiry. Of any number of callers with the same generation exactly one gets the family (D7, threats
        L1). Its newest token is never dated before the last one: a clock set back stands still (threats T11).
        """

    async def end_family(self, family_id: bytes, at: Milliseconds, because: str) -> bool:
        """End a family for ever and log it; True when this call ended it. Constant work however long the family."""

    async def family_statistics(self, now: Milliseconds) -> list[FamilyStatistics]:
        """Return what the families of each application that has any come to, in order of client_id; for commands."""

    async def revoke_token(self, jti: str, until: Milliseconds) -> None:
        """Log that one access token is revoked until it would have expired."""

    async def changes(self, after: int) -> list[Change]:
        """Return the log entries with a sequence above `after`, in order. None is ever skipped or reordered."""

    async def acknowledged_changes(self, after: int) -> list[Change]:
        """Return what `changes` does, with all that was acknowledged before the call by whichever server of the store.

        StoreUnavailable when the server that is asked cannot tell whether another has taken its place.
        """

    def timeline(self) -> int:
        """Return a number that differs from the last one when the log must be read anew: its end may have been lost."""

    def change_marker(self) -> int:
        """Return a number that differs from the last one whenever the log may have grown. Cheap: asked every request."""

    def clock_offset(self) -> Milliseconds:
        """Return by how much the clock that all nodes of this store go by is ahead of this machine's (threats T11)."""

    async def sealed_secret(self, name: str, proposal: bytes) -> bytes:
        """Return the sealed secret of this name; when there is none, the proposal becomes it for every process."""

    async def sealed_secrets(self) -> dict[str, bytes]:
        """Return every sealed secret by its name."""

    async def reseal(self, secrets: dict[str, tuple[bytes, bytes]], at: Milliseconds) -> None:
        """Replace each named secret, given as old and new, all or none, and log it; Conflict when one is not the old."""

    async def delete_sealed_secret(self, name: str) -> None:
        """Destroy a sealed secret; nothing happens when there is none."""

    async def signing_keys(self) -> list[SigningKeyRow]:
        """Return every signing key in order of `signs_from`, then `kid`."""

    async def add_signing_key(self, key: SigningKeyRow, sealed: bytes, after: str | None, at: Milliseconds) -> None:
        """Keep a key with its sealed private half and log it, if the newest of its algorithm still is `after`.

        So of many processes that see that a key is due exactly one adds it (threats K4).
        """

    async def advance_signing_key(self, kid: str, signs_from: Milliseconds, at: Milliseconds) -> bool:
        """Let a key that is not revoked sign from this instant, if that is sooner, and log it; True when it was done."""

    async def revoke_signing_key(self, kid: str, at: Milliseconds) -> bool:
        """Revoke a key, destroy its private half and log it; True when this call revoked it."""

    async def delete_signing_key(self, kid: str, at: Milliseconds) -> None:
        """Forget a key that nothing can depend on any more, and log it."""

    async def tallies(self, keys: Sequence[bytes]) -> list[Tally]:
        """Return what is held against each of these keys, in their order; an empty tally where nothing is (threats A4)."""

    async def count_failure(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> None:
        """Count one wrong password against every key, all or none. Of many at once each is counted."""

    async def count_success(self, key: bytes, trusted_until: Milliseconds) -> None:
        """Empty the tally of this key and of no other, and let the key be familiar at least until then (threats A5)."""

    async def clear_failures(self, beginning: bytes) -> None:
        """Empty every tally whose key begins with these octets; what is familiar stays so."""

    async def consume_once(self, mark: bytes, until: Milliseconds) -> bool:
        """Note that a mark of at most 32 octets has been used; True for exactly one of any number of callers.

        It is remembered until `until`; after that nothing may depend on it. The empty mark stands for all those that are
        not remembered, up to its own `until`: in a restored store it is not known which were used (threats F6).
        """

    async def open_status_blocks(self, block: StatusBlock, count: int) -> list[int]:
        """Keep `count` such blocks and return their numbers, rising from 1. No number is ever given twice."""

    async def status_blocks(self, first: int, last: int) -> list[tuple[int, StatusBlock]]:
        """Return the blocks with a number from `first` to `last`, both included, in order."""

    async def status_block_numbers(self) -> range:
        """Return the numbers from that of the oldest block kept to that of the newest; some between may have gone."""

    async def sweep(self, now: Milliseconds, most: int = 1_000) -> int:
        """Free what nothing can depend on, at most `most` rows one by one; return how many went.

        Buckets of rows go beside them, each whole with its file and counted as one however many it held (threats L12). Less
        than `most`: nothing is left to this caller, for of many nodes one at a time may be the one that frees.
        """

    async def check_writable(self) -> None:
        """Write a scratch row and return, or raise StoreUnavailable (threats F9)."""

    async def close(self) -> None:
        """Finish what was accepted and let go of files, connections and threads."""
