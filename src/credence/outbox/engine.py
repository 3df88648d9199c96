"""Attempts the deliveries of the outbox, so that a slow receiver delays no other (monitoring.md 7.3).

A failed one is attempted again by its schedule (Standard Webhooks 1.0.0, "Deliverability and reliability").
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from credence.clock import Clock, Milliseconds
from credence.crypto.randomness import random_bytes
from credence.store.contract import Store, StoreUnavailable
from credence.store.deliveries import Delivery
from credence.telemetry.log import log_unexpected, store_unavailable

JITTER = 0.2
"""The share by which a delay is varied at random, so that failed deliveries are not retried all at once."""

MAX_RETRY_AFTER_MS = 86_400_000
"""The longest wait that a receiver may request with Retry-After."""

_SECOND, _MINUTE, _HOUR = 1_000, 60_000, 3_600_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """The delays between the attempts of one kind of delivery."""

    delays_ms: tuple[int, ...]
    """The delay before the second attempt, before the third, and so on; after one more failure the delivery is given up."""

    def next_attempt(
        self, attempts: int, now: Milliseconds, chance: float, retry_after_ms: int = 0
    ) -> Milliseconds | None:
        """Return when a delivery is due after `attempts` failures; None if it is given up.

        `chance` is a random number in [0, 1).
        """
        if attempts > len(self.delays_ms):
            return None
        delay = self.delays_ms[attempts - 1] * (1 - JITTER + 2 * JITTER * chance)
        return now + max(round(delay), min(retry_after_ms, MAX_RETRY_AFTER_MS))


WEBHOOKS = Schedule(
    (
        5 * _SECOND,
        5 * _MINUTE,
        30 * _MINUTE,
        2 * _HOUR,
        5 * _HOUR,
        10 * _HOUR,
        14 * _HOUR,
        20 * _HOUR,
        24 * _HOUR,
    )
)
"""The schedule of webhooks: ten attempts in a little more than three days."""

VERIFICATIONS = Schedule((5 * _SECOND, 5 * _MINUTE, 30 * _MINUTE))
"""The schedule of verifications: four attempts in about half an hour; the owner can request another verification."""

MESSAGES = Schedule((5 * _SECOND, 30 * _SECOND, 5 * _MINUTE, 30 * _MINUTE, 2 * _HOUR, 10 * _HOUR))
"""The schedule of messages to people: seven attempts in half a day. A link or code that has expired is not sent."""

SIGN_OUTS = Schedule((5 * _SECOND, 30 * _SECOND, 5 * _MINUTE))
"""The schedule of sign-out notices: four attempts in about six minutes, because a notice that is hours late is useless."""


LEASE_MS = 60_000
"""The lease of a delivery. It waits at most 15 s for its turn at a host, and an attempt takes 15 s at most."""

PER_RECEIVER = 2
"""Concurrent attempts at one receiver, on one node."""

MAX_CLAIMED = 512
"""Concurrent attempts on one node."""

POLL_SECONDS = 1.0
"""The interval of claims while nothing is due."""

PAUSE_SECONDS = 0.02
"""The pause between two claims while receivers become free, so that one claim serves several of them."""

SLOW_DOWN_MS = 10_000
"""The minimum time for which a busy receiver gets nothing from a node; `MAX_SLOW_DOWN_MS` is the maximum."""

MAX_SLOW_DOWN_MS = 600_000

TURN_MS = 2_000
"""The delay of a delivery that had no turn at its host; up to twice as long, at random."""

INTERNAL_ERROR = "internal_error"
"""The outcome of an attempt that ended with an unexpected error, which the log has."""

CLOSE_SECONDS = 5.0
"""How long attempts may continue when the service stops. The lease of an interrupted attempt expires by itself."""


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """The result of an attempt."""

    delivered: bool
    text: str
    """An HTTP status or a reason code."""
    final: bool = False
    """Whether no further attempt is to be made."""
    retry_after_ms: int = 0
    """The wait that the receiver requested."""
    slow_down: bool = False
    """Whether the receiver gets no other deliveries for a while."""
    answer: bytes = b""
    """The beginning of the receiver's answer, if it refused the delivery."""
    milliseconds: int = 0
    """The duration of the call in milliseconds."""
    attempted: bool = True
    """Whether an attempt was made; otherwise the delivery is due again soon and not counted."""


@dataclass(frozen=True, slots=True)
class DeliveryKind:
    """How the deliveries of one kind are attempted."""

    attempt: Callable[[Delivery], Awaitable[AttemptOutcome]]
    schedule: Schedule


class DeliveryEngine:
    """Claims due deliveries, attempts them and stores the outcome, until it is closed."""

    def __init__(self, store: Store, clock: Clock, kinds: Mapping[str, DeliveryKind]) -> None:
        self._store = store
        self._clock = clock
        self._kinds = kinds
        self._busy: dict[str, int] = {}
        self._slowed: dict[str, Milliseconds] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._free = asyncio.Event()

    async def run(self) -> None:
        """Attempt deliveries until the task is cancelled."""
        while True:
            claimed = 0
            try:
                claimed = await self._claim()
            except StoreUnavailable as error:
                store_unavailable(error)
            except Exception as error:  # noqa: BLE001 - the next claim is in a second
                log_unexpected(error)
            if claimed or self._tasks:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._free.wait(), POLL_SECONDS)
                self._free.clear()
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                await asyncio.sleep(POLL_SECONDS)

    async def close(self) -> None:
        """Wait for running attempts for `CLOSE_SECONDS`, then stop them."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=CLOSE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _claim(self) -> int:
        room = MAX_CLAIMED - sum(self._busy.values())
        if room <= 0:
            return 0
        now = self._clock()
        self._slowed = {receiver: until for receiver, until in self._slowed.items() if until > now}
        busy = sorted({*self._busy, *self._slowed})
        claimed = await self._store.claim_deliveries(now, now + LEASE_MS, PER_RECEIVER, room, busy)
        claimed.sort(key=lambda each: each.receiver)
        for receiver, deliveries in groupby(claimed, key=lambda each: each.receiver):
            task = asyncio.create_task(self._serve(receiver, list(deliveries)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return len(claimed)

    async def _serve(self, receiver: str, deliveries: Sequence[Delivery]) -> None:
        self._busy[receiver] = len(deliveries)
        try:
            await asyncio.gather(*(self._attempt(each) for each in deliveries))
        finally:
            del self._busy[receiver]
            self._free.set()

    async def _attempt(self, delivery: Delivery) -> None:
        kind = self._kinds.get(delivery.kind)
        try:
            if kind is None:  # a kind of a newer version, whose nodes deliver it
                await self._return(delivery, 0)
                return
            outcome = await _outcome(kind, delivery)
            if outcome.delivered:
                await self._store.end_delivery(delivery)
            elif not outcome.attempted:
                await self._return(delivery, outcome.retry_after_ms)
            else:
                await self._postpone(delivery, kind.schedule, outcome)
        except StoreUnavailable as error:  # the lease ends and the delivery is attempted again
            store_unavailable(error)
        except Exception as error:  # noqa: BLE001 - the lease ends and the delivery is attempted again
            log_unexpected(error)

    async def _return(self, delivery: Delivery, least_ms: int) -> None:
        """Return a delivery that had no turn; its receiver gets no other delivery before this one is due."""
        due_at = self._clock() + max(least_ms, round(TURN_MS * (1 + _chance())))
        self._slowed[delivery.receiver] = max(due_at, self._slowed.get(delivery.receiver, 0))
        await self._store.return_delivery(delivery, due_at)

    async def _postpone(self, delivery: Delivery, schedule: Schedule, outcome: AttemptOutcome) -> None:
        now = self._clock()
        if outcome.slow_down:
            wait = min(max(SLOW_DOWN_MS, outcome.retry_after_ms), MAX_SLOW_DOWN_MS)
            self._slowed[delivery.receiver] = now + wait
        due_at = (
            None if outcome.final else schedule.next_attempt(delivery.attempts, now, _chance(), outcome.retry_after_ms)
        )
        await self._store.postpone_delivery(
            delivery, due_at or now, outcome.text, given_up_at=now if due_at is None else 0
        )


async def _outcome(kind: DeliveryKind, delivery: Delivery) -> AttemptOutcome:
    """Make an attempt. An unexpected error is a failed one, so that the delivery is given up at last."""
    try:
        return await kind.attempt(delivery)
    except StoreUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - the next attempt follows the schedule
        log_unexpected(error, delivery=delivery.id.hex(), kind=delivery.kind)
        return AttemptOutcome(delivered=False, text=INTERNAL_ERROR)


def _chance() -> float:
    """Return a number in [0, 1)."""
    return int.from_bytes(random_bytes(4), "big") / (1 << 32)
