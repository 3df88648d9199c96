"""The outbox: what must be delivered to a receiver elsewhere, as rows written in the transaction of what they are about.

A row is claimed with a lease, attempted, and then deleted or postponed. The lease of a node that
vanishes ends, and another node attempts the row again: each is delivered at least once.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from credence.clock import DAY_MS, Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS

NEVER: Milliseconds = 1 << 62
"""The `due_at` of a delivery that was given up."""

HELD: Milliseconds = NEVER - 1
"""The `due_at` of a delivery that waits until its receiver wants it."""


MAX_WAIT_MS = 2 * DAY_MS
"""Longer than any wait between two attempts."""


def plausible_until(now: Milliseconds) -> Milliseconds:
    """Return the latest `due_at`, but for HELD and NEVER, that a clock which was right can have left.

    A delivery with a later one would wait until the time of a clock that was ahead, so it is due (threats T11).
    """
    return now + MAX_WAIT_MS + NODE_TOLERANCE_MS


class Delivery(msgspec.Struct, frozen=True):
    """One row of the outbox."""

    id: bytes
    """At most 32 octets; the same in every attempt."""
    kind: str
    """Selects the code that sends it: `sign_out`, `webhook` or `signal`."""
    receiver: str
    """The id of the receiver. A delivery waits for earlier ones of the same receiver, never for those of another."""
    payload: bytes
    created_at: Milliseconds
    due_at: Milliseconds
    """When the next attempt is due; during an attempt, the end of its lease."""
    keep_until: Milliseconds
    """After this instant the row is deleted, delivered or not."""
    attempts: int = 0
    given_up_at: Milliseconds = 0
    """0 while further attempts follow."""
    outcome: str = ""
    """The result of the last attempt: an HTTP status or a reason code."""


class Backlog(NamedTuple):
    """The numbers of deliveries in the outbox. Held deliveries are not counted."""

    waiting: int
    given_up: int
    oldest_due_at: Milliseconds | None
    """When the delivery that waits longest was due; None if none waits."""


class DeliveryStore(Protocol):
    """The part of the store that is the outbox."""

    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        """Store deliveries, all or none. One whose id exists is left as it is."""

    async def replay_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        """Store deliveries, all or none. One that was given up becomes due again, with no attempts; waiting ones stay."""

    async def claim_deliveries(
        self, now: Milliseconds, lease_until: Milliseconds, per_receiver: int, most: int, busy: Sequence[str] = ()
    ) -> list[Delivery]:
        """Lease the oldest `per_receiver` due deliveries of each receiver, at most `most` in all, and count the attempts.

        A delivery that waits longer than is plausible becomes due. Receivers in `busy` are left out. Exactly one of several
        concurrent calls gets a delivery until its lease ends.
        """

    async def end_delivery(self, delivery: Delivery) -> bool:
        """Delete a delivery that succeeded. Does nothing if it was claimed again since; returns whether it was deleted."""

    async def postpone_delivery(
        self, delivery: Delivery, due_at: Milliseconds, outcome: str, given_up_at: Milliseconds = 0
    ) -> bool:
        """Store when a failed delivery is attempted again, or that it is given up. Returns whether it was still claimed."""

    async def return_delivery(self, delivery: Delivery, due_at: Milliseconds) -> bool:
        """Store when a claimed delivery that was not attempted is due; it is not counted. Returns whether it was claimed."""

    async def deliveries_of(self, receiver: str, most: int = 100, *, waiting: bool = False) -> list[Delivery]:
        """Return the deliveries of a receiver, the oldest first; with `waiting` only those that were not given up."""

    async def deliveries_named(self, receiver: str, ids: Sequence[bytes]) -> list[Delivery]:
        """Return the deliveries of a receiver with these ids, at most a thousand, that were not given up, in any order."""

    async def given_up_deliveries(self, most: int = 100) -> list[Delivery]:
        """Return deliveries of all receivers that were given up, the newest first. Reads the whole table."""

    async def revive_deliveries(self, receiver: str, at: Milliseconds, keep_until: Milliseconds) -> int:
        """Make every delivery of a receiver that was given up due again, with no attempts, and return how many."""

    async def delete_deliveries(self, receiver: str) -> int:
        """Delete the deliveries of a receiver and return how many there were."""

    async def backlog(self) -> Backlog:
        """Return how much the outbox holds. Reads an index of the whole table."""
