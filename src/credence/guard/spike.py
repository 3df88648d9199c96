"""Spike arrest: N per minute means one per 60/N seconds, smoothed, with a small burst (spec §7.9, §8, D16).

The generic cell rate algorithm (ITU-T I.371, Annex A): each key has one instant, the theoretical arrival time of its
next request, and a request may come early by the burst and no more. Instants are whole nanoseconds: nothing drifts.
"""

from collections import OrderedDict

from credence.clock import Milliseconds

_NANOSECONDS = 1_000_000
"""In a millisecond."""

_MINUTE = 60_000 * _NANOSECONDS

_GLANCES = 4
"""How many of the longest unseen keys are looked at to find one that can be forgotten without loss."""


class SpikeArrest:
    """Counts the requests of each key, in memory, for at most `capacity` keys.

    A key is an application's identifier or an address prefix (D16): short, and never text of an unknown caller's
    choosing (A12). Each process counts for itself.
    """

    def __init__(self, capacity: int = 100_000) -> None:
        self._capacity = capacity
        self._arrivals: OrderedDict[str, int] = OrderedDict()

    def admit(self, key: str, now: Milliseconds, per_minute: int, burst: int) -> Milliseconds | None:
        """Return None and count the request, or return how many milliseconds the caller has to wait.

        `burst` is how many requests may come at once after a rest, at least 1; `per_minute` 0 switches the rule off.
        A refused request does not count. The wait is at least 1 and at most one interval of 60/N seconds, rounded up.
        """
        if not per_minute:
            return None
        instant = now * _NANOSECONDS
        interval = _MINUTE // per_minute
        arrival = self._arrivals.get(key, 0)
        # Never owe more than the whole burst, or a clock that was set back (or a limit raised) would lock the key.
        arrival = min(arrival, instant + burst * interval)
        early = arrival - (burst - 1) * interval - instant
        if early > 0:
            return -(-early // _NANOSECONDS)
        self._remember(key, max(arrival, instant) + interval, instant)
        return None

    def _remember(self, key: str, arrival: int, instant: int) -> None:
        arrivals = self._arrivals
        if key in arrivals:
            arrivals.move_to_end(key)
        elif len(arrivals) >= self._capacity:
            self._forget_one(instant)
        arrivals[key] = arrival

    def _forget_one(self, instant: int) -> None:
        """Forget a key whose burst is whole again, else the one that has been quiet longest."""
        for _ in range(_GLANCES):
            key, arrival = self._arrivals.popitem(last=False)
            if arrival <= instant:
                return
            self._arrivals[key] = arrival
        self._arrivals.popitem(last=False)

    def __len__(self) -> int:
        return len(self._arrivals)
