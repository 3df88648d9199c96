"""Spike arrest: N per minute means one per 60/N seconds, smoothed, with a small burst (spec §7.9, §8, D16).

The generic cell rate algorithm (ITU-T I.371, Annex A): each key has one instant, the theoretical arrival time of its
next request, and a request may come early by the burst and no more. Durations are whole nanoseconds: nothing drifts.

A request is counted under several keys, each with a pace of its own: its application, its account, its address prefix.
It is counted under all of them or, when one has no room, under none.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from credence.clock import Milliseconds

MILLISECOND = 1_000_000
"""In nanoseconds, as all durations here."""

SECOND = 1_000 * MILLISECOND
_MINUTE = 60 * SECOND

_GLANCES = 4
"""How many of the longest unseen keys are looked at to find one that can be forgotten without loss."""

KINDS = ("application", "account", "address")

Key = str | bytes
"""An application's identifier, an address prefix, or a digest: short, and never text of a caller's choosing (A12)."""


@dataclass(frozen=True, slots=True, eq=False)
class Pace:
    """How fast one kind of caller may come. Make it with `pace`."""

    kind: str
    """One of `KINDS`."""
    per_minute: int
    burst: int
    """How many may come at once after a rest, at least 1."""
    interval: int
    """Nanoseconds from one request to the next."""
    full: int
    """Nanoseconds for which a burst lasts."""


Claim = tuple[Pace, Key]
"""One key that a request is counted under. A plain tuple: there are three a request."""


def pace(kind: str, per_minute: int, burst: int) -> Pace | None:
    """Return the pace, None when `per_minute` is 0: no limit.

    The burst is never more than a minute's worth, or an application allowed one a minute could come 200 times.
    """
    if not per_minute:
        return None
    burst = min(burst, per_minute)
    interval = max(1, _MINUTE // per_minute)
    return Pace(kind, per_minute, burst, interval, burst * interval)


class Verdict(NamedTuple):
    """Whether a request was counted, and the pace it is closest to exhausting: on a refusal, the one that refuses."""

    admitted: bool
    pace: Pace
    room: int
    """How many more may come at once; 0 on a refusal."""
    wait: int
    """Nanoseconds until there is room for one more than that; at most one interval."""


def judge(counted: Sequence[Claim], consulted: Sequence[Claim], aheads: Sequence[int]) -> Verdict | None:
    """Return the verdict on a request from how far each of its keys is ahead, `counted` first; None without a claim.

    Ahead is the arrival time less the present, in nanoseconds, before this request: from 0 to the whole burst.
    """
    nearest: Verdict | None = None
    refusal: Verdict | None = None
    for number, ((each, _), ahead) in enumerate(zip((*counted, *consulted), aheads, strict=True)):
        room, part = divmod(each.full - ahead, each.interval)
        wait = each.interval - part
        if not room:
            if refusal is None or wait > refusal.wait:
                refusal = Verdict(False, each, 0, wait)
        elif number < len(counted) and (nearest is None or room - 1 < nearest.room):
            nearest = Verdict(True, each, room - 1, wait)
    return refusal or nearest


class LocalCounters:
    """Counts in the memory of this process, at most `capacity` keys of each kind, so that no kind pushes out another."""

    def __init__(self, capacity: int = 100_000) -> None:
        self._capacity = capacity
        self._arrivals: dict[str, OrderedDict[Key, int]] = {kind: OrderedDict() for kind in KINDS}

    def admit(self, counted: Sequence[Claim], consulted: Sequence[Claim], now: Milliseconds) -> Verdict | None:
        """Count the request under every key of `counted` if these and those of `consulted` have room, else under none.

        None when there is nothing to count.
        """
        verdict = self.look(counted, consulted, now)
        if verdict is not None and verdict.admitted:
            self.count(counted, now)
        return verdict

    def look(self, counted: Sequence[Claim], consulted: Sequence[Claim], now: Milliseconds) -> Verdict | None:
        """Return what `admit` would, and count nothing."""
        instant = now * MILLISECOND
        arrivals = self._arrivals
        nearest: Pace | None = None
        least = of_nearest = 0
        # What `judge` does, for the common case and in a third of its time: this is done for each request.
        for each, key in counted:
            left = each.full - arrivals[each.kind].get(key, 0) + instant
            if left < each.interval:
                return self._judge(counted, consulted, instant)
            if left > each.full:
                left = each.full
            room = left // each.interval
            if nearest is None or room < least:
                nearest, least, of_nearest = each, room, left
        if consulted:
            return self._judge(counted, consulted, instant)
        if nearest is None:
            return None
        return Verdict(True, nearest, least - 1, nearest.interval - of_nearest % nearest.interval)

    def count(self, claims: Sequence[Claim], now: Milliseconds) -> None:
        """Count a request that was admitted."""
        instant = now * MILLISECOND
        for each, key in claims:
            arrivals = self._arrivals[each.kind]
            try:
                arrivals.move_to_end(key)
                arrival = arrivals[key]
                arrivals[key] = max(arrival, instant) + each.interval
            except KeyError:
                if len(arrivals) >= self._capacity:
                    _forget_one(arrivals, instant)
                arrivals[key] = instant + each.interval

    def _judge(self, counted: Sequence[Claim], consulted: Sequence[Claim], instant: int) -> Verdict | None:
        return judge(counted, consulted, [self._ahead(claim, instant) for claim in (*counted, *consulted)])

    def _ahead(self, claim: Claim, instant: int) -> int:
        """Return how far the key is ahead, at most its whole burst.

        It is further when the clock was set back or the limit raised; unless that is put right, the key stays locked.
        """
        each, key = claim
        arrivals = self._arrivals[each.kind]
        arrival = arrivals.get(key, 0)
        if arrival > instant + each.full:
            arrival = arrivals[key] = instant + each.full
        return max(0, arrival - instant)

    def __len__(self) -> int:
        return sum(map(len, self._arrivals.values()))


class Counters(Protocol):
    """Counters that other nodes count in as well."""

    up: bool
    """Whether they are asked, and not away."""

    async def admit(self, counted: Sequence[Claim], consulted: Sequence[Claim]) -> Verdict | None:
        """Return the verdict as `LocalCounters.admit` does, None when these counters cannot be asked now."""

    async def close(self) -> None:
        """Let go of them."""


class SpikeArrest:
    """Counts in the counters that nodes share, while these can be asked, and in its own.

    Its own count on beside the shared ones: what they refuse needs no round trip, and when the others go away they do
    not begin at nothing.
    """

    def __init__(self, local: LocalCounters, shared: Counters | None = None) -> None:
        self._local = local
        self._shared = shared

    async def admit(self, counted: Sequence[Claim], consulted: Sequence[Claim], now: Milliseconds) -> Verdict | None:
        """Count the request or refuse it; None when there is nothing to count."""
        if self._shared is None:
            return self._local.admit(counted, consulted, now)
        verdict = self._local.look(counted, consulted, now)
        if verdict is None or not verdict.admitted:
            return verdict
        verdict = await self._shared.admit(counted, consulted)
        if verdict is None:
            return self._local.admit(counted, consulted, now)
        if verdict.admitted:
            self._local.count(counted, now)
        return verdict

    @property
    def shared(self) -> bool | None:
        """Whether nodes count together now; None when they are not to."""
        return None if self._shared is None else self._shared.up

    async def close(self) -> None:
        """Let go of the shared counters."""
        if self._shared is not None:
            await self._shared.close()


def _forget_one(arrivals: OrderedDict[Key, int], instant: int) -> None:
    """Forget a key whose burst is whole again, else the one that has been quiet longest."""
    for _ in range(_GLANCES):
        key, arrival = arrivals.popitem(last=False)
        if arrival <= instant:
            return
        arrivals[key] = arrival
    arrivals.popitem(last=False)
