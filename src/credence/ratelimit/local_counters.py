"""Counters in the memory of one process (D16). Instants are monotonic, from an arbitrary start."""

from collections import OrderedDict
from collections.abc import Sequence

from credence.clock import Milliseconds
from credence.ratelimit.limits import (
    KINDS,
    NANOSECONDS_PER_MILLISECOND,
    Key,
    LimitDecision,
    LimitKey,
    RateLimit,
    decide_spike_arrest,
)

_EVICTION_CANDIDATES = 4
"""The number of least recently counted keys that are examined for one that can be dropped without loss."""


class LocalCounters:
    """Counts by key, with at most `capacity` keys of each kind, so that one kind cannot evict another (threats A12)."""

    def __init__(self, capacity: int = 100_000) -> None:
        self._capacity = capacity
        self._arrivals: dict[str, OrderedDict[Key, int]] = {kind: OrderedDict() for kind in KINDS}
        """Kind and key -> the theoretical arrival time of the next request, in nanoseconds."""

    def admit(
        self, counted: Sequence[LimitKey], checked_only: Sequence[LimitKey], now: Milliseconds
    ) -> LimitDecision | None:
        """Count the request under every key of `counted` if all keys have room, else under none.

        Return None when no limit applies.
        """
        decision = self.check(counted, checked_only, now)
        if decision is not None and decision.admitted:
            self.count(counted, now)
        return decision

    def check(
        self, counted: Sequence[LimitKey], checked_only: Sequence[LimitKey], now: Milliseconds
    ) -> LimitDecision | None:
        """Return the decision of `admit` without counting."""
        instant = now * NANOSECONDS_PER_MILLISECOND
        arrivals = self._arrivals
        nearest: RateLimit | None = None
        least_room = nearest_left = 0
        # The common case of `decide_spike_arrest`, in a third of its time, because every request runs this.
        for limit, key in counted:
            left = limit.burst_ns - arrivals[limit.kind].get(key, 0) + instant
            if left < limit.interval_ns:
                return self._decide(counted, checked_only, instant)
            if left > limit.burst_ns:
                left = limit.burst_ns
            room = left // limit.interval_ns
            if nearest is None or room < least_room:
                nearest, least_room, nearest_left = limit, room, left
        if checked_only:
            return self._decide(counted, checked_only, instant)
        if nearest is None:
            return None
        return LimitDecision(True, nearest, least_room - 1, nearest.interval_ns - nearest_left % nearest.interval_ns)

    def count(self, keys: Sequence[LimitKey], now: Milliseconds) -> None:
        """Count an admitted request under each of the keys."""
        instant = now * NANOSECONDS_PER_MILLISECOND
        for limit, key in keys:
            arrivals = self._arrivals[limit.kind]
            try:
                arrivals.move_to_end(key)
                arrival = arrivals[key]
                arrivals[key] = max(arrival, instant) + limit.interval_ns
            except KeyError:
                if len(arrivals) >= self._capacity:
                    _evict_one(arrivals, instant)
                arrivals[key] = instant + limit.interval_ns

    def _decide(
        self, counted: Sequence[LimitKey], checked_only: Sequence[LimitKey], instant: int
    ) -> LimitDecision | None:
        return decide_spike_arrest(
            counted, checked_only, [self._ahead_ns(key, instant) for key in (*counted, *checked_only)]
        )

    def _ahead_ns(self, limit_key: LimitKey, instant: int) -> int:
        """Return how far the key's arrival time is ahead of `instant`, at most its burst.

        It is further ahead after the clock was set back or the limit was raised. It is then corrected, because the key
        would stay refused for that long.
        """
        limit, key = limit_key
        arrivals = self._arrivals[limit.kind]
        arrival = arrivals.get(key, 0)
        if arrival > instant + limit.burst_ns:
            arrival = arrivals[key] = instant + limit.burst_ns
        return max(0, arrival - instant)

    def __len__(self) -> int:
        return sum(map(len, self._arrivals.values()))


def _evict_one(arrivals: OrderedDict[Key, int], instant: int) -> None:
    """Remove a key whose burst is fully restored, else the least recently counted one."""
    for _ in range(_EVICTION_CANDIDATES):
        key, arrival = arrivals.popitem(last=False)
        if arrival <= instant:
            return
        arrivals[key] = arrival
    arrivals.popitem(last=False)
