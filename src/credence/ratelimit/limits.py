"""A rate limit, and the rule that admits or refuses a request under several of them (spec §7.9, §8, D16).

N requests a minute means one request per 60/N seconds, smoothed, with a small burst. The rule is the generic cell rate
algorithm (GCRA, ITU-T I.371, Annex A). Each key has one instant: the theoretical arrival time of its next request. A
request may arrive earlier than that by at most the length of the burst. All durations are whole nanoseconds, so that
rounding does not add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

NANOSECONDS_PER_MILLISECOND = 1_000_000
_SECOND_NS = 1_000 * NANOSECONDS_PER_MILLISECOND
_MINUTE_NS = 60 * _SECOND_NS

KINDS = ("application", "account", "address", "fetch", "registration", "device", "pushed")

Key = str | bytes
"""A client_id, an address prefix, or a digest: short, and never text that the caller chose (threats A12)."""


@dataclass(frozen=True, slots=True, eq=False)
class RateLimit:
    """The rate allowed to one kind of key, constructed by `rate_limit`."""

    kind: str
    """One of `KINDS`."""
    per_minute: int
    burst: int
    """Requests that may come at once after a pause; at least 1."""
    interval_ns: int
    """Time between two requests at the smoothed rate."""
    burst_ns: int
    """`burst` intervals."""


LimitKey = tuple[RateLimit, Key]
"""One key with its limit. A plain tuple because each request makes three of them."""


def rate_limit(kind: str, per_minute: int, burst: int) -> RateLimit | None:
    """Return the limit; None when `per_minute` is 0, which means unlimited.

    The burst is at most one minute's requests: otherwise an application with a limit of one a minute could send 200 at
    once.
    """
    if not per_minute:
        return None
    burst = min(burst, per_minute)
    interval_ns = max(1, _MINUTE_NS // per_minute)
    return RateLimit(kind, per_minute, burst, interval_ns, burst * interval_ns)


class LimitDecision(NamedTuple):
    """Whether a request is admitted, and the limit that decides: the one that refuses, or else that with the least room."""

    admitted: bool
    limit: RateLimit
    remaining: int
    """Requests that may still come at once; 0 when refused."""
    wait_ns: int
    """Time until one more than `remaining` may come; at most one interval."""

    @property
    def wait_seconds(self) -> int:
        """`wait_ns` in whole seconds, rounded up."""
        return -(-self.wait_ns // _SECOND_NS)


def decide_spike_arrest(
    counted: Sequence[LimitKey], checked_only: Sequence[LimitKey], ahead_ns: Sequence[int]
) -> LimitDecision | None:
    """Return the decision on one request; None when no key is counted and none refuses.

    `ahead_ns` gives for each key, those of `counted` first, its theoretical arrival time less the present instant: from
    0 to the key's `burst_ns`. A key of `checked_only` can refuse the request, but the request does not count against it.
    """
    nearest: LimitDecision | None = None
    refusal: LimitDecision | None = None
    for number, ((limit, _), ahead) in enumerate(zip((*counted, *checked_only), ahead_ns, strict=True)):
        room, part = divmod(limit.burst_ns - ahead, limit.interval_ns)
        wait = limit.interval_ns - part
        if not room:
            if refusal is None or wait > refusal.wait_ns:
                refusal = LimitDecision(False, limit, 0, wait)
        elif number < len(counted) and (nearest is None or room - 1 < nearest.remaining):
            nearest = LimitDecision(True, limit, room - 1, wait)
    return refusal or nearest
