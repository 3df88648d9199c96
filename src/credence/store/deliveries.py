"""The outbox: what must be delivered to a receiver elsewhere, as rows written in the transaction of what they are about.

A row is claimed with a lease, attempted, and then deleted or postponed. The lease of a node that
vanishes ends, and another node attempts the row again: each is delivered at least once.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from credence.clock import DAY_MS, Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.store.shared_values import saving_value
from credence.store.statements import Act, Add, Do, Pair, Statements, columns, do

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
    """Selects the code that sends it: `sign_out`, `webhook`, `signal` or `mail`."""
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


_COLUMNS, _ = columns(Delivery)
_NAMES = Delivery.__struct_fields__
_TYPES = dict(
    zip(
        _NAMES,
        ("bytea", "text", "text", "bytea", "bigint", "bigint", "bigint", "bigint", "bigint", "text"),
        strict=True,
    )
)
_IS_DUE = (
    "SELECT EXISTS (SELECT 1 FROM deliveries WHERE due_at <= :now), "
    "EXISTS (SELECT 1 FROM deliveries WHERE due_at > :plausible AND due_at < :held)"
)
_END_WAIT = "UPDATE deliveries SET due_at = :now WHERE due_at > :plausible AND due_at < :held RETURNING 1"

# Steps through the receivers by the index, so a receiver with a long queue costs no more than one with a short queue.
# PostgreSQL: a row that another node locks is skipped; one that it has just claimed is due no more when its lock is gone.
_CLAIM = Pair(
    sqlite=f"""
WITH RECURSIVE receivers (name) AS (
    SELECT min(receiver) FROM deliveries
    UNION ALL
    SELECT (SELECT min(receiver) FROM deliveries WHERE receiver > name) FROM receivers WHERE name IS NOT NULL
)
UPDATE deliveries SET due_at = :lease, attempts = attempts + 1 WHERE id IN (
    SELECT each.id FROM receivers CROSS JOIN deliveries AS each ON each.id IN (
        SELECT id FROM deliveries WHERE receiver = name AND due_at <= :now ORDER BY due_at LIMIT :per
    )
    WHERE name IS NOT NULL AND name <> ALL(:busy) ORDER BY each.due_at LIMIT :most
)
RETURNING {_COLUMNS}
""",  # noqa: S608 - constants, here and below
    postgres=f"""
WITH RECURSIVE receivers (name) AS (
    (SELECT receiver FROM deliveries ORDER BY receiver LIMIT 1)
    UNION ALL
    SELECT (SELECT receiver FROM deliveries WHERE receiver > name ORDER BY receiver LIMIT 1) FROM receivers
    WHERE name IS NOT NULL
), due AS (
    SELECT each.id FROM receivers CROSS JOIN LATERAL (
        SELECT id, due_at FROM deliveries WHERE receiver = name AND due_at <= :now ORDER BY due_at LIMIT :per
    ) AS each
    WHERE name IS NOT NULL AND name <> ALL(:busy::text[]) ORDER BY each.due_at LIMIT :most
), locked AS MATERIALIZED (
    SELECT id FROM deliveries WHERE id IN (SELECT id FROM due) AND due_at <= :now FOR UPDATE SKIP LOCKED
)
UPDATE deliveries SET due_at = :lease, attempts = attempts + 1 FROM locked WHERE deliveries.id = locked.id
RETURNING {", ".join(f"deliveries.{each}" for each in _NAMES)}
""",  # noqa: S608 - constants
)
_CLAIMED = "WHERE id = :id AND attempts = :attempts AND given_up_at = 0 RETURNING 1"
_END = f"DELETE FROM deliveries {_CLAIMED}"  # noqa: S608 - constants
_POSTPONE = f"UPDATE deliveries SET due_at = :due_at, outcome = :outcome, given_up_at = :given_up_at {_CLAIMED}"  # noqa: S608 - constants
_RETURN = f"UPDATE deliveries SET due_at = :due_at, attempts = attempts - 1 {_CLAIMED}"  # noqa: S608 - constants
_OF = (
    f"SELECT {_COLUMNS} FROM deliveries WHERE receiver = :receiver AND given_up_at <= :given_up "  # noqa: S608 - constants
    "ORDER BY created_at, id LIMIT :most"
)
_NAMED = f"SELECT {_COLUMNS} FROM deliveries WHERE receiver = :receiver AND given_up_at = 0 AND id = ANY(:ids::bytea[])"  # noqa: S608 - constants
_COUNT_OF = (
    "SELECT count(*) FILTER (WHERE given_up_at = 0), count(*) FILTER (WHERE given_up_at > 0) FROM deliveries "
    "WHERE receiver = :receiver"
)
_GIVEN_UP = f"SELECT {_COLUMNS} FROM deliveries WHERE given_up_at > 0 ORDER BY given_up_at DESC, id LIMIT :most"  # noqa: S608 - constants
_REVIVE = (
    "UPDATE deliveries SET due_at = :at, keep_until = :keep_until, attempts = 0, given_up_at = 0 "
    "WHERE receiver = :receiver AND given_up_at > 0 RETURNING 1"
)
_BACKLOG = (
    "SELECT count(*) FILTER (WHERE due_at < :held), count(*) FILTER (WHERE due_at >= :never), "
    "min(due_at) FILTER (WHERE due_at < :held) FROM deliveries"
)


def added(deliveries: Iterable[Delivery]) -> Add:
    """Return the step that stores deliveries. One whose id exists is left as it is."""
    return Add("deliveries", _TYPES, [msgspec.structs.astuple(each) for each in deliveries])


def dropped(receiver: str) -> Do:
    """Return the step that deletes the deliveries of a receiver."""
    return do("DELETE FROM deliveries WHERE receiver = :receiver", receiver=receiver)


def due(receiver: str, at: Milliseconds) -> Do:
    """Return the step that lets the pending deliveries of a receiver be due at an instant."""
    return do(
        "UPDATE deliveries SET due_at = :at WHERE receiver = :receiver AND given_up_at = 0", receiver=receiver, at=at
    )


class Deliveries(Statements):
    """The part of a store that is the outbox."""

    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        """Store deliveries, all or none. One whose id exists is left as it is."""
        await self._transact(_adding, added(deliveries))

    async def add_deliveries_once(self, deliveries: Sequence[Delivery], name: str, version: int, done: bytes) -> None:
        """Store deliveries, and the shared value that says so, all or none. Raises Conflict as `save_shared_value` does."""

        def adding() -> Act[None]:
            yield from saving_value(name, version, done)
            yield added(deliveries)

        await self._transact(adding)

    async def replay_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        """Store deliveries, all or none. One that was given up becomes due again, with no attempts; waiting ones stay."""
        again = "due_at = excluded.due_at, keep_until = excluded.keep_until, attempts = 0, given_up_at = 0"
        or_else = f"(id) DO UPDATE SET {again} WHERE deliveries.given_up_at > 0"
        await self._transact(_adding, added(deliveries)._replace(or_else=or_else))

    async def claim_deliveries(
        self, now: Milliseconds, lease_until: Milliseconds, per_receiver: int, most: int, busy: Sequence[str] = ()
    ) -> list[Delivery]:
        """Lease the oldest `per_receiver` due deliveries of each receiver, at most `most` in all, and count the attempts.

        A delivery that waits longer than is plausible becomes due. Receivers in `busy` are left out. Exactly one of several
        concurrent calls gets a delivery until its lease ends.
        """
        too_long = {"plausible": plausible_until(now), "held": HELD}
        ((is_due, waits_too_long),) = await self._rows(_IS_DUE, now=now, **too_long)
        if waits_too_long:
            await self._write(_END_WAIT, now=now, **too_long)
        elif not is_due:
            return []
        rows = await self._write(_CLAIM, now=now, lease=lease_until, per=per_receiver, most=most, busy=list(busy))
        return sorted((Delivery(*row) for row in rows), key=lambda each: (each.created_at, each.id))

    async def end_delivery(self, delivery: Delivery) -> bool:
        """Delete a delivery that succeeded. Does nothing if it was claimed again since; returns whether it was deleted."""
        return bool(await self._write(_END, id=delivery.id, attempts=delivery.attempts))

    async def postpone_delivery(
        self, delivery: Delivery, due_at: Milliseconds, outcome: str, given_up_at: Milliseconds = 0
    ) -> bool:
        """Store when a failed delivery is attempted again, or that it is given up. Returns whether it was still claimed."""
        values = {"due_at": NEVER if given_up_at else due_at, "outcome": outcome, "given_up_at": given_up_at}
        return bool(await self._write(_POSTPONE, id=delivery.id, attempts=delivery.attempts, **values))

    async def return_delivery(self, delivery: Delivery, due_at: Milliseconds) -> bool:
        """Store when a claimed delivery that was not attempted is due; it is not counted. Returns whether it was claimed."""
        return bool(await self._write(_RETURN, id=delivery.id, attempts=delivery.attempts, due_at=due_at))

    async def deliveries_of(self, receiver: str, most: int = 100, *, waiting: bool = False) -> list[Delivery]:
        """Return the deliveries of a receiver, the oldest first; with `waiting` only those that were not given up."""
        rows = await self._rows(_OF, receiver=receiver, most=most, given_up=0 if waiting else NEVER)
        return [Delivery(*row) for row in rows]

    async def count_deliveries(self, receiver: str) -> tuple[int, int]:
        """Return how many deliveries of a receiver wait, and how many were given up."""
        ((waiting, given_up),) = await self._rows(_COUNT_OF, receiver=receiver)
        return int(waiting), int(given_up)

    async def deliveries_named(self, receiver: str, ids: Sequence[bytes]) -> list[Delivery]:
        """Return the deliveries of a receiver with these ids, at most a thousand, that were not given up, in any order."""
        return [Delivery(*row) for row in await self._rows(_NAMED, receiver=receiver, ids=list(ids))]

    async def given_up_deliveries(self, most: int = 100) -> list[Delivery]:
        """Return deliveries of all receivers that were given up, the newest first. Reads the whole table."""
        return [Delivery(*row) for row in await self._rows(_GIVEN_UP, most=most)]

    async def revive_deliveries(self, receiver: str, at: Milliseconds, keep_until: Milliseconds) -> int:
        """Make every delivery of a receiver that was given up due again, with no attempts, and return how many."""
        return len(await self._write(_REVIVE, receiver=receiver, at=at, keep_until=keep_until))

    async def backlog(self) -> Backlog:
        """Return how much the outbox holds. Reads an index of the whole table."""
        ((waiting, given_up, oldest_due_at),) = await self._rows(_BACKLOG, held=HELD, never=NEVER)
        return Backlog(waiting, given_up, oldest_due_at)


def _adding(step: Add) -> Act[None]:
    yield step
