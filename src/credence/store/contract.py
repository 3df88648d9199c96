"""The store: what every implementation must do. One test suite checks each implementation against it.

For every method: when it returns, its effect is complete, durable and visible to every later read of this process. When it
raises Conflict, it had no effect. When it raises StoreUnavailable, the store did not answer in time (disk, lock, network);
the effect is then complete or absent, and a repeated call returns which (D7). An endpoint turns StoreUnavailable into a
500, never into a success (threats L4, F2).
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

from credence.clock import Milliseconds
from credence.store.alerts import Alerts
from credence.store.book import Book
from credence.store.change_log import CHANGE_NOTICE_MS as CHANGE_NOTICE_MS
from credence.store.customers import Customers
from credence.store.deliveries import Deliveries
from credence.store.devices import Devices
from credence.store.errors import Conflict as Conflict
from credence.store.errors import Full as Full
from credence.store.errors import StoreDamaged as StoreDamaged
from credence.store.errors import StoreUnavailable as StoreUnavailable
from credence.store.events import Events
from credence.store.families import Families
from credence.store.ledger_uploads import LedgerUploads
from credence.store.limit_decisions import LimitDecisions
from credence.store.nodes import Nodes
from credence.store.observations import Observations
from credence.store.people import Factors
from credence.store.portfolios import Portfolios
from credence.store.records import Change
from credence.store.registry import Registry
from credence.store.replay_cache import ReplayCache
from credence.store.report_reads import ReportReads
from credence.store.shared_refusals import SharedRefusals
from credence.store.shared_requests import SharedRequests
from credence.store.shared_values import SharedValues
from credence.store.sign_ins import SignIns
from credence.store.signals import Signals
from credence.store.signing_keys import SigningKeys
from credence.store.status_blocks import StatusBlocks
from credence.store.tallies import Tallies
from credence.store.trusted_issuers import TrustedIssuers
from credence.store.webhooks import Webhooks
from credence.telemetry.histogram import Histogram

MAX_REPLAY_CACHE_MS = 320_000
"""The longest time for which a key stays in the replay cache: five minutes and the clock difference of two nodes."""


class PoolUse(NamedTuple):
    """The use of one process's connections to a shared store."""

    used: int
    idle: int
    waiting: int
    """Operations that wait for a connection."""


class Store(
    Registry,
    Families,
    Devices,
    Factors,
    SignIns,
    SigningKeys,
    StatusBlocks,
    ReplayCache,
    Tallies,
    ReportReads,
    Portfolios,
    Customers,
    LedgerUploads,
    Observations,
    Events,
    Alerts,
    Book,
    LimitDecisions,
    Webhooks,
    SharedValues,
    Deliveries,
    Signals,
    TrustedIssuers,
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

    @property
    def requests(self) -> SharedRequests | None:
        """The request logs of all nodes; None for a store of one node, whose file has it."""
        return None

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
