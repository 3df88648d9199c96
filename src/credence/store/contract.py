"""The store: what every implementation must do. One test suite checks each implementation against it.

For every method: when it returns, its effect is complete, durable and visible to every later read of this process. When it
raises Conflict, it had no effect. When it raises StoreUnavailable, the store did not answer in time (disk, lock, network);
the effect is then complete or absent, and a repeated call returns which (D7). An endpoint turns StoreUnavailable into a
500, never into a success (threats L4, F2).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from credence.clock import Milliseconds
from credence.store.alerts import AlertStore
from credence.store.deliveries import DeliveryStore
from credence.store.devices import Devices
from credence.store.errors import Conflict as Conflict
from credence.store.errors import Full as Full
from credence.store.errors import StoreDamaged as StoreDamaged
from credence.store.errors import StoreUnavailable as StoreUnavailable
from credence.store.monitoring import MonitoringStore
from credence.store.nodes import Nodes
from credence.store.people import Factor
from credence.store.records import (
    AccessTokenParameters,
    Account,
    Application,
    Change,
    FamilyStatistics,
    ReportRead,
    StatusBlock,
    TokenFamily,
)
from credence.store.shared_refusals import SharedRefusals
from credence.store.sign_ins import SignIn, SignInStore
from credence.store.signals import SignalStore
from credence.store.signing_keys import SigningKeyStore
from credence.store.tallies import TallyStore
from credence.store.webhooks import WebhookStore
from credence.telemetry.histogram import Histogram

CHANGE_NOTICE_MS = 86_400_000
"""How long the change log keeps a notice that an application, account or key must be read again."""

MAX_REPLAY_CACHE_MS = 320_000
"""The longest time for which a key stays in the replay cache: five minutes and the clock difference of two nodes."""


class PoolUse(NamedTuple):
    """The use of one process's connections to a shared store."""

    used: int
    idle: int
    waiting: int
    """Operations that wait for a connection."""


class Store(
    Devices,
    SignInStore,
    SigningKeyStore,
    TallyStore,
    MonitoringStore,
    AlertStore,
    WebhookStore,
    DeliveryStore,
    SignalStore,
    ABC,
):
    """The persistent state of a deployment."""

    seconds: Histogram
    """Durations of transactions: of each group of writes in SQLite, of each operation in PostgreSQL."""

    @property
    def pool_use(self) -> PoolUse | None:
        """The use of the connections; None for a store without connections."""
        return None

    @property
    def nodes(self) -> Nodes | None:
        """The nodes that share the store; None for a store of one node."""
        return None

    @property
    def refusals(self) -> SharedRefusals | None:
        """The newest refusals of all nodes; None for a store of one node, whose audit trail has them."""
        return None

    @abstractmethod
    async def application(self, client_id: str) -> Application | None:
        """Return the application with exactly this client_id."""

    @abstractmethod
    async def applications(self, after: str = "", limit: int | None = None) -> list[Application]:
        """Return the applications after a client_id, ordered by it: all, or at most `limit` of them."""

    @abstractmethod
    async def applications_owned_by(self, username: str) -> list[Application]:
        """Return the applications that a developer has made, ordered by client_id."""

    @abstractmethod
    async def save_application(self, application: Application, at: Milliseconds, most: int | None = None) -> None:
        """Optimistic write: store if the stored version is `application.version - 1` (or absent and the version is 1).

        Adds the change to the log. Raises Conflict; Full if its owner would have more than `most` applications then.
        """

    @abstractmethod
    async def account(self, username: str) -> Account | None:
        """Return the account with exactly this login name."""

    @abstractmethod
    async def accounts(self, after: str = "", limit: int | None = None) -> list[Account]:
        """Return the accounts after a login name, ordered by it: all, or at most `limit` of them."""

    @abstractmethod
    async def accounts_named(self, usernames: Sequence[str]) -> list[Account]:
        """Return the existing accounts among these login names, in any order; at most a thousand names per call."""

    @abstractmethod
    async def save_account(self, account: Account, at: Milliseconds) -> None:
        """Optimistic write: store if the stored version is `account.version - 1` (or absent and the version is 1).

        Adds the change to the log. A later `not_before` ends the account's sessions: their sign-out notices are added to
        the outbox, as by `end_session`. Families that it does not reach, because their application dated them ahead of it,
        are ended one by one (`identity/not_before.py`). Raises Conflict.
        """

    @abstractmethod
    async def open_family(
        self, family: TokenFamily, account: Account, sign_in: SignIn | None = None, *, unless_enrolled: bool = False
    ) -> None:
        """Store a new family if the stored account has the same password version, status and `not_before` as `account`.

        Raises Conflict otherwise, and for a family id that exists. A login that was verified before a change of the account
        must not take effect after it (threats L3). `sign_in` is stored with the family, if the session it names still
        exists or the family outlives its session; otherwise Conflict is raised too. So it is with `unless_enrolled` for an
        account that has an authenticator app or a passkey.
        """

    @abstractmethod
    async def family(self, family_id: bytes) -> TokenFamily | None:
        """Return the family, ended or not."""

    @abstractmethod
    async def families(self, before: bytes, limit: int) -> list[TokenFamily]:
        """Return at most `limit` families with an id below `before`, in descending order: those that expire last first."""

    @abstractmethod
    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds = 0
    ) -> TokenFamily | None:
        """Advance a live family from exactly this generation and return it with its new values.

        Returns None if the family has another generation, has ended, was created before `not_before`, expires at or before
        `parameters.issued_at`, or is bound to a key or certificate and would not be with these parameters. Of any number of
        concurrent calls with one generation exactly one gets the family (D7, threats L1). `issued_at` never decreases, even
        if the clock was set back (threats T11).
        """

    @abstractmethod
    async def end_family(self, family_id: bytes, at: Milliseconds, because: str) -> bool:
        """End a family permanently and add it to the log. Returns whether this call ended it.

        The cost does not depend on how often the family was rotated.
        """

    @abstractmethod
    async def family_statistics(self, now: Milliseconds) -> list[FamilyStatistics]:
        """Return the statistics of each application and kind that has families, ordered by both. Reads the whole table."""

    @abstractmethod
    async def revoke_token(self, jti: str, until: Milliseconds) -> None:
        """Add the revocation of one access token to the log, until the token's expiry."""

    @abstractmethod
    async def changes(self, after: int) -> list[Change]:
        """Return the log entries with a sequence above `after`, in order and without gaps.

        `after` is 0 or the sequence of an entry that the caller has read. Raises LogGap (`change_log.py`) if a later one has
        been deleted: the caller drops what may depend on it and reads from 0.
        """

    @abstractmethod
    async def acknowledged_changes(self, after: int) -> list[Change]:
        """Return what `changes` returns, including every change acknowledged before this call by any server of the store.

        Raises StoreUnavailable if the server cannot rule out that another server has replaced it.
        """

    @abstractmethod
    def timeline(self) -> int:
        """Return a number that changes when the log must be read from its start, because its end may have been lost."""

    @abstractmethod
    def change_marker(self) -> int:
        """Return a number that changes whenever the log may have grown. Cheap: called for every request."""

    @abstractmethod
    def clock_offset(self) -> Milliseconds:
        """Return how far the clock shared by all nodes of this store is ahead of this machine's (threats T11)."""

    @abstractmethod
    async def change_factors(
        self, account: Account, found: Sequence[Factor], add: Sequence[Factor] = (), remove: Sequence[bytes] = ()
    ) -> None:
        """Store new factors of an account and delete those with the ids `remove`, all or none.

        Raises Conflict unless the condition of `open_family` holds and the account has exactly the factors `found`: of two
        changes at once the second was decided on what the first has changed. Also for an id that exists.
        """

    @abstractmethod
    async def factors_of(self, username: str) -> list[Factor]:
        """Return the factors of an account, ordered by creation, then id."""

    @abstractmethod
    async def factor(self, identity: bytes) -> Factor | None:
        """Return the factor with this id."""

    @abstractmethod
    async def use_factor(self, identity: bytes, counter: int, at: Milliseconds) -> bool:
        """Store the use of a factor, and this counter, if the stored counter is below it, or both are 0.

        Of any number of concurrent calls with one counter above 0 exactly one returns True (RFC 6238 §5.2).
        """

    @abstractmethod
    async def remove_factors(self, username: str, ids: Sequence[bytes]) -> int:
        """Delete the factors of an account with these ids and return how many this call deleted."""

    @abstractmethod
    async def consume_once(self, key: bytes, expires_at: Milliseconds) -> bool:
        """Add a key of at most 32 octets to the replay cache. Returns True for exactly one of any number of calls.

        The cache keeps the key until `expires_at`; after that, the caller must refuse it for another reason, such as its
        age. The empty key rejects all keys up to its own `expires_at`: after a restore it is unknown which keys were used
        (threats F6).
        """

    @abstractmethod
    async def open_status_blocks(self, block: StatusBlock, count: int) -> list[int]:
        """Store `count` copies of the block and return their numbers, ascending from 1. No number is reused."""

    @abstractmethod
    async def status_blocks(self, first: int, last: int) -> list[tuple[int, StatusBlock]]:
        """Return the blocks numbered `first` to `last`, both included, in order."""

    @abstractmethod
    async def status_block_numbers(self) -> range:
        """Return the numbers from the oldest stored block to the newest. Blocks in between may have been deleted."""

    @abstractmethod
    async def note_report_reads(self, reads: Sequence[ReportRead]) -> None:
        """Store these reads, at most a thousand per call.

        A later read of a company by the same application replaces the earlier.
        """

    @abstractmethod
    async def report_reads(self, client_id: str, companies: Sequence[str]) -> dict[str, Milliseconds]:
        """Return company -> `until` for those of these companies whose report the application read; a thousand at most."""

    @abstractmethod
    async def prepare(self, now: Milliseconds) -> None:
        """Create the partitions of the coming days, if the store has any."""

    @abstractmethod
    async def sweep(self, now: Milliseconds, max_rows: int = 1_000) -> int:
        """Delete expired rows, at most `max_rows` one by one, and return how many.

        Expired partitions are deleted in addition; each counts as one (threats L12). A result below `max_rows` means that
        this caller has nothing left to delete: of several nodes one deletes at a time.
        """

    @abstractmethod
    async def check_writable(self) -> None:
        """Write a scratch row and return, or raise StoreUnavailable (threats F9)."""

    @abstractmethod
    async def close(self) -> None:
        """Finish accepted writes, then release files, connections and threads."""
